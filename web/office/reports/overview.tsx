import type { ReactNode } from 'react'
import { useRecords } from '../../ui/records/context.tsx'
import { Skeleton } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { figureText } from './columns.ts'
import { dayText, nameOf } from './names.ts'
import { instantsOf, lengthOf, periodBefore, todayIn } from './period.ts'
import { ShareDots, StackedBars } from './plots.tsx'
import { type Answer, type Period, percentOf, type Question, sumOf, useReport } from './report.ts'

type Filters = { [name: string]: string }
interface Props {
  period: Period
  filters: Filters
  /** The address of a report over the same days, with the same filters. */
  link: (report: string, name: ReactNode) => ReactNode
}

/** How the work goes, in one look: today, and the days that are chosen beside as many before. */
export function Overview({ period, filters, link }: Props) {
  const { zone, locale } = useRecords()
  const today = todayIn(zone)
  const question = (of: Period, by?: string): Question => ({ ...filters, ...instantsOf(of, zone), by })
  const isToday = period.from === today && period.to === today
  return (
    <div className="scroll">
      <div className="reports">
        {!isToday && <Figures title={t('Today')} question={question({ from: today, to: today })} />}
        <Figures title={daysText(period, locale)} question={question(period)} before={question(periodBefore(period))} />
        <section className="box wide" aria-labelledby="report-days">
          <h2 id="report-days">
            {link('jobs', t('Jobs'))}
            <span className="key">
              <i className="done" /> {t('Completed')}
              <i className="open" /> {t('Not completed')}
              <i className="canceled" /> {t('Cancelled')}
            </span>
          </h2>
          <Days question={question(period, lengthOf(period) > 92 ? 'month' : lengthOf(period) > 31 ? 'week' : 'day')} />
        </section>
        <section className="box" aria-labelledby="report-teams">
          <h2 id="report-teams">
            {link('punctuality', t('On time'))}
            <span className="dim sm">{t('by team; hollow before, solid now')}</span>
          </h2>
          <Teams now={question(period, 'group')} before={question(periodBefore(period), 'group')} />
        </section>
        <section className="box all" aria-labelledby="report-kinds">
          <h2 id="report-kinds">
            {link('durations', t('Kinds of jobs'))}
            <span className="dim sm">{t('planned against what it took')}</span>
          </h2>
          <Kinds question={question(period, 'template')} />
        </section>
      </div>
    </div>
  )
}

const daysText = ({ from, to }: Period, locale: string): string => {
  const said = { day: 'numeric', month: 'short' } as const
  return from === to ? dayText(from, locale, said) : `${dayText(from, locale, said)} – ${dayText(to, locale, said)}`
}

/** Six figures, and what they were in as many days before. */
function Figures({ title, question, before }: { title: string; question: Question; before?: Question }) {
  const { formats, locale } = useRecords()
  const now = useFigures(question)
  // Without a period to compare with, the same is asked, and remembered.
  const then = useFigures(before ?? question)
  return (
    <section className="box figures" aria-label={title}>
      <h2>{title}</h2>
      <dl>
        {now.map(({ id, label, value, form, better }, i) => {
          const was = before && then[i]?.value
          const difference = typeof was === 'number' && typeof value === 'number' ? value - was : null
          const isGood = difference && better ? Math.sign(difference) === (better === 'more' ? 1 : -1) : null
          return (
            <div key={id}>
              <dt>{label}</dt>
              <dd>
                {value === undefined ? <Skeleton width={48} height={20} /> : figureText(value, form, formats)}
                {typeof was === 'number' && (
                  <small className={isGood === null ? '' : isGood ? 'good' : 'risk'}>
                    {t('{change} from {before}', {
                      change: changeText(difference ?? 0, locale),
                      before: figureText(was, form, formats),
                    })}
                  </small>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

const changeText = (difference: number, locale: string): string =>
  new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(difference)

interface FigureNow {
  id: string
  label: string
  /** Undefined while it is on its way, null of nothing. */
  value: number | null | undefined
  form: 'number' | 'percent'
  better?: 'more' | 'less'
}

function useFigures(question: Question): FigureNow[] {
  const jobs = useReport('jobs', { ...question, by: 'month' })
  const times = useReport('punctuality', { ...question, by: 'month' })
  const hours = useReport('utilisation', { ...question, by: 'worker' })
  const sum = (answer: Answer | undefined, column: string) => answer && sumOf(answer, column)
  const share = (answer: Answer | undefined, part: string, whole: string) =>
    answer && percentOf(sumOf(answer, part), sumOf(answer, whole))
  return [
    { id: 'jobs', label: t('Jobs'), value: sum(jobs, 'jobs'), form: 'number' },
    { id: 'completed', label: t('Completed'), value: sum(jobs, 'completed'), form: 'number', better: 'more' },
    { id: 'on-time', label: t('On time'), value: share(times, 'on_time', 'due'), form: 'percent', better: 'more' },
    { id: 'overdue', label: t('Overdue'), value: sum(times, 'overdue'), form: 'number', better: 'less' },
    {
      id: 'planned',
      label: t('Planned, of working time'),
      value: share(hours, 'planned_seconds', 'available_seconds'),
      form: 'percent',
    },
    { id: 'canceled', label: t('Cancelled'), value: sum(jobs, 'canceled'), form: 'number', better: 'less' },
  ]
}

function Days({ question }: { question: Question }) {
  const { locale } = useRecords()
  const answer = useReport('jobs', question)
  if (!answer) return <Skeleton height={200} />
  const stacks = answer.rows.map((row) => {
    const count = (name: string) => Number(row[name] ?? 0)
    const parts = {
      done: count('completed'),
      open: count('jobs') - count('completed') - count('canceled'),
      canceled: count('canceled'),
    }
    const name = nameOf(row, answer.by, locale)
    const label = answer.by === 'week' ? dayText(row.name ?? '', locale, { day: 'numeric', month: 'short' }) : name
    return {
      id: String(row.name),
      label,
      parts,
      title: t('{name}: {jobs} jobs, {completed} completed, {canceled} cancelled', {
        name,
        jobs: count('jobs'),
        completed: parts.done,
        canceled: parts.canceled,
      }),
    }
  })
  const label = t('{jobs, plural, one {# job} other {# jobs}}, of which {completed} are completed', {
    jobs: sumOf(answer, 'jobs'),
    completed: sumOf(answer, 'completed'),
  })
  return <StackedBars stacks={stacks} label={label} />
}

/** Teams that are drawn, at most: those with the most promises. */
const mostTeams = 8

function Teams({ now, before }: { now: Question; before: Question }) {
  const { locale } = useRecords()
  const [answer, earlier] = [useReport('punctuality', now), useReport('punctuality', before)]
  if (!answer || !earlier) return <Skeleton height={200} />
  const onTime = (row: Answer['rows'][number] | undefined) =>
    row ? percentOf(Number(row.on_time), Number(row.due)) : null
  const shares = answer.rows
    .filter(({ due }) => Number(due) > 0)
    .toSorted((a, b) => Number(b.due) - Number(a.due))
    .slice(0, mostTeams)
    .map((row) => ({
      id: String(row.id),
      name: nameOf(row, 'group', locale),
      now: onTime(row),
      before: onTime(earlier.rows.find(({ id }) => id === row.id)),
    }))
  if (shares.length === 0) return <p className="dim">{t('No customer was promised a time in these days.')}</p>
  return (
    <ShareDots
      shares={shares}
      label={shares.map(({ name, now: percent }) => `${name}: ${Math.round(percent ?? 0)} %`).join(', ')}
    />
  )
}

/** Kinds that are listed, at most: those of the most jobs. */
const mostKinds = 10

function Kinds({ question }: { question: Question }) {
  const { formats, locale } = useRecords()
  const answer = useReport('durations', question)
  if (!answer) return <Skeleton height={200} />
  const each = (row: Answer['rows'][number], column: string) =>
    Number(row.finished) > 0 ? Number(row[column]) / Number(row.finished) : null
  const rows = answer.rows.toSorted((a, b) => Number(b.jobs) - Number(a.jobs)).slice(0, mostKinds)
  if (rows.length === 0) return <p className="dim">{t('Nothing was found in this time')}</p>
  return (
    <table className="table auto">
      <thead>
        <tr>
          <th>{t('Template')}</th>
          <th className="num">{t('Jobs')}</th>
          <th className="num">{t('Done')}</th>
          <th className="num">{t('Planned, each')}</th>
          <th className="num">{t('Took, each')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const [planned, took] = [each(row, 'finished_planned_seconds'), each(row, 'actual_seconds')]
          const isLonger = planned !== null && took !== null && took > planned * 1.15
          return (
            <tr key={String(row.name)}>
              <td>
                <b dir="auto">{nameOf(row, 'template', locale)}</b>
              </td>
              <td className="num">{formats.number(Number(row.jobs))}</td>
              <td className="num">{formats.number(Number(row.finished))}</td>
              <td className="num">{figureText(planned, 'duration', formats)}</td>
              <td className={isLonger ? 'num risk' : 'num'}>{figureText(took, 'duration', formats)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
