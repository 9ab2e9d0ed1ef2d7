import { useQuery } from '@tanstack/react-query'
import type { JournalEvent } from '../../../client/index.ts'
import { labelOf } from '../../../ui/records/labels.ts'
import { t } from '../../../ui/words.ts'
import type { Job } from '../board/plan.ts'
import { useDesk } from '../desk.ts'
import { timeText } from '../words.ts'

/** What happened last, and who did it. */
export function History({ job }: { job: Job }) {
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
  return names.map((name) => labelOf(`job.${name}`)).join(', ')
}

const actorName = (name: string, { actor }: JournalEvent) =>
  actor?.kind === 'user' ? name || t('Somebody in the office') : actor?.kind === 'key' ? t('A program') : t('Muster')
