import type { Row } from '#fields'
import { signInLink } from '#records/sign-in-link'
import type { Reader } from '#store/store'

/** The links by which somebody may still set their password. */
export const signInLinksOf = (reader: Pick<Reader, 'list'>, user: number): Promise<Row<typeof signInLink>[]> =>
  reader.list(signInLink, {
    filters: [{ field: 'user_id', op: '=', value: user }],
    limit: Number.MAX_SAFE_INTEGER,
  })
