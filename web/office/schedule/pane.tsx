import { useQuery } from '@tanstack/react-query'
import type { JournalEvent } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { jobStates, stateOf } from '../../ui/job-state.ts'
import { Tab, Verdict, VerdictMark } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { cardsOf } from './board/card.ts'
import { addressOf, durationOf, isOver, type Job, planOf } from './board/plan.ts'
import { type Candidate, verdictOf, worstFirst } from './board/verdict.ts'
import { useDesk, useJob, useLooking, useRow } from './desk.ts'
import { rowVerdictOf, targetOf } from './drag/lift.ts'
import { windowText } from './tray.tsx'
import { durationText, kindOf, markText, rangeText, timeText, titleOf } from './words.ts'

/** Details of one job: the one that is open, or the one in the hand. */
export function Pane({ onClose }: { onClose: () => void }) {
  const desk = useDesk()
  const { view } = useLooking()
  const lifted = useObservable(desk.lift.lifted)
  // A pane that opened while a card is in the hand would push the rack away under it.
  const job = useJob(view.job === null ? null : (lifted?.job.id ?? view.job))
  if (!job) return null
  return (
    <aside className="details" aria-label={t('Job')}>
      <Head job={job} onClose={onClose} />
      <div className="scroll">{lifted ? <Candidates job={job} /> : <Details job={job} />}</div>
      {lifted && <div className="bar foot dim sm">{t('Esc puts the card back. Arrow keys move it.')}</div>}
    </aside>
  )
}

function Head({ job, onClose }: { job: Job; onClose: () => void }) {
  const desk = useDesk()
  const state = stateOf(job)
  const plan = planOf(job)
  const done = job.steps.filter(({ completed_at }) => completed_at !== null).length
  const isBusy = state === 'started' || state === 'paused'
  const address = addressOf(job)
  return (
    <div className="dhead" data-state={state}>
      <div className="cap">
        <Tab state={state} />
        {isBusy
          ? t('{state}, step {step} of {steps}', {
              state: t(jobStates[state]),
              step: Math.min(done + 1, job.steps.length),
              steps: job.steps.length,
            })
          : t(jobStates[state])}
        <span className="push" />
        <Button kind="quiet" small icon="x" aria-label={t('Close')} onClick={onClose} />
      </div>
      <div className="b">
        <div className="line">
          <h2 className="cust push clip">{titleOf(job)}</h2>
          <span className="dim sm">{job.id}</span>
        </div>
        <div className="two-ink">{kindOf(job)}</div>
        <div className="when">
          <Icon name="clock" />
          <span>
            <b>{plan ? rangeText(plan.from, plan.to, desk.zone) : durationText(durationOf(job))}</b>{' '}
            <span className="dim">{plan ? durationText(durationOf(job)) : windowText(job, desk.now.get(), desk)}</span>
          </span>
          {job.locked_at ? <Icon name="lock" /> : <span />}
          <Icon name="user" />
          <span className="clip">{job.worker_name ?? t('No worker')}</span>
          <span />
          {job.tag_ids.length > 0 && (
            <>
              <Icon name="tag" />
              <span className="clip">
                {job.tag_ids.flatMap((id) => desk.board.tags.get(id)?.name ?? []).join(', ')}
              </span>
              <span />
            </>
          )}
          {address && (
            <>
              <Icon name="map" />
              <span className="clip">{address}</span>
              <span />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

function Details({ job }: { job: Job }) {
  const desk = useDesk()
  return (
    <>
      <Matter job={job} />
      {!isOver(job) && job.progress_state === 'not_started' && desk.mayPlan && <WhoCan job={job} />}
      <section className="sec">
        <div className="head">
          <h3>{t('Steps')}</h3>
          <span className="push" />
          <span className="dim plain">
            {t('{done} of {all}', {
              done: job.steps.filter((step) => step.completed_at).length,
              all: job.steps.length,
            })}
          </span>
        </div>
        {job.steps.map((step, i) => {
          const isNow =
            !step.completed_at &&
            job.progress_state === 'started' &&
            job.steps.slice(0, i).every((one) => one.completed_at)
          return (
            <div key={step.id} className={step.completed_at ? 'step d' : isNow ? 'step now' : 'step'}>
              <span className="box">{step.completed_at ? <Icon name="check" /> : isNow && <Icon name="play" />}</span>
              <span>{step.name}</span>
              <span className="t">{step.completed_at && timeText(Date.parse(step.completed_at), desk.zone)}</span>
            </div>
          )
        })}
      </section>
      {job.custom_fields.length > 0 && (
        <section className="sec">
          <div className="head">
            <h3>{t('Fields')}</h3>
          </div>
          <dl className="kv">
            {job.custom_fields
              .filter(({ type }) => type !== 'header')
              .map((field) => (
                <div key={field.id}>
                  <dt>{field.name}</dt>
                  <dd className={field.value ? undefined : 'dim'}>
                    {field.value ??
                      (field.attachment_id || field.signature_id
                        ? t('there')
                        : field.permission === 'required'
                          ? t('needed before the last step')
                          : t('empty'))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      )}
      <Contact job={job} />
      {job.notes && (
        <section className="sec">
          <div className="head">
            <h3>{t('Notes')}</h3>
          </div>
          <p className="notes">{job.notes}</p>
        </section>
      )}
      <History job={job} />
    </>
  )
}

/** What is wrong or at risk, in a sentence. */
function Matter({ job }: { job: Job }) {
  const desk = useDesk()
  const now = useObservable(desk.now)
  const jobs = useRow(job.worker_id ?? 'timed')
  const mark = cardsOf(jobs, now).find((card) => card.job.id === job.id)?.mark
  if (!mark) return null
  return (
    <section className="sec">
      <Verdict kind={mark.kind === 'late' ? 'no' : 'warn'} title={markText(mark)}>
        {'after' in mark && t('Before it: {customer}', { customer: titleOf(mark.after) })}
      </Verdict>
    </section>
  )
}

/** Who can take it at its time, best first; one press gives it to them. */
function WhoCan({ job }: { job: Job }) {
  const desk = useDesk()
  const { data } = useQuery({
    queryKey: ['candidates', job.id, job.revision],
    queryFn: ({ signal }) => desk.acts.candidates(job, targetOf(job, desk.now.get()), signal),
  })
  if (!data) return null
  return <CandidateList job={job} candidates={data} isChoice />
}

function Candidates({ job }: { job: Job }) {
  const candidates = useObservable(useDesk().lift.candidates)
  return candidates && <CandidateList job={job} candidates={candidates} />
}

/** So many are listed; of the others it is said how many there are. */
const listed = 8

function CandidateList({
  job,
  candidates,
  isChoice = false,
}: {
  job: Job
  candidates: readonly Candidate[]
  isChoice?: boolean
}) {
  const desk = useDesk()
  const can = candidates.filter(({ available }) => available).length
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Who can take it')}</h3>
        <span className="push" />
        <span className="dim plain">{t('{can} of {all}', { can, all: candidates.length })}</span>
      </div>
      {candidates.slice(0, listed).map((candidate) => {
        const verdict = rowVerdictOf(candidate, desk)
        const isTheirs = candidate.worker_id === job.worker_id
        return (
          <div className="line who-can" key={candidate.worker_id}>
            <VerdictMark kind={verdictOf(candidate)} />
            <span className="push">
              <b>{candidate.worker_name}</b>
              <br />
              <span className="sm two-ink">{worstFirst(candidate.reasons)[0]?.remedy ?? verdict.line}</span>
            </span>
            {isChoice && !isTheirs && candidate.available && (
              <Button
                small
                aria-label={t('Give it to {name}', { name: candidate.worker_name })}
                onClick={() => void desk.acts.give([job], candidate.worker_id)}
              >
                {t('Give')}
              </Button>
            )}
          </div>
        )
      })}
      {candidates.length > listed && (
        <div className="sm dim more">{t('{count} more', { count: candidates.length - listed })}</div>
      )}
    </section>
  )
}

function Contact({ job }: { job: Job }) {
  const contact = job.contact
  const name = contact && [contact.first_name, contact.last_name].filter(Boolean).join(' ')
  const phone = contact?.mobile ?? contact?.phone
  const address = addressOf(job)
  if (!name && !phone && !address) return null
  return (
    <section className="sec">
      <div className="head">
        <h3>{t('Customer')}</h3>
      </div>
      <dl className="kv">
        {address && (
          <div>
            <dt>{t('Site')}</dt>
            <dd>{address}</dd>
          </div>
        )}
        {(name || phone) && (
          <div>
            <dt>{t('Contact')}</dt>
            <dd>
              {name}
              {name && phone && <br />}
              {phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** What happened last, and who did it. */
function History({ job }: { job: Job }) {
  const desk = useDesk()
  const { data } = useQuery({
    queryKey: ['history', job.id, job.revision],
    queryFn: async ({ signal }) => {
      const { body } = await desk.board.live.client.request<{ events: JournalEvent[] }>(
        'GET',
        `jobs/${job.id}/history`,
        { query: { per_page: 1000 }, signal },
      )
      return body.events.slice(-6).reverse()
    },
  })
  if (!data) return null
  return (
    <section className="sec last">
      <div className="head">
        <h3>{t('History')}</h3>
      </div>
      <div className="hist">
        {data.map((event) => (
          <div key={event.id}>
            <time dateTime={event.at}>{timeText(Date.parse(event.at), desk.zone)}</time>
            <span>
              {t('{who}: {what}', {
                who: actorName(desk.workerName(event.actor?.id ?? null), event),
                what: whatOf(event),
              })}
            </span>
          </div>
        ))}
      </div>
    </section>
  )
}

const whatOf = ({ action, changes }: JournalEvent) => {
  if (action === 'create') return t('made it')
  const names = Object.keys(changes ?? {}).filter((name) => name !== 'last_action_at')
  return names.map((name) => name.replace(/_(id|at)$/, '').replaceAll('_', ' ')).join(', ')
}

const actorName = (name: string, { actor }: JournalEvent) =>
  actor?.kind === 'user' ? name || t('Somebody in the office') : actor?.kind === 'key' ? t('A program') : t('Muster')
