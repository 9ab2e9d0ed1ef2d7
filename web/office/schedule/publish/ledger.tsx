import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notice as notices } from '../../../../src/records/notice.ts'
import type { RowOf } from '../../../client/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Face, Verdict } from '../../../ui/marks.tsx'
import { t } from '../../../ui/words.ts'
import { type Desk, useDesk } from '../desk.ts'
import { timeText, titleOf } from '../words.ts'
import { Change } from './change.tsx'
import type { Publication } from './publication.ts'

/** Receipts are no events: they are asked for this often while somebody looks. */
const askEveryMs = 3_000

/** Who was told, who has it on the phone, who has read it, who has answered; and whom to call. */
export function Ledger({ done }: { done: Publication }) {
  const desk = useDesk()
  const { client } = desk.board.live
  const queries = useQueryClient()
  const queryKey = ['told', done.call_id]
  const { data = [] } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await client.list(notices, { call_id: done.call_id, per_page: 1000 }, { signal })).rows,
    refetchInterval: askEveryMs,
  })
  const note = async (id: string) => {
    await client.request('POST', `notices/${id}/phone_call`)
    await queries.invalidateQueries({ queryKey })
  }
  const toCall = data.filter(({ call_needed_at, called_at }) => call_needed_at && !called_at)
  return (
    <div className="publish">
      {toCall.map(({ id, user_id, user_name, job_id }) => {
        const phone = desk.board.workers.get(user_id)?.phone
        const job = desk.job(job_id)
        return (
          <Verdict
            key={id}
            kind="warn"
            title={t('{name} has no app and no mail. Only a call is left.', { name: user_name ?? '' })}
          >
            {job && titleOf(job)}
            <span className="line buttons">
              {phone && (
                <a className="btn small" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
                  {t('Call {phone}', { phone })}
                </a>
              )}
              <Button small onClick={() => void note(id)}>
                {t('Told by phone, note it')}
              </Button>
            </span>
          </Verdict>
        )
      })}
      <ul className="ledger">
        {data.map((one) => (
          <Told key={one.id} notice={one} desk={desk} />
        ))}
      </ul>
    </div>
  )
}

function Told({ notice, desk }: { notice: RowOf<typeof notices>; desk: Desk }) {
  const job = desk.job(notice.job_id)
  const points: [string, string | null][] = [
    [t('sent'), notice.created_at],
    [t('on the phone'), notice.received_at],
    [t('read'), notice.read_at],
    [t('answered'), notice.answered_at],
  ]
  const ways: [string, string | null][] = [
    [t('mailed'), notice.mailed_at],
    [t('called'), notice.called_at],
  ]
  const time = (at: string) => timeText(Date.parse(at), desk.zone)
  return (
    <li className="tell">
      <span />
      <Face name={notice.user_name ?? ''} shift={notice.silent ? 'off' : 'on'} />
      <div className="what">
        <b className="clip">{notice.user_name}</b>
        {notice.kind !== 'message' && notice.kind !== 'decided' && (
          <Change kind={notice.kind} old={notice.old_plan} now={notice.new_plan}>
            <b>{job && titleOf(job)}</b>
          </Change>
        )}
      </div>
      <ol className="points">
        {[...points, ...ways.filter(([, at]) => at)].map(([says, at]) => (
          <li key={says} className={at ? 'd' : undefined}>
            <span>{at ? says : t('not {what}', { what: says })}</span>
            <small>{at && time(at)}</small>
          </li>
        ))}
      </ol>
    </li>
  )
}
