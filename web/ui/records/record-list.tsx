import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Field, RecordType, Shown } from '../../../src/fields/index.ts'
import type { Query } from '../../client/index.ts'
import { Icon, Keys } from '../icon.tsx'
import { Badge } from '../marks.tsx'
import { type Column, Table } from '../table.tsx'
import { Empty } from '../told.tsx'
import { t } from '../words.ts'
import { useRecords } from './context.tsx'
import { FilterChip } from './filter-chip.tsx'
import { labelOf } from './labels.ts'
import { type Id, type NameOf, useNames } from './names.ts'
import { usePaged } from './paged.ts'
import { useSelection } from './selection.ts'
import { SelectionBar, type SelectionProps } from './selection-bar.tsx'
import { ImportCsv, SaveCsv } from './tables.tsx'
import { idsIn, Value } from './value.tsx'

/** What of a list stands in its address: what is looked for, the order, filters by the API's own names. */
export type ListSearch = { [parameter: string]: string | undefined }

export interface ListProps<R extends RecordType> {
  record: R
  title: string
  /** Fields by their names, or columns of the screen's own. */
  columns: (string | Column<Shown<R>>)[]
  /** Fields that the list is narrowed by. */
  filters?: string[]
  /** Always asked for, beside what stands in the address. */
  query?: Query
  search: ListSearch
  onSearch: (change: ListSearch) => void
  searchHint: string
  /** The link of a row, around its name. */
  link: (row: Shown<R>, name: ReactNode) => ReactNode
  isOpen?: (row: Shown<R>) => boolean
  /** Buttons at the end of the first bar. */
  actions?: ReactNode
  /** Beside the title. */
  beside?: ReactNode
  /** Shown where there is nothing at all. */
  empty: ReactNode
  rowHeight?: number
  /** The order without another in the address; that of the title otherwise. */
  sort?: string
  /** Before the filters in the second bar. */
  under?: ReactNode
  /** The parameter that `under` chooses, and `query` follows. */
  underName?: string
  /** Fields that can be set, or added to, in several rows at once. */
  bulk?: string[]
  /** What else can be done with several rows. */
  bulkActs?: SelectionProps<R>['acts']
}

/** A list of records: what is looked for, filters, order, and rows, all in the address. */
export function RecordList<R extends RecordType>(props: ListProps<R>) {
  const { record, title, columns, filters = [], query, search, onSearch, link, isOpen, actions, beside, empty } = props
  const { formats, mayChange, mayImport } = useRecords()
  const order = search.sort ?? props.sort ?? record.title
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const onRange = useCallback((first: number, last: number) => setRange([first, last]), [])
  const narrowed = filters.filter((name) => search[name] !== undefined)
  const asked: Query = {
    ...query,
    ...Object.fromEntries(narrowed.map((name) => [name, search[name]])),
    ...(search.search && { search: search.search }),
    sort: order,
  }
  const { total, rows, rowAt, error } = usePaged(record, asked, range)
  if (error) throw error
  const { rows: selectedRows, selection, clear } = useSelection({ record, query: asked, total, rowAt })
  const maySelect = props.bulk !== undefined && mayChange(record)
  const nameOf = useNames(idsOf(record, columns, rows))
  const chosen = ['search', props.underName ?? '', ...filters].filter((name) => search[name] !== undefined)
  const nothing = total === 0 && chosen.length === 0
  return (
    <>
      <header className="bar">
        <h1 className="title">{title}</h1>
        {total !== null && <Badge count={formats.number(total)} />}
        {beside}
        <span className="push" />
        <SearchBox
          value={search.search ?? ''}
          hint={props.searchHint}
          onChange={(text) => onSearch({ search: text || undefined })}
        />
        <SaveCsv record={record} query={asked} />
        {mayImport && mayChange(record) && !record.without?.includes('create') && <ImportCsv record={record} />}
        {actions}
      </header>
      {(filters.length > 0 || props.under) && (
        <div className="bar two">
          {props.under}
          {props.under && <span className="push" />}
          {filters.map((name) => (
            <FilterChip
              key={name}
              field={record.fields[name] as Field<unknown>}
              label={labelOf(`${record.name}.${name}`)}
              value={search[name]}
              onChange={(value) => onSearch({ [name]: value })}
            />
          ))}
        </div>
      )}
      {nothing ? (
        <div className="blank">{empty}</div>
      ) : total === 0 ? (
        <div className="blank">
          <Empty
            title={t('Nothing fits')}
            actions={
              <button
                type="button"
                className="btn"
                onClick={() => onSearch(Object.fromEntries(chosen.map((name) => [name, undefined])))}
              >
                {t('Show all')}
              </button>
            }
          >
            {t('No entry fits what is looked for and the filters.')}
          </Empty>
        </div>
      ) : (
        <Table
          label={title}
          columns={columns.map((column) =>
            typeof column === 'string' ? columnOf(record, column, nameOf, link) : column,
          )}
          total={total ?? 20}
          rowAt={rowAt}
          onRange={onRange}
          sort={order}
          onSort={(sort) => onSearch({ sort: sort === (props.sort ?? record.title) ? undefined : sort })}
          {...(isOpen && { isOpen })}
          {...(maySelect && { selection })}
          {...(props.rowHeight && { rowHeight: props.rowHeight })}
        />
      )}
      {maySelect && (
        <SelectionBar
          record={record}
          rows={selectedRows}
          fields={props.bulk ?? []}
          acts={props.bulkActs}
          clear={clear}
        />
      )}
    </>
  )
}

/** Types that the API sorts by. */
const sortable = ['text', 'email', 'choice', 'flag', 'integer', 'decimal', 'instant']

function columnOf<R extends RecordType>(
  record: R,
  name: string,
  nameOf: NameOf,
  link: ListProps<R>['link'],
): Column<Shown<R>> {
  const field = record.fields[name] as Field<unknown>
  const isTitle = name === record.title
  return {
    id: name,
    head: labelOf(`${record.name}.${name}`),
    ...(field.kind === 'integer' && { numeric: true }),
    ...(sortable.includes(field.kind) && { sort: name }),
    cell: (row) => {
      const value = (row as { [name: string]: unknown })[name]
      if (isTitle) return link(row, <span dir="auto">{String(value)}</span>)
      return (
        <span className="two-ink">
          <Value field={field} path={`${record.name}.${name}`} value={value} nameOf={nameOf} />
        </span>
      )
    },
  }
}

/** The ids in the columns of these rows, by the record that they lead to. */
function idsOf<R extends RecordType>(record: R, columns: ListProps<R>['columns'], rows: Shown<R>[]) {
  const ids: { [target: string]: Id[] } = {}
  for (const column of columns) {
    const field = typeof column === 'string' ? record.fields[column] : undefined
    if (!field?.target) continue
    ids[field.target] ??= []
    for (const row of rows as { [name: string]: unknown }[]) {
      const value = row[column as string]
      if (Array.isArray(value)) ids[field.target]?.push(...idsIn(value))
      else if (value !== null && value !== undefined) ids[field.target]?.push(value as Id)
    }
  }
  return ids
}

const waitMs = 150

/** What is looked for goes into the address when the typing pauses. `/` leads here. */
export function SearchBox({
  value,
  hint,
  onChange,
}: {
  value: string
  hint: string
  onChange: (text: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  // The address changed by itself: back, or a link.
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), waitMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || (event.target as Element).closest('input, textarea, select, [contenteditable]')) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <search className="input search">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        aria-label={hint}
        placeholder={hint}
        dir="auto"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Keys>/</Keys>
    </search>
  )
}
