import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Face, Verdict } from '../../ui/marks.tsx'
import { msg, t } from '../../ui/words.ts'
import { useObservable } from '../observable.ts'
import { useOpens } from '../tabs.ts'
import type { Question } from './acts.ts'
import { bestOf } from './board/verdict.ts'
import { Choose } from './choose.tsx'
import { useDesk } from './desk.ts'
import { NewJobSheet } from './new-job.tsx'
import { reasonText, remedyText } from './reasons.ts'
import { kindOf, rangeText, timeText, titleOf } from './words.ts'

/** What is asked or told over the board. */
export function Questions() {
  const desk = useDesk()
  const question = useObservable(desk.acts.question)
  if (!question) return null
  if (question.kind === 'refused') return <Refused {...question} />
  if (question.kind === 'why') return <Why {...question} />
  if (question.kind === 'conflict') return <Conflict {...question} />
  if (question.kind === 'new') return <NewJobSheet {...question} />
  return <Choose key={question.jobs.map(({ id }) => id).join()} {...question} />
}

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>

/** The server's no: every reason with what mends it, and the best other choice. */
function Refused({ job, target, reasons, candidates }: Of<'refused'>) {
  const desk = useDesk()
  const opens = useOpens()
  const close = () => desk.acts.question.set(null)
  const name = typeof target.row === 'number' ? desk.workerName(target.row) : t('Nobody')
  const best = bestOf(candidates, [target.row, job.worker_id])
  const time = timeText(target.from, desk.zone)
  const blocks = reasons.filter((reason) => reason.blocks)
  const notes = reasons.filter((reason) => !reason.blocks)
  return (
    <Dialog
      open
      alert
      onClose={close}
      title={t('{worker} can’t take {customer} at {time}', { worker: name, customer: titleOf(job), time })}
      foot={
        <>
          {best && (
            <span className="line push other">
              <Face name={best.worker_name} />
              <span>
                <b>{t('{name} can', { name: best.worker_name })}</b>
                {best.distance_km !== null && (
                  <span className="sm dim">{t('{distance} km away', { distance: best.distance_km })}</span>
                )}
              </span>
            </span>
          )}
          <Button {...(best ? {} : { kind: 'primary' as const })} onClick={close}>
            {t('Put it back')}
          </Button>
          {best && (
            <Button
              kind="primary"
              onClick={() => {
                close()
                void desk.acts.place(job, { ...target, row: best.worker_id })
              }}
            >
              {t('Give it to {name}', { name: best.worker_name })}
            </Button>
          )}
        </>
      }
    >
      <p className="two-ink">
        {t('{kind}, {time}. Nothing has been changed.', {
          kind: kindOf(job),
          time: rangeText(target.from, target.to, desk.zone),
        })}
      </p>
      <span className="label">
        {t('{count, plural, one {# thing stands in the way} other {# things stand in the way}}', {
          count: blocks.length,
        })}
      </span>
      {blocks.map((reason) => (
        <Verdict key={reason.code + JSON.stringify(reason.params)} kind="no" title={reasonText(reason, desk)}>
          {remedyText(reason, desk)}
          {reason.code.startsWith('tag_') && opens('admin') && (
            <div className="line">
              <Link
                className="btn small"
                to={'/admin/people' as string}
                search={{ open: String(target.row) } as never}
                onClick={close}
              >
                {t('Tags of {name}', { name })}
              </Link>
            </div>
          )}
        </Verdict>
      ))}
      {notes.length > 0 && (
        <span className="label">
          {t('{count, plural, one {# thing to know} other {# things to know}}', { count: notes.length })}
        </span>
      )}
      {notes.map((reason) => (
        <Verdict key={reason.code + JSON.stringify(reason.params)} kind="warn" title={reasonText(reason, desk)}>
          {remedyText(reason, desk)}
        </Verdict>
      ))}
    </Dialog>
  )
}

/** Why it is done all the same, by what it is done against. */
const whys: { [code: string]: readonly string[] } = {
  worker_busy: [msg('The two jobs are at one place'), msg('Another job will end early')],
  equipment_busy: [msg('Two jobs share the equipment'), msg('Another job will end early')],
  outside_working_hours: [msg('They have agreed to it'), msg('It is overtime or on call')],
  absent: [msg('They have agreed to it'), msg('The absence is over early')],
}
const always = [msg('The customer asked for this time'), msg('Something else')]

function whyTitle(codes: ReadonlySet<string>, name: string): string {
  if (codes.has('worker_busy')) return t('Place it even though {name} is busy?', { name })
  if (codes.has('absent')) return t('Place it even though {name} is away?', { name })
  if (codes.has('outside_working_hours'))
    return t('Place it even though {name} does not work all of that time?', { name })
  return t('Place it even though its equipment is in use?')
}

/** Two things at once, or work where none was meant to be: placed all the same, with a why that is kept in the history. */
function Why({ job, target, reasons, place }: Of<'why'>) {
  const desk = useDesk()
  const [why, setWhy] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const close = () => desk.acts.question.set(null)
  const name = typeof target.row === 'number' ? desk.workerName(target.row) : ''
  const codes = new Set(reasons.map(({ code }) => code))
  const offered = new Set([...reasons.flatMap(({ code }) => whys[code] ?? []), ...always])
  return (
    <Dialog
      open
      onClose={close}
      title={whyTitle(codes, name)}
      foot={
        <>
          <Button onClick={close}>{t('Put it back')}</Button>
          <Button
            kind="primary"
            unless={why === null && t('Say why first')}
            onClick={() => {
              close()
              place([t(why ?? ''), note.trim()].filter(Boolean).join(': '))
            }}
          >
            {t('Place anyway')}
          </Button>
        </>
      }
    >
      <p className="two-ink">{`${titleOf(job)}, ${rangeText(target.from, target.to, desk.zone)}`}</p>
      {reasons.map((reason) => (
        <Verdict key={reason.code + JSON.stringify(reason.params)} kind="warn" title={reasonText(reason, desk)}>
          {remedyText(reason, desk)}
        </Verdict>
      ))}
      <fieldset className="whys">
        <legend className="label">{t('Why? It is kept in the history.')}</legend>
        {[...offered].map((one) => (
          <label key={one} className="line">
            <input type="radio" name="why" checked={why === one} onChange={() => setWhy(one)} />
            {t(one)}
          </label>
        ))}
      </fieldset>
      <label className="field">
        <span className="label">{t('Note (optional)')}</span>
        <span className="input">
          <input value={note} maxLength={200} onChange={(event) => setNote(event.target.value)} />
        </span>
      </label>
    </Dialog>
  )
}

/** Somebody else has changed it since it was read. */
function Conflict({ job, error, again }: Of<'conflict'>) {
  const desk = useDesk()
  const close = () => desk.acts.question.set(null)
  return (
    <Dialog
      open
      alert
      onClose={close}
      title={t('{customer} was changed by somebody else', { customer: titleOf(job) })}
      foot={
        <>
          <Button onClick={close}>{t('Leave it as it is')}</Button>
          <Button
            kind="primary"
            onClick={() => {
              close()
              again()
            }}
          >
            {t('Do it all the same')}
          </Button>
        </>
      }
    >
      <p>{error.message}</p>
    </Dialog>
  )
}
