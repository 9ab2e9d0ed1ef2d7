import { useState } from 'react'
import type { Entry } from '../client/phone/entry.ts'
import { t } from '../ui/words.ts'
import { wordsOf } from './acts.ts'
import { kilobytes, ReceiptWords } from './job.tsx'
import { Act, Card, Say, Screen, Sheet, Side, To } from './parts.tsx'
import { currentPhone, useFormats, useShown } from './store.ts'

const waitingFirst = ['refused', 'conflicted', 'waiting', 'received']

/** Everything that was done here and where it is: each act in words, its state, its age, its receipt. */
export function OutboxPage() {
  const { entries, lostAt, isSignedOut, busyUntil } = useShown()
  const { time } = useFormats()
  const sorted = entries.toSorted(
    (a, b) => waitingFirst.indexOf(a.state) - waitingFirst.indexOf(b.state) || b.seq - a.seq,
  )
  const isAllReceived = entries.every(({ state }) => state === 'received')
  return (
    <Screen
      title={t('Outbox')}
      acts={
        !isAllReceived && (
          <Act mid icon="upload" onAct={() => currentPhone().ask()}>
            {t('Send now')}
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
        <Say how="note" head={t('No connection since {time}', { time: time(lostAt) })}>
          <span>{t('What you do is kept on this phone and goes by itself.')}</span>
        </Say>
      )}
      {busyUntil && <Say how="note" head={t('The office is busy, next try {time}', { time: time(busyUntil) })} />}
      {isAllReceived && (
        <Say how="yes" head={t('All received')}>
          <span>{t('Nothing is only on this phone.')}</span>
        </Say>
      )}
      {sorted.map((entry) => (
        <EntryCard key={entry.id} entry={entry} />
      ))}
    </Screen>
  )
}

function EntryCard({ entry }: { entry: Entry }) {
  const [asks, setAsks] = useState(false)
  const { time, number } = useFormats()
  const { values } = entry.words
  return (
    <Card
      kind="sec"
      head={
        <>
          <h2>{wordsOf(entry)}</h2>
          <span className="end">{time(entry.madeAt)}</span>
        </>
      }
    >
      {values.job && <span className="k">{values.job}</span>}
      <span className="k">
        <ReceiptWords id={entry.id} />
        {entry.file && entry.receipt && ` · ${kilobytes(entry.file.bytes, number)}`}
      </span>
      {entry.state === 'conflicted' &&
        entry.conflicts.map((conflict) => (
          <p key={conflict.id}>
            {t('Two values. The office has {theirs}, yours is kept: {mine}', {
              theirs: String(conflict.theirs ?? '–'),
              mine: String(conflict.mine ?? '–'),
            })}
          </p>
        ))}
      {entry.state === 'refused' && (
        <>
          {entry.refusal?.faults.map(({ message, remedy }) => (
            <p key={message}>
              <b>{message}</b>
              {remedy && (
                <>
                  <br />
                  {t('What mends it: {remedy}', { remedy })}
                </>
              )}
            </p>
          ))}
          <div className="btns">
            <button type="button" className="btn strong" onClick={() => currentPhone().again(entry.id)}>
              {t('Send again')}
            </button>
            <button type="button" className="btn danger" onClick={() => setAsks(true)}>
              {t('Throw it away')}
            </button>
          </div>
        </>
      )}
      {asks && (
        <Sheet
          title={t('Throw this away?')}
          sub={t('The office never had it. It is only on this phone, and then it is gone.')}
          onClose={() => setAsks(false)}
          acts={
            <>
              <Side wide onAct={() => currentPhone().discard(entry.id)}>
                {t('Throw away')}
              </Side>
              <Act mid onAct={() => setAsks(false)}>
                {t('Keep it')}
              </Act>
            </>
          }
        >
          <p>{wordsOf(entry)}</p>
        </Sheet>
      )}
    </Card>
  )
}
