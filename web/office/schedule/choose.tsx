import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { VerdictMark } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import type { Question } from './acts.ts'
import { planOf } from './board/plan.ts'
import { candidatesFor } from './candidates.ts'
import { useDesk } from './desk.ts'
import { rowVerdictOf } from './drag/lift.ts'
import { saidTime } from './time/said.ts'
import { durationText, timeText, titleOf } from './words.ts'

type Asked = Extract<Question, { kind: 'move' | 'give' | 'cancel' }>

/** The ways without a drag: a time that is typed, a worker from a list, a reason. */
export function Choose(asked: Asked) {
  if (asked.kind === 'move') return <Move {...asked} />
  return asked.kind === 'give' ? <Give {...asked} /> : <Cancel {...asked} />
}

const nameOf = (jobs: Asked['jobs']) => {
  const [first] = jobs
  return jobs.length === 1 && first ? titleOf(first) : t('{count} jobs', { count: jobs.length })
}

function Move({ jobs }: Asked) {
  const desk = useDesk()
  const [text, setText] = useState('')
  const close = () => desk.acts.question.set(null)
  const from = (jobs[0] && planOf(jobs[0])?.from) ?? desk.now.get()
  const said = saidTime(text, from, desk.now.get(), desk.zone, { today: t('Today'), tomorrow: t('Tomorrow') })
  const move = () => {
    if (!said) return
    close()
    void ('by' in said ? desk.acts.moveBy(jobs, said.by) : desk.acts.moveTo(jobs, said.at))
  }
  const date = new Intl.DateTimeFormat(desk.locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: desk.zone,
  })
  return (
    <Dialog
      open
      onClose={close}
      title={t('Move {what}', { what: nameOf(jobs) })}
      foot={
        <>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button kind="primary" unless={!said && t('Say a time first')} onClick={move}>
            {t('Move')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          move()
        }}
      >
        <label className="field">
          <span className="label">{t('When')}</span>
          <span className={text !== '' && !said ? 'input wrong' : 'input'}>
            <input
              autoFocus
              value={text}
              onChange={(event) => setText(event.target.value)}
              placeholder="13:30"
              aria-invalid={text !== '' && !said}
            />
          </span>
          <span className="hint" aria-live="polite">
            {said === null
              ? t('13:30, tomorrow 8, 2026-12-01 9:15, or +45 for later by so many minutes')
              : 'by' in said
                ? t('{time} {direction, select, later {later} other {earlier}}', {
                    time: durationText(Math.abs(said.by)),
                    direction: said.by < 0 ? 'earlier' : 'later',
                  })
                : `${date.format(said.at)}, ${timeText(said.at, desk.zone)}`}
          </span>
        </label>
      </form>
    </Dialog>
  )
}

function Give({ jobs }: Asked) {
  const desk = useDesk()
  const [text, setText] = useState('')
  const close = () => desk.acts.question.set(null)
  const [first] = jobs
  const { data } = useQuery({
    queryKey: ['candidates', first?.id, first?.revision],
    queryFn: ({ signal }) => (first ? candidatesFor(desk.board.live.client, first, signal) : []),
  })
  const shown = data?.filter(({ worker_name }) => worker_name.toLocaleLowerCase().includes(text.toLocaleLowerCase()))
  const give = (worker: number) => {
    close()
    void desk.acts.give(jobs, worker)
  }
  return (
    <Dialog
      open
      onClose={close}
      title={t('Give {what} to', { what: nameOf(jobs) })}
      foot={<Button onClick={close}>{t('Cancel')}</Button>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const best = shown?.find(({ available }) => available)
          if (best) give(best.worker_id)
        }}
      >
        <label className="input">
          <input
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={t('Name')}
            aria-label={t('Name')}
          />
        </label>
      </form>
      <ul className="choices">
        {shown?.map((candidate) => {
          const verdict = rowVerdictOf(candidate, desk)
          return (
            <li key={candidate.worker_id}>
              <button
                type="button"
                className="choice"
                aria-disabled={!candidate.available}
                onClick={() => candidate.available && give(candidate.worker_id)}
              >
                <VerdictMark kind={verdict.kind} />
                <span>
                  <b>{candidate.worker_name}</b>
                  <span className="sm two-ink">{verdict.line}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

function Cancel({ jobs }: Asked) {
  const desk = useDesk()
  const [reason, setReason] = useState('')
  const close = () => desk.acts.question.set(null)
  const cancel = () => {
    close()
    void desk.acts.cancel(jobs, reason.trim())
  }
  return (
    <Dialog
      open
      onClose={close}
      title={t('Cancel {what}?', { what: nameOf(jobs) })}
      foot={
        <>
          <Button onClick={close}>{t('Keep the job')}</Button>
          <Button kind="danger" onClick={cancel}>
            {t('Cancel the job')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          cancel()
        }}
      >
        <label className="field">
          <span className="label">{t('Why')}</span>
          <span className="input">
            <input autoFocus value={reason} maxLength={255} onChange={(event) => setReason(event.target.value)} />
          </span>
          <span className="hint">{t('The worker reads it. Time and worker are taken away; it can be undone.')}</span>
        </label>
      </form>
    </Dialog>
  )
}
