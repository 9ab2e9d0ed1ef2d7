import { isUuid, type RecordType } from '#fields'
import type { WireNames } from '#formats/format'
import type { DescribedRoute } from '#formats/openapi/route'
import type { ApiRequest } from './request.ts'
import type { ApiResponse } from './response.ts'

/** What a route does; the verbs of records are in `verbs.ts`, the others in files of their own. */
export type Handler = (request: ApiRequest) => Promise<ApiResponse>

/** A row of the table: what the reference says of it, and what is done. */
export interface Route extends DescribedRoute {
  methods: { [method: string]: Handler }
  /** Workers may use its methods on what is their own, though they may not write the whole record. */
  workerAllowed?: true
  /** Whatever the method, it only reads: a POST asks for more than an address can hold. */
  readOnly?: true
  /** It does more than write through the one door, so no batch may hold it. */
  alone?: true
  /** Also for those who have yet to set up the second factor that their account requires. */
  withoutSecondFactor?: true
  /** Only for people who signed in; what a key is told. */
  userOnly?: string
  /** Largest body in bytes, where it isn't that of the settings. */
  maxBodyBytes?: number
}

export interface Match {
  route: Route
  parameters: { [name: string]: string }
}

/** The routes that follow from the descriptions. */
export function routesOf(
  records: RecordType[],
  verbs: { [verb in 'list' | 'create' | 'show' | 'update' | 'remove']: Handler },
): Route[] {
  return records.flatMap((record) => {
    if (record.path === null) return []
    const has = (verb: 'create' | 'update' | 'delete') => !record.without?.includes(verb)
    const under = (path: string, wireNames: WireNames, alias?: RecordType['alias']): Route[] => [
      {
        path,
        record,
        wireNames,
        ...(alias && { alias }),
        methods: { GET: verbs.list, ...(has('create') && { POST: verbs.create }) },
      },
      {
        path: `${path}/{id}`,
        record,
        wireNames,
        ...(alias && { alias }),
        methods: {
          GET: verbs.show,
          ...(has('update') && { PUT: verbs.update, PATCH: verbs.update }),
          ...(has('delete') && { DELETE: verbs.remove }),
        },
      },
    ]
    const { alias } = record
    return [...under(record.path, record), ...(alias ? under(alias.path, alias, alias) : [])]
  })
}

/** Finds the route of an address; null when there is none. */
export function matcher(routes: Route[]): (segments: string[], extension: string | null) => Match | null {
  const table = new Map<string, { route: Route; pattern: string[] }[]>()
  for (const route of routes) {
    const pattern = route.path.split('/').slice(1)
    const key = keyOf(pattern)
    table.set(key, [...(table.get(key) ?? []), { route, pattern }])
  }
  return (segments, extension) => {
    for (const { route, pattern } of table.get(keyOf(segments)) ?? []) {
      if (route.extension !== undefined && route.extension !== extension) continue
      const parameters: Match['parameters'] = {}
      const fits = pattern.every((part, i) => {
        const segment = segments[i] ?? ''
        if (!part.startsWith('{')) return part === segment
        parameters[part.slice(1, -1)] = segment
        return true
      })
      if (fits) return { route, parameters }
    }
    return null
  }
}

/** Every address begins with a word of its own, and has a number of segments. */
const keyOf = (segments: string[]) => `${segments.length} ${segments[0]}`

/** The id that a segment is for a record; null for what no record can have. */
export function idOf(record: RecordType, segment: string): number | string | null {
  if (record.fields.id?.column === 'uuid') return isUuid(segment) ? segment.toLowerCase() : null
  const id = /^\d{1,16}$/.test(segment) ? Number(segment) : 0
  return id > 0 && Number.isSafeInteger(id) ? id : null
}
