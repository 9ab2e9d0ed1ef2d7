import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Shown } from '../../../src/fields/index.ts'
import { job } from '../../../src/records/job.ts'
import type { Query } from '../../client/index.ts'
import { Icon } from '../../ui/icon.tsx'
import { stateOf } from '../../ui/job-state.ts'
import { Badge, Face, StateWord } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import type { Column } from '../../ui/table.tsx'
import { msg, t } from '../../ui/words.ts'
import { useConflictedJobs } from '../conflicted.ts'
import { useListSearch } from '../list-search.ts'
import { RecordScreen } from '../record-screen.tsx'
import { PublishSelected } from './publish-selected.tsx'

type Job = Shown<typeof job>

/** The states that the API filters by, as tabs. */
const tabs: { state: string | undefined; label: string }[] = [
  { state: undefined, label: msg('All') },
  { state: 'unallocated', label: msg('No worker') },
  { state: 'allocated', label: msg('Not accepted') },
  { state: 'assigned', label: msg('Accepted') },
  { state: 'started', label: msg('Under way') },
  { state: 'completed', label: msg('Completed') },
]

/** Not a state: jobs about which there is something to decide. */
const conflicted = 'conflicted'

/** All jobs: tabs by state with counts, filters, search; one of them beside the list. */
export function Screen() {
  const [search, onSearch] = useListSearch()
  const toDecide = useConflictedJobs()
  return (
    <main className="main one" id="main">
      <RecordScreen
        record={job}
        title={t('Jobs')}
        columns={columns()}
        query={queryOf(search.state, toDecide)}
        filters={['worker_id', 'group_ids', 'tag_ids']}
        bulk={['worker_id', 'tag_ids', 'group_ids']}
        bulkActs={(rows, done) => <PublishSelected jobs={rows} onDone={done} />}
        searchHint={t('Number, what, notes …')}
        sort="-id"
        underName="state"
        under={
          <States chosen={search.state} toDecide={toDecide?.size ?? 0} onChoose={(state) => onSearch({ state })} />
        }
        form={[
          'customer_id',
          'template_id',
          'template_name',
          'third_party_id',
          'worker_id',
          'planned_start_at',
          'tag_ids',
          'group_ids',
          'notes',
        ]}
        newTitle={t('New job')}
        actions={
          <Link className="btn" to="/jobs/recurring">
            <Icon name="refresh" />
            <span>{t('Recurring')}</span>
          </Link>
        }
        about={t('A job is work for a customer: with a time and a worker it is on the schedule.')}
      />
    </main>
  )
}

/** No job is without an id: the list is empty where nothing is to be decided. */
const queryOf = (state: string | undefined, toDecide: ReadonlySet<number> = new Set()): Query =>
  state === conflicted ? (toDecide.size > 0 ? { ids: [...toDecide] } : { id: null }) : state ? { state } : {}

interface StatesProps {
  chosen: string | undefined
  /** How many jobs there is something to decide about. */
  toDecide: number
  onChoose: (state: string | undefined) => void
}

function States({ chosen, toDecide, onChoose }: StatesProps) {
  const { client, formats } = useRecords()
  const counts = useQueries({
    queries: tabs.map(({ state }) => ({
      queryKey: ['list', 'job', 'count', state],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.list(job, { per_page: 1, ...(state && { state }) }, { signal }).then(({ totalEntries }) => totalEntries),
    })),
  })
  return (
    <div className="tabs" role="tablist" aria-label={t('State')}>
      {tabs.map(({ state, label }, i) => (
        <button key={label} type="button" role="tab" aria-selected={chosen === state} onClick={() => onChoose(state)}>
          {t(label)}
          {counts[i]?.data !== undefined && <Badge count={formats.number(counts[i].data)} />}
        </button>
      ))}
      {(toDecide > 0 || chosen === conflicted) && (
        <button type="button" role="tab" aria-selected={chosen === conflicted} onClick={() => onChoose(conflicted)}>
          {t('To decide')}
          <Badge count={formats.number(toDecide)} hot />
        </button>
      )}
    </div>
  )
}

const columns = (): (Column<Job> | string)[] => [
  { id: 'state', head: t('State'), width: 170, cell: (one) => <StateWord state={stateOf(one)} /> },
  { id: 'number', head: t('Number'), width: 90, sort: 'id', cell: (one) => <NumberLink job={one} /> },
  { id: 'customer', head: t('Customer'), cell: (one) => <b dir="auto">{one.customer_name}</b> },
  {
    id: 'what',
    head: t('What'),
    sort: 'template_name',
    cell: (one) => (
      <span className="two-ink" dir="auto">
        {one.template_name}
      </span>
    ),
  },
  { id: 'worker', head: t('Worker'), cell: (one) => <Worker name={one.worker_name} /> },
  {
    id: 'planned',
    head: t('Planned'),
    width: 170,
    sort: 'planned_start_at',
    cell: (one) => <Planned at={one.planned_start_at} />,
  },
  {
    id: 'takes',
    head: t('Takes'),
    width: 80,
    numeric: true,
    sort: 'planned_duration',
    cell: (one) => <Takes seconds={one.planned_duration} />,
  },
  'tag_ids',
]

const NumberLink = ({ job: { id, third_party_id } }: { job: Job }) => (
  <Link to="/jobs/$id" params={{ id: String(id) }}>
    {third_party_id ?? id}
  </Link>
)

const Worker = ({ name }: { name: string | null }) =>
  name === null ? (
    <span className="dim">{t('nobody')}</span>
  ) : (
    <span className="line">
      <Face name={name} small />
      <span className="clip" dir="auto">
        {name}
      </span>
    </span>
  )

function Planned({ at }: { at: string | null }) {
  const { formats } = useRecords()
  return at === null ? <span className="dim">{t('no time')}</span> : formats.dateTime(at)
}

function Takes({ seconds }: { seconds: number | null }) {
  const { formats } = useRecords()
  return seconds === null ? null : formats.duration(seconds)
}
