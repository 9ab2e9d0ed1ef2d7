import { disputesOf } from '../client/phone/conflicts.ts'
import type { Entry } from '../client/phone/entry.ts'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { TwoValues } from './conflict.tsx'
import { wordsOf } from './entry-words.ts'
import { Act, Card, type Mark, Say, Tab, To, useNow } from './parts.tsx'
import { kilobytes, ReceiptWords } from './receipts.tsx'
import { RescueCard } from './rescue.tsx'
import { Screen } from './screen.tsx'
import { currentPhone, rowsOf, useFormats, useShown } from './store.ts'

const FIRST_SHOWN = 10

/** Everything that was done here and where it is: each act in words, its state, its age, its receipt. */
export function OutboxPage() {
  const shown = useShown()
  const { entries, lostAt, isSignedOut, busyUntil } = shown
  const { time, number } = useFormats()
  const disputes = disputesOf(rowsOf(shown, 'conflict'))
  const refused = entries.filter(({ state }) => state === 'refused')
  const waiting = entries.filter(({ state }) => state === 'waiting')
  const received = entries.filter(({ receipt }) => receipt !== null).toReversed()
  const bytes = waiting.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0)
  const isAllReceived = refused.length + waiting.length + disputes.length === 0
  return (
    <Screen
      page
      title={t('Outbox')}
      acts={
        waiting.length > 0 && (
          <Act icon="refresh" onAct={() => currentPhone().ask()}>
            {t('Try now')}
          </Act>
        )
      }
    >
      {isSignedOut && (
        <Say how="warn" head={t('Sign in again.')}>
          <span>{t('Then what waits here goes to the office. You can work on without it.')}</span>
          <div className="btns">
            <To to="/sign-in" className="btn strong">
              {t('Sign in')}
            </To>
          </div>
        </Say>
      )}
      {lostAt && (
        <Say how="note" head={t('Nothing is lost')}>
          <span>
            {t(
              'No connection since {time}. What waits is kept on this phone and goes by itself, small things before photos.',
              {
                time: time(lostAt),
              },
            )}
          </span>
        </Say>
      )}
      {busyUntil && <Say how="note" head={t('The office is busy, next try {time}', { time: time(busyUntil) })} />}
      {isAllReceived && (
        <div className="empty">
          <span className="done-stamp">
            <Icon name="check" />
          </span>
          <h2 className="xl">{t('All received')}</h2>
          <p className="two-ink md">{t('Nothing is only on this phone.')}</p>
        </div>
      )}
      {refused.length + disputes.length > 0 && (
        <Group title={t('Needs you')} end={number(refused.length + disputes.length)} entries={refused}>
          {disputes.map((dispute) => (
            <TwoValues key={dispute.conflict.id} dispute={dispute} />
          ))}
        </Group>
      )}
      <Group
        title={t('Waiting')}
        end={[number(waiting.length), bytes > 0 && kilobytes(bytes, number)].filter(Boolean).join(', ')}
        entries={waiting}
      />
      <Group title={t('Received')} end={number(received.length)} entries={received.slice(0, FIRST_SHOWN)} />
      <RescueCard waiting={waiting.length + refused.length} />
    </Screen>
  )
}

interface GroupProps {
  title: string
  end: string
  entries: Entry[]
  children?: React.ReactNode
}

const Group = ({ title, end, entries, children = null }: GroupProps) =>
  entries.length === 0 && !children ? null : (
    <Card
      kind="sec"
      flush
      head={
        <>
          <h2>{title}</h2>
          <span className="end">{end}</span>
        </>
      }
    >
      {children}
      {entries.length > 0 && (
        <div className="rows entries">
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </div>
      )}
    </Card>
  )

function EntryRow({ entry }: { entry: Entry }) {
  const { sending } = useShown()
  const { time, duration } = useFormats()
  const nowMs = useNow()
  const { state, madeAt, words } = entry
  const mark: Mark = state === 'waiting' && sending.has(entry.id) ? 'sending' : markOf[state]
  const content = (
    <>
      <Tab state={mark} />
      <span className="w">
        {wordsOf(entry)}
        <small>{[words.values.job, time(madeAt)].filter(Boolean).join(', ')}</small>
        <small>
          <ReceiptWords id={entry.id} />
        </small>
      </span>
    </>
  )
  if (state === 'refused')
    return (
      <To to={`/outbox/${entry.id}`} className="entry" data-state={mark}>
        {content}
        <Icon name="right" className="go" />
      </To>
    )
  const ageSeconds = Math.max(60, (nowMs - Date.parse(madeAt)) / 1000)
  return (
    <div className="entry" data-state={mark}>
      {content}
      {state === 'waiting' && <span className="age">{duration(ageSeconds)}</span>}
    </div>
  )
}

const markOf = { waiting: 'waiting', refused: 'refused', conflicted: 'conflict', received: 'received' } as const
