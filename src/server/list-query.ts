import { Bad, type Fault, type Field, faultAt, type Raw, type RecordType, text, Wrong, wrong } from '#fields'
import type { Paging } from '#formats/format'
import { invalid } from '#problem'
import type { Filter, ListQuery } from '#store/select'
import { always, faultOf, pages, type Whole } from './numbers.ts'
import { last } from './target.ts'

export interface Page extends ListQuery {
  page: number
}

/** What a list says of itself. */
export const pagingOf = ({ page, limit }: Page, total: number): Paging => ({
  current_page: page,
  per_page: limit,
  total_pages: Math.ceil(total / limit),
  total_entries: total,
})

/** Each is a condition of the statement, which a database takes only so many of. */
const MOST_TERMS = 100

/** Parameters that say something else than a field's value. */
const own = [...always, 'page', 'per_page', 'sort', 'search', 'after_id', 'updated_since', 'created_since']

/**
 * What the query of a list asks for. Never a silently different list: what is unknown or of the wrong type is a fault.
 * @throws Problem invalid (422)
 */
export function parseListQuery(record: RecordType, query: URLSearchParams): Page {
  const faults: Fault[] = []
  const filters: Filter[] = []
  const words: string[] = []

  const perPage = whole('per_page', pages.per_page)
  const page = whole('page', { ...pages.page, most: Math.floor(Number.MAX_SAFE_INTEGER / pages.per_page.most) })
  for (const name of new Set(query.keys())) {
    const value = last(query, name) ?? ''
    if (name === 'ids[]')
      attempt(name, () =>
        filters.push({ field: 'id', op: 'in', value: query.getAll(name).map((id) => parsed('id', id)) }),
      )
    else if (!own.includes(name)) attempt(name, () => filters.push(...filter(name, value)))
  }
  since('updated_since', 'updated_at')
  since('created_since', 'created_at')
  const terms = query.get('search')?.split(',') ?? []
  if (terms.length > MOST_TERMS) attempt('search', tooMany)
  else for (const term of terms) search(term.trim())
  const sort = order()
  const after = afterId(sort)

  if (faults.length > 0) throw invalid(faults)
  return { filters, words, sort, after, page, limit: perPage, offset: after === null ? (page - 1) * perPage : 0 }

  function tooMany() {
    throw new Wrong('too_many', `has too many terms (maximum is ${MOST_TERMS})`)
  }

  function attempt(name: string, work: () => void) {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      faults.push(faultAt(name, error))
    }
  }

  function whole(name: string, number: Whole): number {
    const text = last(query, name)
    if (!text) return number.default
    attempt(name, () => {
      const problem = faultOf(text, number)
      if (problem) throw problem
    })
    return Number(text)
  }

  function field(name: string): Field<unknown> {
    const found = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined
    if (!found || found.internal || found.writeOnly || (found.shape !== 'leaf' && !found.through))
      throw new Wrong('unknown', `is not a field of ${record.plural}`)
    return found
  }

  function parsed(name: string, value: Raw): unknown {
    if (value instanceof Bad) throw wrong.invalid()
    return field(name).parse(value, { path: name, faults })
  }

  function filter(name: string, value: string): Filter[] {
    const own = Object.hasOwn(record.filters ?? {}, name) ? record.filters?.[name] : undefined
    if (own) return special(own.fields, own.op, value)
    const of = field(name)
    if (of.kind === 'ids') return [{ field: name, op: 'has', value: parsed(name, value) }]
    if (of.shape !== 'leaf') throw new Wrong('unknown', `is not a field of ${record.plural} to search by`)
    if (value === '') return [{ field: name, op: 'null' }]
    const typed = parsed(name, value)
    if (of.column !== 'instant') return [{ field: name, op: '=', value: of.save(typed as never) }]
    // Instants are shown in whole seconds, so the second is what was meant.
    const second = `${String(typed).slice(0, 19)}.000Z`
    return [
      { field: name, op: '>=', value: second },
      { field: name, op: '<', value: new Date(Date.parse(second) + 1000).toISOString() },
    ]
  }

  /** Of several fields, the first that the value fits. */
  function special(names: string[], op: '=' | '>=' | '<', value: string): Filter[] {
    for (const [i, name] of names.entries()) {
      const of = record.fields[name] as Field<unknown>
      try {
        return [{ field: name, op, value: of.save(of.parse(value, { path: name, faults }) as never) }]
      } catch (error) {
        if (i === names.length - 1) throw error
      }
    }
    return []
  }

  function since(parameter: string, name: string) {
    const value = query.getAll(parameter).at(-1)
    if (value !== undefined && value !== '')
      attempt(parameter, () =>
        filters.push({ field: name, op: '>=', value: sinceField(name).parse(value, { path: parameter, faults }) }),
      )
  }

  function sinceField(name: string): Field<unknown> {
    return record.fields[name] as Field<unknown>
  }

  /** `@field:value` (or `=`) must hold; anything else is looked for in the text fields. */
  function search(term: string) {
    if (term === '') return
    const named = /^@([A-Za-z0-9_-]+)\s*[:=](.*)$/s.exec(term)
    if (named)
      attempt(named[1] ?? '', () =>
        filters.push(...filter((named[1] ?? '').replaceAll('-', '_'), (named[2] ?? '').trim())),
      )
    else attempt('search', () => void words.push(String(text().parse(term, { path: 'search', faults }))))
  }

  function order(): ListQuery['sort'] {
    const text = query.getAll('sort').at(-1)
    if (!text) return null
    const name = text.replace(/^[-+ ]/, '')
    attempt('sort', () => {
      if (field(name).shape !== 'leaf' || field(name).kind === 'ids') throw wrong.notInList()
    })
    return { field: name, down: text.startsWith('-') }
  }

  function afterId(sorted: ListQuery['sort']): ListQuery['after'] {
    const text = query.getAll('after_id').at(-1)
    if (text === undefined) return null
    attempt('after_id', () => {
      if (sorted && (sorted.field !== 'id' || sorted.down))
        throw new Wrong('invalid', 'goes with the order of ids only')
      // Zero begins a walk.
      if (text !== '0') parsed('id', text)
    })
    if (text === '0') return record.fields.id?.column === 'uuid' ? '00000000-0000-0000-0000-000000000000' : 0
    return record.fields.id?.column === 'uuid' ? text : Number(text)
  }
}
