import { type RefObject, useEffect, useState } from 'react'
import type { IconName } from '../../ui/icon.tsx'
import { isDraft } from '../../ui/job-state.ts'
import { caps, together } from '../../ui/keys.ts'
import { ContextMenu, type Entry } from '../../ui/menu.tsx'
import { t } from '../../ui/words.ts'
import { type Job, planOf } from './board/plan.ts'
import { only } from './board/selection.ts'
import { type Desk, useDesk, useLooking } from './desk.ts'
import { targetOf } from './drag/target.ts'
import { copyAll, copyTo, nextOf, split, swap } from './make.ts'
import type { TimeScale } from './time/scale.ts'
import { titleOf } from './words.ts'

interface At {
  element: Element
  x: number
  y: number
}

/** The menu of a card: the other button, the menu key, Shift F10, or a long press. */
export function CardMenu({ root, openPane }: { root: RefObject<HTMLElement | null>; openPane: (job: number) => void }) {
  const desk = useDesk()
  const { scale } = useLooking()
  const [at, setAt] = useState<At | null>(null)
  const [job, setJob] = useState<Job | null>(null)
  useEffect(() => {
    const element = root.current
    const open = (event: MouseEvent) => {
      const card = (event.target as Element).closest<HTMLElement>('[data-job]')
      const found = desk.job(Number(card?.dataset.job))
      if (!card || !found) return
      event.preventDefault()
      const box = card.getBoundingClientRect()
      const isKey = event.clientX === 0 && event.clientY === 0
      if (!desk.selection.get().ids.includes(found.id)) desk.selection.set(only(found.id))
      setJob(found)
      setAt({ element: card, x: isKey ? box.left + 20 : event.clientX, y: isKey ? box.bottom : event.clientY })
    }
    element?.addEventListener('contextmenu', open)
    return () => element?.removeEventListener('contextmenu', open)
  }, [root, desk])
  if (!job) return null
  const selected = desk.selection.get().ids.flatMap((id) => desk.job(id) ?? [])
  const isOfMany = selected.length > 1 && desk.mayPlan && selected.some(({ id }) => id === job.id)
  return (
    <ContextMenu
      at={at}
      label={isOfMany ? t('{count} jobs', { count: selected.length }) : titleOf(job)}
      entries={isOfMany ? entriesOfMany(desk, selected, scale) : entriesOf(desk, job, scale, openPane)}
      onClose={() => setAt(null)}
    />
  )
}

type Act = Extract<Entry, { run: () => void }>

/** What is done to all that are selected, each in one deed. */
export function entriesOfMany(desk: Desk, jobs: readonly Job[], scale: TimeScale): Entry[] {
  const { acts, suggest } = desk
  const [one, other] = jobs
  const stays = jobs.map((job) => acts.staysWhy(job)).find((why) => why !== null)
  const entry = (id: string, label: string, icon: IconName, run: () => unknown, more: Partial<Act> = {}): Entry => ({
    id,
    label,
    icon,
    unless: stays,
    run: () => void run(),
    ...more,
  })
  return [
    entry('move', t('Move'), 'clock', () => acts.ask({ kind: 'move', jobs }), { shortcut: 'M' }),
    entry('give', t('Give to'), 'user', () => acts.ask({ kind: 'give', jobs }), { shortcut: 'G' }),
    entry('suggest', t('Suggest'), 'route', () => suggest.ask(jobs, scale), { shortcut: 'S' }),
    entry('swap', t('Swap'), 'swap', () => one && other && swap(desk, one, other), {
      shortcut: 'X',
      unless: stays ?? (jobs.length !== 2 && t('Only two jobs can be swapped.')),
    }),
    entry('copy', t('Copy to the tray'), 'copy', () => copyAll(desk, jobs), { unless: null }),
    'line',
    entry('lock', t('Lock, unlock'), 'lock', () => acts.lock(jobs), { shortcut: 'L', unless: null }),
    entry('take-off', t('Take the worker off'), 'x', () => acts.takeOff(jobs), { shortcut: '⌫' }),
    entry('to-tray', t('Back to the tray'), 'undo', () => acts.toTray(jobs), { shortcut: 'U' }),
    entry('publish', t('Publish'), 'send', () => acts.publish(jobs), { shortcut: 'P', unless: null }),
    entry('unpublish', t('Take them back from their workers'), 'out', () => acts.unpublish(jobs), {
      unless: stays ?? (!jobs.some(({ published_at }) => published_at) && t('None of them was sent.')),
    }),
    'line',
    entry('cancel', t('Cancel the jobs …'), 's-canceled', () => acts.ask({ kind: 'cancel', jobs })),
  ]
}

/** What is not possible stays, and says why. */
export function entriesOf(desk: Desk, job: Job, scale: TimeScale, openPane?: (job: number) => void): Entry[] {
  const { acts } = desk
  const stays = acts.staysWhy(job)
  const next = nextOf(desk, job)
  const link = new URL(location.href)
  link.searchParams.set('job', String(job.id))
  const entries: Entry[] = openPane
    ? [{ id: 'open', label: t('Open'), icon: 'expand', shortcut: '↵', run: () => openPane(job.id) }]
    : []
  if (desk.mayPlan)
    entries.push(
      'line',
      {
        id: 'move',
        label: t('Move to a time …'),
        icon: 'clock',
        shortcut: 'M',
        unless: stays,
        run: () => acts.ask({ kind: 'move', jobs: [job] }),
      },
      {
        id: 'give',
        label: t('Give to somebody else …'),
        icon: 'user',
        shortcut: 'G',
        unless: stays,
        run: () => acts.ask({ kind: 'give', jobs: [job] }),
      },
      {
        id: 'suggest',
        label: t('Suggest a place'),
        icon: 'route',
        shortcut: 'S',
        unless: stays,
        run: () => void desk.suggest.ask([job], scale),
      },
      {
        id: 'swap',
        label: next ? t('Swap with {customer}', { customer: titleOf(next) }) : t('Swap with the next'),
        icon: 'swap',
        unless: stays ?? (next ? acts.staysWhy(next) : t('Nothing comes after it.')),
        run: () => next && void swap(desk, job, next),
      },
      {
        id: 'copy',
        label: t('Copy'),
        icon: 'copy',
        shortcut: together(caps.mod, 'D'),
        run: () => void copyTo(desk, job, { ...targetOf(job, desk.now.get()), row: 'tray' }),
      },
      {
        id: 'split',
        label: t('Split over two days'),
        icon: 'split',
        unless: stays ?? (planOf(job) === null && t('It has no time.')),
        run: () => void split(desk, job),
      },
      'line',
      {
        id: 'lock',
        label: job.locked_at ? t('Unlock') : t('Lock time and worker'),
        icon: 'lock',
        shortcut: 'L',
        run: () => void acts.lock([job]),
      },
      {
        id: 'take-off',
        label: t('Take the worker off'),
        icon: 'x',
        shortcut: '⌫',
        unless: stays ?? (job.worker_id === null && t('It has no worker.')),
        run: () => void acts.takeOff([job]),
      },
      {
        id: 'to-tray',
        label: t('Back to the tray'),
        icon: 'undo',
        shortcut: 'U',
        unless: stays ?? (job.worker_id === null && job.planned_start_at === null && t('It is there.')),
        run: () => void acts.toTray([job]),
      },
      {
        id: 'unpublish',
        label: t('Take it back from the worker'),
        icon: 'out',
        unless: stays ?? (!job.published_at && t('It was not sent.')),
        run: () => void acts.unpublish([job]),
      },
      {
        id: 'publish',
        label: t('Publish this job'),
        icon: 'send',
        shortcut: 'P',
        unless: !isDraft(job) && (job.worker_id === null ? t('It has no worker to tell.') : t('It is published.')),
        run: () => void acts.publish([job]),
      },
      'line',
      {
        id: 'cancel',
        label: t('Cancel the job …'),
        icon: 's-canceled',
        unless: stays,
        run: () => acts.ask({ kind: 'cancel', jobs: [job] }),
      },
    )
  entries.push('line', { id: 'link', label: t('Copy link'), icon: 'link', run: () => void copied(link.href) })
  return entries
}

/** Pages that came over plain http have no clipboard but this. */
async function copied(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
