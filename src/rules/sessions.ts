import type { RawRow } from '#fields'
import { session } from '#records/session'
import type { Reader } from '#store/store'

/** All sessions of a person, however many: one that is left out would stay signed in. */
export const sessionsOf = (reader: Pick<Reader, 'list'>, user: number): Promise<RawRow[]> =>
  reader.list(session, {
    filters: [{ field: 'user_id', op: '=', value: user }],
    words: [],
    sort: null,
    after: null,
    limit: Number.MAX_SAFE_INTEGER,
    offset: 0,
  })
