import './customers.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { asset } from '../../../src/records/asset.ts'
import { customer } from '../../../src/records/customer.ts'
import { job } from '../../../src/records/job.ts'
import type { Query } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { stateOf } from '../../ui/job-state.ts'
import { StateWord } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { useNames } from '../../ui/records/names.ts'
import { RecordForm } from '../../ui/records/record-form.tsx'
import { summaryOf } from '../../ui/records/value.tsx'
import { Skeleton } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { queries } from '../session.ts'
import { customerForm } from './form.ts'
import { Sites } from './sites.tsx'

const shownJobs = 20

/** One customer: what is to be done there, what was done, and what one should know. */
export function Screen() {
  const id = Number(useParams({ strict: false }).id)
  const { client, formats, mayChange } = useRecords()
  const [editing, setEditing] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['one', 'customer', id],
    queryFn: ({ signal }) => client.find(customer, id, { signal }),
  })
  const jobs = useJobs(id)
  const assets = useQuery({
    queryKey: ['list', 'asset', { customer_id: id }],
    queryFn: ({ signal }) => client.list(asset, { customer_id: id, sort: 'name', per_page: 100 }, { signal }),
  })
  if (error) throw error
  const row = data?.row
  return (
    <main className="main" id="main">
      <header className="bar">
        <Link className="btn quiet only" to="/customers" aria-label={t('Back to the customers')}>
          <Icon name="back" />
        </Link>
        <nav className="line" aria-label={t('Where you are')}>
          <Link to="/customers" className="two-ink">
            {t('Customers')}
          </Link>
          <span className="dim">/</span>
          <b dir="auto">{row?.name}</b>
        </nav>
        <span className="push" />
        {row && mayChange(customer) && !editing && (
          <Button icon="pen" onClick={() => setEditing(true)}>
            {t('Edit')}
          </Button>
        )}
      </header>
      <div className="scroll">
        {row && data ? (
          <div className="customer">
            <div className="column">
              <section className="panel head">
                <h1 dir="auto">{row.name}</h1>
                <p className="two-ink">
                  {t('Customer since {date}', { date: formats.date(row.created_at) })}
                  {row.third_party_id && `, ${row.third_party_id}`}
                </p>
              </section>
              {editing ? (
                <section className="panel">
                  <div className="sec">
                    <RecordForm
                      record={customer}
                      fields={customerForm}
                      row={row}
                      etag={data.etag}
                      onCancel={() => setEditing(false)}
                      onSaved={async () => {
                        await queries.invalidateQueries({ queryKey: ['one', 'customer', id] })
                        setEditing(false)
                      }}
                    />
                  </div>
                </section>
              ) : (
                <>
                  <Jobs
                    title={t('Open jobs')}
                    jobs={jobs.filter((one) => one.progress_state !== 'completed' && !one.canceled_at)}
                  />
                  <Jobs
                    title={t('Past jobs')}
                    jobs={jobs.filter((one) => one.progress_state === 'completed' || one.canceled_at)}
                  />
                </>
              )}
            </div>
            <div className="column">
              <Panel title={t('Know this')}>
                {row.notes ? <p dir="auto">{row.notes}</p> : <p className="dim">{t('Nothing is noted.')}</p>}
              </Panel>
              <Panel title={t('Contact on site')}>
                <p dir="auto">
                  {summaryOf(row.delivery_contact ?? {}) || <span className="dim">{t('nobody named')}</span>}
                </p>
              </Panel>
              <Panel title={t('Bills go to')}>
                <p dir="auto">
                  {summaryOf(row.billing_contact ?? {}) || <span className="dim">{t('nobody named')}</span>}
                </p>
              </Panel>
              <Sites customerId={id} />
              <Panel title={t('Assets')} count={assets.data?.totalEntries}>
                {assets.data?.rows.length === 0 && <p className="dim">{t('none')}</p>}
                <ul>
                  {assets.data?.rows.map((one) => (
                    <li key={one.id} className="entry" dir="auto">
                      <b>{one.name}</b> {one.serial}
                    </li>
                  ))}
                </ul>
              </Panel>
            </div>
          </div>
        ) : (
          <div className="customer">
            <Skeleton height={72} />
          </div>
        )}
      </div>
    </main>
  )
}

function useJobs(customerId: number) {
  const { client } = useRecords()
  const query: Query = { customer_id: customerId, sort: '-planned_start_at', per_page: shownJobs }
  const { data } = useQuery({
    queryKey: ['list', 'job', query],
    queryFn: ({ signal }) => client.list(job, query, { signal }),
  })
  return data?.rows ?? []
}

type ShownJob = ReturnType<typeof useJobs>[number]

function Jobs({ title, jobs }: { title: string; jobs: ShownJob[] }) {
  const { formats } = useRecords()
  const nameOf = useNames({ user: jobs.flatMap(({ worker_id }) => worker_id ?? []) })
  return (
    <Panel title={title} count={jobs.length}>
      {jobs.length === 0 && <p className="dim">{t('none')}</p>}
      <ul>
        {jobs.map((one) => (
          <li key={one.id} className="entry job-line">
            <Link to="/jobs/$id" params={{ id: String(one.id) }}>
              {one.third_party_id ?? one.id}
            </Link>
            <StateWord state={stateOf(one)} />
            <span className="clip">
              <b dir="auto">{one.template_name}</b>
              {one.planned_start_at && `, ${formats.dateTime(one.planned_start_at)}`}
            </span>
            <span className="two-ink clip">{one.worker_id ? nameOf('user', one.worker_id) : t('nobody')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const Panel = ({ title, count, children }: { title: string; count?: number | undefined; children: ReactNode }) => (
  <section className="panel">
    <div className="sec">
      <h2 className="h3">
        {title} {count !== undefined && <span className="dim">{count}</span>}
      </h2>
    </div>
    <div className="sec">{children}</div>
  </section>
)
