import { useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { Card, Say } from './parts.tsx'
import { kilobytes } from './receipts.tsx'
import { currentPhone, useFormats, useShown } from './store.ts'
import { tell } from './toast.tsx'

/** About a hundred photos. */
const LITTLE = 200_000_000

interface Room {
  used: number | null
  free: number | null
  waiting: number
  received: number
  removable: number
}

/** What is kept on this phone, and how much more it takes. */
export function Storage() {
  const { entries } = useShown()
  const { number } = useFormats()
  const [room, setRoom] = useState<Room | null>(null)
  const size = (bytes: number) => kilobytes(bytes, number)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept has changed with every entry
  useEffect(() => {
    void look().then(setRoom)
  }, [entries])
  const makeRoom = async () => {
    await currentPhone().outbox.makeRoom()
    setRoom(await look())
    tell(t('Made room. The office holds the same bytes.'))
  }
  if (!room) return null
  const { used, free, waiting, received, removable } = room
  return (
    <Card
      kind="sec"
      head={
        <>
          <h2>{t('On this phone')}</h2>
          {used !== null && <span className="end">{size(used)}</span>}
        </>
      }
    >
      {free !== null && free < LITTLE && (
        <Say flat how="warn" head={t('This phone is nearly full')}>
          <span>{t('Muster has {free} left. What you did stays safe.', { free: size(free) })}</span>
        </Say>
      )}
      <p>
        {waiting > 0
          ? t('Photos that wait: {waiting}, never deleted', { waiting: size(waiting) })
          : t('No photo waits')}
        <br />
        {t('Photos already received: {received}, go after a week', { received: size(received) })}
        {free !== null && (
          <>
            <br />
            {t('{free} free for Muster', { free: size(free) })}
          </>
        )}
      </p>
      {removable > 0 && (
        <div className="btns">
          <button type="button" className="btn" onClick={makeRoom}>
            <Icon name="trash" />
            <span>{t('Make room, {received}', { received: size(removable) })}</span>
          </button>
        </div>
      )}
      {!('serviceWorker' in navigator) && (
        <p className="bad">{t('This phone can’t work offline: the address is not https.')}</p>
      )}
    </Card>
  )
}

async function look(): Promise<Room> {
  const [estimate, kept] = await Promise.all([navigator.storage?.estimate?.(), currentPhone().outbox.bytesKept()])
  const { usage = null, quota = null } = estimate ?? {}
  return { used: usage, free: usage !== null && quota !== null ? quota - usage : null, ...kept }
}
