import { later } from '#fields/instant'
import { apiKey } from '#records/api-key'
import { webhook } from '#records/webhook'
import { type Check, MAX_ROWS } from './check.ts'

const YEAR_MS = 365 * 24 * 3600_000

export const webhooksInTrouble: Check = {
  record: webhook,
  name: 'webhooks_in_trouble',
  level: 'stops',
  summary: 'webhooks fail, or were switched off because they did',
  mend: { method: 'PATCH', path: '/v5/webhooks/{id}' },
  async find({ store }) {
    const found = await store.list(
      webhook,
      { filters: [{ field: 'id', op: 'some given', fields: ['failing_since', 'disabled_reason'] }], limit: MAX_ROWS },
      ['id'],
    )
    return found.map(({ id }) => id)
  },
}

export const keysUnused: Check = {
  record: apiKey,
  name: 'keys_unused',
  level: 'look',
  summary: 'keys were not used for a year',
  mend: { method: 'DELETE', path: '/v5/api_keys/{id}' },
  async find({ store, now }) {
    const before = later(now, -YEAR_MS)
    const keys = await store.list(apiKey, { filters: [{ field: 'revoked_at', op: 'null' }], limit: MAX_ROWS }, [
      'id',
      'expires_at',
      'last_used_at',
      'created_at',
    ])
    return keys.flatMap(({ id, expires_at, last_used_at, created_at }) =>
      (last_used_at ?? created_at) < before && (expires_at === null || expires_at > now) ? [id] : [],
    )
  },
}
