import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { job as record } from '../../../../src/records/job.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LabeledField } from '../../../ui/fields/field.tsx'
import { TextInput } from '../../../ui/fields/plain.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { isDraft, isOver, stateOf } from '../../../ui/job-state.ts'
import type { Entry } from '../../../ui/menu.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import { undo } from '../../../ui/records/undo.ts'
import { toast } from '../../../ui/toast.tsx'
import { useMenu } from '../../../ui/use-menu.tsx'
import { t } from '../../../ui/words.ts'
import { type Deed, type Job, useOpenJob } from '../../job/open-job.ts'

/** What can be done to the job in its state: the next sensible act as a button, the rest in a menu. */
export function Acts() {
  const { job, path, mayChange, act, changeList } = useOpenJob()
  const { client } = useRecords()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'cancel' | 'pause' | null>(null)
  const open = job.steps.find(({ completed_at }) => !completed_at)
  const state = stateOf(job)
  const now = () => new Date().toISOString()
  const change = (changes: object, says: string) => act({ method: 'PATCH', path, body: { job: changes }, says })
  const remove = async () => {
    const { callId } = await client.delete(record, job.id)
    await navigate({ to: '/jobs' })
    toast({
      title: t('The job is deleted'),
      action: { label: t('Undo'), run: () => void undo(client, callId) },
    })
  }
  const entries: Entry[] = [
    {
      id: 'lock',
      label: job.locked_at ? t('Unlock') : t('Lock time and worker'),
      icon: 'lock',
      run: () =>
        void change(
          { locked_at: job.locked_at ? null : now() },
          job.locked_at ? t('It is unlocked') : t('It is locked'),
        ),
    },
    {
      id: 'take-off',
      label: t('Take the worker off'),
      icon: 'x',
      unless: job.worker_id === null ? t('It has no worker.') : isOver(job) && t('It is over.'),
      run: () => void change({ worker_id: null }, t('The worker is taken off')),
    },
    {
      id: 'withdraw',
      label: t('Take it back from the worker'),
      icon: 'undo',
      unless: !job.published_at && t('It was not sent.'),
      run: () => void act({ method: 'DELETE', path: `${path}/publication`, says: t('It is a draft again') }),
    },
    {
      id: 'complete',
      label: t('Complete all steps'),
      icon: 'check',
      unless: isOver(job) && t('It is over.'),
      run: () =>
        void changeList(
          'steps',
          (steps) => steps.map((step) => ({ ...step, completed_at: step.completed_at ?? now() })),
          t('All steps are completed'),
        ),
    },
    'line',
    {
      id: 'cancel',
      label: t('Cancel the job …'),
      icon: 's-canceled',
      unless: isOver(job) && t('It is over.'),
      run: () => setAsking('cancel'),
    },
    { id: 'delete', label: t('Delete the job'), icon: 'trash', run: () => void remove() },
  ]
  const menu = useMenu(t('More'), entries)
  if (!mayChange) return null
  const next = nextOf(job, path)
  return (
    <>
      {state === 'started' && (
        <Button small icon="pause" onClick={() => setAsking('pause')}>
          {t('Pause')}
        </Button>
      )}
      {isDraft(job) && (
        <Button
          small
          kind="primary"
          icon="send"
          onClick={() => void change({ published_at: now() }, t('Sent to {name}', { name: job.worker_name }))}
        >
          {t('Publish')}
        </Button>
      )}
      {next && (
        <Button small onClick={() => void act(next.deed)}>
          {next.label}
        </Button>
      )}
      {(state === 'accepted' || state === 'started') && open && (
        <Button
          small
          icon="check"
          onClick={() =>
            void act({
              method: 'POST',
              path: `${path}/steps/${open.id}/completion`,
              says: t('{step} is completed', { step: open.name }),
            })
          }
        >
          {state === 'accepted' ? t('Start') : t('Complete “{step}”', { step: open.name })}
        </Button>
      )}
      <button type="button" className="btn quiet small only" aria-label={t('More')} {...menu.trigger}>
        <Icon name="more" />
      </button>
      {menu.popover}
      {asking && <Ask what={asking} onClose={() => setAsking(null)} />}
    </>
  )
}

/** What takes a job on from a state that waits for somebody. */
function nextOf(job: Job, path: string): { label: string; deed: Deed } | null {
  switch (stateOf(job)) {
    case 'waiting':
      return job.confirmation !== 'pending'
        ? null
        : {
            label: t('Accept for {name}', { name: job.worker_name }),
            deed: {
              method: 'POST',
              path: `${path}/confirmation`,
              says: t('Accepted for {name}', { name: job.worker_name }),
            },
          }
    case 'declined':
      return {
        label: t('Ask again'),
        deed: {
          method: 'DELETE',
          path: `${path}/confirmation`,
          says: t('{name} is asked again', { name: job.worker_name }),
        },
      }
    case 'paused':
      return { label: t('Go on'), deed: { method: 'DELETE', path: `${path}/pause`, says: t('It goes on') } }
    case 'canceled':
      return {
        label: t('Take the cancellation back'),
        deed: { method: 'DELETE', path: `${path}/cancellation`, says: t('The cancellation is taken back') },
      }
    default:
      return null
  }
}

/** Why: kept with the job, and shown to its worker. */
function Ask({ what, onClose }: { what: 'cancel' | 'pause'; onClose: () => void }) {
  const { path, act } = useOpenJob()
  const [reason, setReason] = useState<string | null>(null)
  const deed: Deed =
    what === 'cancel'
      ? {
          method: 'POST',
          path: `${path}/cancellation`,
          body: { cancellation: { cancel_reason: reason } },
          says: t('The job is cancelled'),
        }
      : {
          method: 'POST',
          path: `${path}/pause`,
          body: { pause: { pause_reason: reason } },
          says: t('The job is paused'),
        }
  const title = what === 'cancel' ? t('Cancel the job') : t('Pause the job')
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{t('Leave it as it is')}</Button>
          <Button
            kind={what === 'cancel' ? 'danger' : 'primary'}
            onClick={() => {
              onClose()
              void act(deed)
            }}
          >
            {title}
          </Button>
        </>
      }
    >
      {what === 'cancel' && <p>{t('It loses its worker and its time. That can be undone.')}</p>}
      <LabeledField label={t('Why (optional)')}>
        {(given) => <TextInput {...given} value={reason} onChange={setReason} max={255} />}
      </LabeledField>
    </Dialog>
  )
}
