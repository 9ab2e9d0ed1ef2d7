import type { Row } from '#fields'
import { session } from '#records/session'
import type { Reader } from '#store/store'

/** All sessions of a person, however many: one that is left out would stay signed in. */
export const sessionsOf = (reader: Pick<Reader, 'list'>, user: number): Promise<Row<typeof session>[]> =>
  reader.list(session, {
    filters: [{ field: 'user_id', op: '=', value: user }],
    limit: Number.MAX_SAFE_INTEGER,
  })
