import './reports.css'
import { Link, notFound, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Field } from '../../../src/fields/kind.ts'
import { job } from '../../../src/records/job.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { FilterChip } from '../../ui/records/filter-chip.tsx'
import { labelOf } from '../../ui/records/labels.ts'
import { useMenu } from '../../ui/use-menu.tsx'
import { t } from '../../ui/words.ts'
import { useListSearch } from '../list-search.ts'
import { useSession } from '../session.ts'
import { type Shape, shapes } from './columns.ts'
import { Overview } from './overview.tsx'
import { instantsOf, lengthOf, type Preset, presets, todayIn } from './period.ts'
import { bys, type Period } from './report.ts'
import { ReportTable } from './report-table.tsx'

/** By which of the fields of jobs their reports can be narrowed. */
const filterFields = ['group_ids', 'worker_id', 'template_id', 'customer_id']
/** As long a period as the server tells. */
const maxDays = 366

/** What work comes to in a period: a first page that says it in one look, and a table for each report. The address holds all. */
export function Screen() {
  const [search, onSearch] = useListSearch()
  const { permissions } = useSession()
  const { zone } = useRecords()
  const shown = shapes.filter(({ permission }) => !permission || permissions[permission] !== 'none')
  const { name } = useParams({ strict: false })
  const shape = shown.find((one) => one.name === name) ?? null
  if (name && !shape) throw notFound()
  const usual = presets.find(({ id }) => id === (shape?.preset ?? 'week')) as Preset
  const period = periodOf(search) ?? usual.of(todayIn(zone))
  const narrowed = shape && !shape.ofJobs ? [] : filterFields.filter((name) => search[name] !== undefined)
  const filters = Object.fromEntries(narrowed.map((name) => [name, search[name] ?? '']))
  const question = { ...filters, ...instantsOf(period, zone), by: shape?.by.find((by) => by === search.by) }
  // The days and the filters go along.
  const kept = { search: (now: object) => ({ ...now, by: undefined, sort: undefined }), activeOptions }
  const link = (report: string, title: ReactNode) => (
    <Link key={report} to="/reports/$name" params={{ name: report }} {...kept}>
      {title}
    </Link>
  )
  return (
    <main className="main of-reports" id="main">
      <header className="bar">
        <h1 className="title">{t('Reports')}</h1>
        <nav className="tabs" aria-label={t('Reports')}>
          <Link to="/reports" {...kept}>
            {t('How the work goes')}
          </Link>
          {shown.map((one) => link(one.name, t(one.title)))}
        </nav>
        <span className="push" />
        {shape && <Csv shape={shape} query={{ ...question, by: question.by ?? shape.by[0] }} />}
        <Button kind="quiet" icon="print" aria-label={t('Print')} onClick={() => print()} />
      </header>
      <div className="bar two">
        <PeriodChip period={period} onChange={(next) => onSearch({ ...next })} />
        {shape && shape.by.length > 1 && (
          <ByChip shape={shape} by={question.by ?? shape.by[0]} onChange={(by) => onSearch({ by, sort: undefined })} />
        )}
        {(!shape || shape.ofJobs) &&
          filterFields.map((name) => (
            <FilterChip
              key={name}
              field={job.fields[name as keyof typeof job.fields] as Field<unknown>}
              label={labelOf(`job.${name}`)}
              value={search[name]}
              onChange={(value) => onSearch({ [name]: value })}
            />
          ))}
      </div>
      {lengthOf(period) > maxDays || lengthOf(period) < 1 ? (
        <p className="blank dim" role="alert">
          {t('A report is of one to {days} days.', { days: maxDays })}
        </p>
      ) : shape ? (
        <ReportTable
          key={shape.name}
          shape={shape}
          question={question}
          sort={search.sort}
          onSort={(sort) => onSearch({ sort })}
        />
      ) : (
        <Overview period={period} filters={filters} link={link} />
      )}
    </main>
  )
}

const activeOptions = { exact: true, includeSearch: false }
const dayForm = /^\d{4}-\d\d-\d\d$/

/** The days in the address; null where it says none, or no days. */
function periodOf({ from = '', to = '' }: { [name: string]: string | undefined }): Period | null {
  const isDay = (day: string) => dayForm.test(day) && !Number.isNaN(Date.parse(day))
  return isDay(from) && isDay(to) ? { from, to } : null
}

/** The days, by name or one by one. */
function PeriodChip({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const { zone } = useRecords()
  const today = todayIn(zone)
  const is = ({ of }: Preset) => of(today).from === period.from && of(today).to === period.to
  const chosen = presets.find(is)
  const menu = useMenu(
    t('Days'),
    presets.map((preset) => ({
      id: preset.id,
      label: t(preset.label),
      ...(is(preset) && { icon: 'check' as const }),
      run: () => onChange(preset.of(today)),
    })),
  )
  return (
    <>
      <button type="button" className="chip" {...menu.trigger}>
        {t('Days')} <b>{chosen ? t(chosen.label) : t('Chosen')}</b>
        <Icon name="down" />
      </button>
      {menu.popover}
      <Day label={t('First day')} value={period.from} onChange={(from) => onChange({ ...period, from })} />
      <span aria-hidden="true">–</span>
      <Day label={t('Last day')} value={period.to} onChange={(to) => onChange({ ...period, to })} />
    </>
  )
}

/** A day; what is typed counts once it is one. */
function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <span className="input day">
      <input
        type="date"
        aria-label={label}
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value)
          if (dayForm.test(target.value)) onChange(target.value)
        }}
        onBlur={() => setTyped(null)}
      />
    </span>
  )
}

function ByChip({
  shape,
  by,
  onChange,
}: {
  shape: Shape
  by: Shape['by'][number] | undefined
  onChange: (by: string) => void
}) {
  const menu = useMenu(
    t('Rows by'),
    shape.by.map((one) => ({
      id: one,
      label: t(bys[one]),
      ...(one === by && { icon: 'check' as const }),
      run: () => onChange(one),
    })),
  )
  return (
    <>
      <button type="button" className="chip" {...menu.trigger}>
        {t('Rows by')} <b>{by && t(bys[by])}</b>
        <Icon name="down" />
      </button>
      {menu.popover}
    </>
  )
}

/** The server's own table of the same question. */
function Csv({ shape: { name }, query }: { shape: Shape; query: { [name: string]: unknown } }) {
  const said = Object.entries(query).filter(([, value]) => value !== undefined)
  const parameters = new URLSearchParams(said.map(([key, value]) => [key, String(value)]))
  const href = new URL(`v5/reports/${name}.csv?${parameters}`, document.baseURI).href
  return (
    <a className="btn" href={href} download>
      <Icon name="download" />
      <span>CSV</span>
    </a>
  )
}
