import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import type { Layout } from './board/layout.ts'
import { useDesk, useLooking } from './desk.ts'
import { useAllJobs } from './use-board.ts'
import { dayText } from './words.ts'

/** Over an empty rack: what is missing, and what to do now. */
export function Nothing({ loaded, layout }: { loaded: { state: string; error?: Error }; layout: Layout }) {
  const desk = useDesk()
  const { view, look, scale } = useLooking()
  const { from, to } = scale
  const count = useAllJobs(() => desk.board.plannedBetween(from, to), from, to)
  if (loaded.state === 'failed')
    return (
      <div className="over">
        <Empty
          title={t('The schedule could not be read')}
          actions={<Button onClick={() => desk.board.live.reload()}>{t('Try again')}</Button>}
        >
          {loaded.error?.message}
        </Empty>
      </div>
    )
  if (loaded.state !== 'there') return null
  if (layout.placed.length <= 1 && desk.board.workers.size > 0)
    return (
      <div className="over">
        <Empty
          title={t('No worker fits these filters')}
          actions={
            <Button onClick={() => look({ teams: [], tags: [], onShift: false })}>{t('Show all workers')}</Button>
          }
        />
      </div>
    )
  if (desk.board.workers.size === 0)
    return (
      <div className="over">
        <Empty title={t('There are no workers yet')}>
          {t('Whoever may use the mobile app is a worker, and has a row here.')}
        </Empty>
      </div>
    )
  if (count > 0) return null
  return (
    <div className="over">
      <Empty
        title={t('Nothing is planned for {day}', { day: dayText(view.day, desk.locale) })}
        actions={desk.mayPlan && <WhatToDo />}
      >
        {t('Drag a job from the tray to a worker and a time.')}
      </Empty>
    </div>
  )
}

function WhatToDo() {
  const { acts, board, suggest } = useDesk()
  const { scale } = useLooking()
  const waiting = useAllJobs(() => board.jobs.where('tray', 'tray'))
  return (
    <>
      <Button icon="plus" onClick={() => acts.ask({ kind: 'new', at: null })}>
        {t('New job')}
      </Button>
      {waiting.length > 0 && (
        <Button icon="route" onClick={() => void suggest.ask(waiting, scale)}>
          {t('Suggest from the tray')}
        </Button>
      )}
    </>
  )
}
