import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { wordsOf } from './entry-words.ts'
import { Card, State } from './parts.tsx'
import { rowOf, useFormats, useShown } from './store.ts'

/** What was done on a job here, and what became of each; also on one that is not on the phone any more. */
export function Receipts({ jobId }: { jobId: number }) {
  const shown = useShown()
  // What was done before the office gave it a number stands under that of this phone.
  const made = [...shown.given].find(([, id]) => id === jobId)?.[0]
  const entries = shown.entries.filter(({ lane }) => lane === `jobs/${jobId}` || lane === `jobs/${made}`)
  if (entries.length === 0) return null
  return (
    <Card kind="sec" flush head={<h2 id="receipts">{t('What the office has')}</h2>}>
      {entries.toReversed().map((entry) => (
        <div className="receipt" key={entry.id}>
          <Icon name={entry.receipt ? 'check' : 'clock'} />
          <span>{wordsOf(entry)}</span>
          <small>
            <ReceiptWords id={entry.id} />
          </small>
        </div>
      ))}
    </Card>
  )
}

/** `Received 10:22, event 48 203` */
export function ReceiptWords({ id }: { id: string }) {
  const shown = useShown()
  const { entries, sending } = shown
  const { time, number } = useFormats()
  const entry = entries.find((one) => one.id === id)
  if (!entry) return null
  const { receipt, file, state } = entry
  if (state === 'refused') return <State state="refused">{t('Not taken')}</State>
  if (state === 'conflicted') {
    const isForOffice = entry.conflictIds.some((one) => rowOf(shown, 'conflict', one)?.kind === 'done_offline')
    return (
      <State state="conflict">{isForOffice ? t('Not your job any more: the office decides') : t('Two values')}</State>
    )
  }
  if (!receipt) {
    const size = file ? kilobytes(file.bytes, number) : ''
    if (sending.has(id)) return <State state="sending">{t('Sending…')}</State>
    return <State state="waiting">{file ? t('Waiting, {size}', { size }) : t('Waiting')}</State>
  }
  const values = { time: time(receipt.at), event: receipt.event === null ? null : number(receipt.event) }
  return (
    <>
      {receipt.event === null ? t('Received {time}', values) : t('Received {time}, event {event}', values)}
      {file?.sha256 && receipt.sha256 === file.sha256 && ` · ${t('the office holds the same bytes')}`}
    </>
  )
}

export const kilobytes = (bytes: number, number: (value: number) => string) =>
  bytes < 1_000_000 ? `${number(Math.ceil(bytes / 1000))} KB` : `${number(Math.round(bytes / 100_000) / 10)} MB`
