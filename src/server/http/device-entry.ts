import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from '#call'
import { type FieldError, fieldError, isUuid, validationError } from '#fields'
import { plainInstant } from '#fields/instant'
import { invalid } from '#problem'
import { headerValue } from './header-value.ts'

/**
 * The call as an entry of a device's outbox: `Muster-Device` says which device it comes from, `Muster-Made-At` when the act
 * was done there. Nothing has been done yet that lies ahead: then it was now.
 * @throws Problem invalid (422) for what is no UUID, or no instant
 */
export function asDeviceEntry(call: Call, headers: IncomingHttpHeaders): Call {
  const device = headerValue(headers['muster-device'])?.trim().toLowerCase()
  const said = headerValue(headers['muster-made-at'])
  if (!device && !said) return call
  const errors: FieldError[] = []
  const at = said ? plainInstant(said) : null
  if (device && !isUuid(device))
    errors.push(fieldError('device', validationError.invalid('Say the UUID of the device')))
  if (said && at === null)
    errors.push(fieldError('made_at', validationError.invalid('Say an instant such as 2026-11-20T09:15:00.120Z')))
  if (errors.length > 0) throw invalid(errors)
  return { ...call, ...(device && { device }), ...(at && { madeAt: at < call.now ? at : call.now }) }
}
