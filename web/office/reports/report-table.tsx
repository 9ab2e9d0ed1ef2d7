import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRecords } from '../../ui/records/context.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Empty } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { useOpens } from '../tabs.ts'
import { type Figure, figureText, type Shape } from './columns.ts'
import { nameOf } from './names.ts'
import { type By, bys, type Question, type Row, useReport } from './report.ts'

interface Props {
  shape: Shape
  question: Question
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/** A report as a table: what its rows are about leads to it, a click on a head sorts. */
export function ReportTable({ shape, question, sort, onSort }: Props) {
  const { formats, locale } = useRecords()
  const opens = useOpens()
  const answer = useReport(shape.name, question)
  const by = answer?.by ?? shape.by[0] ?? 'day'
  const rows = sorted(answer?.rows ?? [], shape.figures, sort, locale)
  if (answer && rows.length === 0)
    return (
      <div className="blank">
        <Empty title={t('Nothing was found in this time')}>{t('Choose other days, or take a filter away.')}</Empty>
      </div>
    )
  const columns: Column<Row>[] = [
    {
      id: 'name',
      head: t(bys[by]),
      sort: 'name',
      cell: (row) => linkTo(row, by, <span dir="auto">{nameOf(row, by, locale)}</span>, opens),
    },
    ...shape.figures.map(
      (figure): Column<Row> => ({
        id: figure.id,
        head: t(figure.head),
        sort: figure.id,
        ...(figure.form === 'text' ? {} : { numeric: true, width: 112 }),
        cell: (row) => {
          const value = figure.value(row)
          const text = figureText(value, figure.form, formats)
          return figure.warns && Number(value) > 0 ? <b className="risk">{text}</b> : <span dir="auto">{text}</span>
        },
      }),
    ),
  ]
  return (
    <>
      <Table
        label={t(shape.title)}
        columns={columns}
        total={answer ? rows.length : 12}
        rowAt={(index) => rows[index]}
        sort={sort ?? ''}
        onSort={(next) => onSort(next || undefined)}
      />
      {answer?.more && (
        <p className="foot">{t('There are more rows than are shown here; the first 10,000 are told.')}</p>
      )}
    </>
  )
}

function sorted(rows: Row[], figures: Figure[], sort: string | undefined, locale: string): Row[] {
  if (!sort) return rows
  const down = sort.startsWith('-')
  const figure = figures.find(({ id }) => id === sort.replace('-', ''))
  const value = (row: Row) => (figure ? figure.value(row) : row.name)
  const { compare } = new Intl.Collator(locale, { numeric: true })
  return rows.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)]
    // What is not known stands at the end, either way.
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const order =
      typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other))
    return down ? -order : order
  })
}

/** To the page of what a row is about, where there is one that they may open. */
function linkTo(row: Row, by: By, name: ReactNode, opens: (tab: string) => boolean): ReactNode {
  const id = by === 'thread' ? row.thread_id : row.id
  if (id === null || id === undefined) return name
  if (by === 'customer' && opens('customers'))
    return (
      <Link to="/customers/$id" params={{ id: String(id) }}>
        {name}
      </Link>
    )
  const [tab = '', to = '', parameter = 'open'] = pages[by] ?? []
  if (!opens(tab)) return name
  return (
    <Link to={to as string} search={{ [parameter]: String(id) } as object}>
      {name}
    </Link>
  )
}

/** The tab and the address of lists that open one of their rows. */
const pages: { [by in By]?: [tab: string, to: string, parameter?: string] } = {
  worker: ['admin', '/admin/people'],
  tag: ['admin', '/admin/people'],
  group: ['admin', '/admin/groups'],
  equipment: ['equipment', '/equipment'],
  thread: ['messages', '/messages', 'thread'],
}
