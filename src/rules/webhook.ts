import { randomBytes } from 'node:crypto'
import { Wrong } from '#fields'
import type { Rule, Writing } from './rule.ts'

/** Bytes of a secret; Standard Webhooks ask for 24 to 64. */
const SECRET_BYTES = 32

export const webhook: Rule = {
  prepare(_, { row, before }) {
    if (!before) row.secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    if (row.enabled && !before?.enabled) Object.assign(row, { failing_since: null, disabled_reason: null })
  },

  check(writing, { row, fault }) {
    row?.events.forEach((pattern: string, i: number) => {
      if (!isPattern(writing, pattern))
        fault(`events[${i}]`, new Wrong('inclusion', 'is not included in the list'), 'Say job.update, job.* or *')
    })
  },

  /** It is told of what comes after it was switched on. */
  async after({ tx, record }, { row, before }) {
    if (row?.enabled && !before?.enabled)
      await tx.update(record('webhook'), row, { cursor: await tx.journal.horizon() })
  },
}

function isPattern({ record }: Writing, pattern: string): boolean {
  if (pattern === '*') return true
  const [, name, action] = /^(\w+)\.(\*|create|update|delete|restore)$/.exec(pattern) ?? []
  if (!name || !action) return false
  try {
    return record(name).allow.read !== 'nobody'
  } catch {
    return false
  }
}

/** Whether a webhook that names these patterns is told of such an event. */
export function tells(patterns: string[], record: string, action: string): boolean {
  return patterns.length === 0 || ['*', `${record}.*`, `${record}.${action}`].some((one) => patterns.includes(one))
}
