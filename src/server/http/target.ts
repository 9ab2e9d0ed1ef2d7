import { plainBoolean } from '#fields/flag'
import { invalid, Problem } from '#problem'

/** The trees that answer alike: old clients of this family know the service under all of them. (docs/contract.md#addresses) */
const trees = new Set(['v5', 'api/v5', 'v4', 'api/v4', '2.0', 'api/2.0'])

/** What the raw target of a request says. */
export interface Target {
  /** Segments under the tree, decoded; the extension is cut off the last. Null when no tree is named. */
  segments: string[] | null
  extension: string | null
  query: URLSearchParams
}

/**
 * Splits a raw target. By hand, since `new URL('//v5//tags', base)` takes `v5` for a host. Doubled and trailing
 * slashes are tolerated.
 * @throws Problem malformed (400) for a percent sign that encodes nothing
 */
export function parseTarget(raw: string): Target {
  const mark = raw.indexOf('?')
  let path = mark < 0 ? raw : raw.slice(0, mark)
  // A proxy's form, and what belongs to the browser.
  if (!path.startsWith('/')) path = path.replace(/^https?:\/\/[^/]*/i, '')
  path = path.split('#', 1)[0] ?? ''
  const query = new URLSearchParams(mark < 0 ? '' : raw.slice(mark + 1))
  const all = path.split('/').filter((segment) => segment !== '')
  const under = trees.has(all[0] ?? '') ? 1 : trees.has(`${all[0]}/${all[1]}`) ? 2 : 0
  if (under === 0) return { segments: null, extension: null, query }

  const segments = all.slice(under)
  const last = segments.at(-1) ?? ''
  const dot = last.lastIndexOf('.')
  // An id of the caller's own may hold dots; only the formats' extensions are cut off it.
  const own = plainBoolean(query.get('use_third_party_id') ?? '') === true && !/\.(xml|json)$/.test(last)
  const extension = dot > 0 && !own ? last.slice(dot + 1) : null
  if (extension !== null) segments[segments.length - 1] = last.slice(0, dot)
  try {
    return { segments: segments.map(decodeURIComponent), extension, query }
  } catch (error) {
    throw new Problem('malformed', 'The address is not well-formed', { cause: error })
  }
}

/**
 * Whether a switch among the parameters is on. What says neither is no reason to do the other thing.
 * @throws Problem invalid (422)
 */
export function readFlag(
  query: URLSearchParams,
  name: 'dry_run' | 'use_third_party_id' | 'upsert' | 'mine' | 'strict',
): boolean {
  const said = lastValue(query, name)
  const on = said === null ? false : plainBoolean(said)
  if (on === null) throw invalid([{ field: name, code: 'invalid', message: 'must be true or false' }])
  return on
}

/** The last value of a parameter, as old servers have it. */
export const lastValue = (query: URLSearchParams, name: string): string | null => query.getAll(name).at(-1) ?? null
