import { randomBytes } from 'node:crypto'
import { ValidationError } from '#fields'
import { webhook } from '#records/webhook'
import { isType } from './event-types.ts'
import { leadsInside } from './private-address.ts'
import type { MutationContext, Rule } from './rule.ts'

const EVENTS = 'Say job.update, job.*, * or what a change means: job.published'
const REACHABLE = 'Name an address of the open internet, or let the operator set MUSTER_WEBHOOK_PRIVATE'

/** Bytes of a secret; Standard Webhooks ask for 24 to 64. */
const SECRET_BYTES = 32

export const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export const webhookRule: Rule<typeof webhook> = {
  prepare(_, { row, before }) {
    if (!before) row.secret = newSecret()
    if (row.enabled && !before?.enabled) Object.assign(row, { failing_since: null, disabled_reason: null })
  },

  check(context, { row, before, addError }) {
    if (row?.url && row.url !== before?.url && !context.privateWebhooks && leadsInside(new URL(row.url).hostname))
      addError('url', new ValidationError('private_address', 'leads to a private address'), REACHABLE)
    row?.events.forEach((pattern: string, i: number) => {
      if (!isEventPattern(context, pattern))
        addError(`events[${i}]`, new ValidationError('inclusion', 'is not included in the list'), EVENTS)
    })
  },

  /** It is told of what comes after it was switched on. */
  async after({ tx }, { row, before }) {
    if (row?.enabled && !before?.enabled) await tx.update(webhook, row, { cursor: await tx.journal.head() })
  },
}

function isEventPattern({ record }: MutationContext, pattern: string): boolean {
  if (pattern === '*') return true
  const [, of, name] = /^([a-z_]{1,64})\.(\*|[a-z_]{1,64})$/.exec(pattern) ?? []
  if (!of || !name || !isType(of, name)) return false
  try {
    return record(of).allow.read !== 'nobody'
  } catch {
    return false
  }
}
