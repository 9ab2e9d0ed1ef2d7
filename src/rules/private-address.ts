import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Of IPv6, what is routed over the open internet lies in here; the special ranges inside of it `ipaddr.js` knows. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Protocol assignments, of which it knows some. (RFC 2928) */
const assignments = ipaddr.IPv6.parseCIDR('2001::/23')

/** Whether an address isn't reached over the open internet; an IPv4 address that is written as one of IPv6 is not, either. */
export function isPrivate(text: string): boolean {
  // With a zone, it is of this link.
  if (text.includes('%')) return true
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return true
  return address instanceof ipaddr.IPv6 && (!address.match(globalUnicast) || address.match(assignments))
}

/** Whether a host is, without asking anybody, known to lead inside: an address of there, or a name of this machine. */
export function leadsInside(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  return isIP(name) ? isPrivate(name) : /(?:^|\.)localhost\.?$/i.test(name)
}
