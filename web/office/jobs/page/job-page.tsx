import './job-page.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { job } from '../../../../src/records/job.ts'
import { ApiError, type Written } from '../../../client/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { wallTimeOf } from '../../../ui/fields/plain.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import { Empty, Skeleton } from '../../../ui/told.tsx'
import { t } from '../../../ui/words.ts'
import { Faces } from '../../faces.tsx'
import { Candidates } from '../../job/candidates.tsx'
import { Conflicts } from '../../job/conflicts.tsx'
import { Fields } from '../../job/fields.tsx'
import { History } from '../../job/history.tsx'
import { Faults } from '../../job/in-place.tsx'
import { type Job, OpenJobContext } from '../../job/open-job.ts'
import { Notes, Place } from '../../job/place.tsx'
import { Section } from '../../job/section.tsx'
import { Steps } from '../../job/steps.tsx'
import { useLooked, useOthers } from '../../presence.ts'
import { useSession } from '../../session.ts'
import { useOpens } from '../../tabs.ts'
import { JobTalk } from '../../talk.tsx'
import { useScreen } from '../../use-screen.ts'
import { Files } from './files.tsx'
import { Head } from './head.tsx'
import { Items } from './items.tsx'
import { useWriting } from './use-writing.ts'

/** Everything of one job, changed where it is read. */
export function Screen() {
  useScreen('jobs/page')
  const id = Number(useParams({ strict: false }).id)
  const { client } = useRecords()
  const { user_id } = useSession()
  useLooked({ record: 'job', record_id: String(id) })
  const others = useOthers(({ record, record_id }) => record === 'job' && record_id === String(id), user_id)
  const { data, error } = useQuery({
    queryKey: ['one', 'job', id],
    queryFn: ({ signal }) => client.find(job, id, { signal }),
  })
  if (error && !(error instanceof ApiError && error.status === 404)) throw error
  return (
    <main className="main" id="main">
      <header className="bar">
        <Link className="btn quiet only" to="/jobs" aria-label={t('Back to the jobs')}>
          <Icon name="back" />
        </Link>
        <nav className="line" aria-label={t('Where you are')}>
          <Link to="/jobs" className="two-ink">
            {t('Jobs')}
          </Link>
          <span className="dim">/</span>
          <b className="clip" dir="auto">
            {data && (data.row.third_party_id ?? id)}
          </b>
        </nav>
        <span className="push" />
        <Faces of={others} />
        {data && <OnSchedule job={data.row} />}
      </header>
      <div className="scroll">
        {error ? (
          <div className="blank">
            <Empty
              title={t('There is no job {id}', { id })}
              actions={
                <Link className="btn" to="/jobs">
                  {t('Back to the jobs')}
                </Link>
              }
            >
              {t('It does not exist, or you may not see it.')}
            </Empty>
          </div>
        ) : data ? (
          <Page key={id} {...data} />
        ) : (
          <div className="job-page">
            <Skeleton height={160} />
            <Skeleton height={160} />
          </div>
        )}
      </div>
    </main>
  )
}

function OnSchedule({ job }: { job: Job }) {
  const { zone } = useRecords()
  const opens = useOpens()
  if (!opens('schedule')) return null
  const day = job.planned_start_at ? wallTimeOf(job.planned_start_at, zone).slice(0, 10) : undefined
  return (
    <Link
      className="btn"
      to="/schedule"
      // The board's own parameters; the router's types know of none.
      search={{ day, job: String(job.id) } as never}
    >
      <Icon name="schedule" />
      {t('Show on the schedule')}
    </Link>
  )
}

function Page(data: Written<Job>) {
  const { open, refused, putAway } = useWriting(data)
  const opens = useOpens()
  const { row } = data
  return (
    <OpenJobContext value={open}>
      <div className="job-page">
        <div className="column">
          <Conflicts />
          <Head />
          <Candidates />
          <div className="duo">
            <Steps />
            <Fields />
          </div>
          <Items />
          <Files />
        </div>
        <div className="column">
          <Place />
          <Notes />
          {opens('messages') && (
            <Section title={t('Messages')}>
              <JobTalk jobId={row.id} subject={row.customer_name} />
            </Section>
          )}
          <History />
        </div>
      </div>
      {refused && <Refused error={refused} onClose={putAway} />}
    </OpenJobContext>
  )
}

const Refused = ({ error, onClose }: { error: ApiError; onClose: () => void }) => (
  <Dialog
    open
    alert
    onClose={onClose}
    title={t('Nothing was changed')}
    foot={
      <Button kind="primary" onClick={onClose}>
        {t('Leave it as it is')}
      </Button>
    }
  >
    <Faults error={error} />
  </Dialog>
)
