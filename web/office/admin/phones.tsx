import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Shown } from '../../../src/fields/index.ts'
import { device } from '../../../src/records/device.ts'
import { useRecords } from '../../ui/records/context.tsx'
import { labelOf } from '../../ui/records/labels.ts'
import type { Column } from '../../ui/table.tsx'
import { msg, t } from '../../ui/words.ts'
import { OpenLink } from '../open-link.tsx'
import { RecordScreen } from '../record-screen.tsx'
import { Admin } from './admin.tsx'
import { RescueFile } from './rescue-file.tsx'
import { SignPhoneOut } from './sign-phone-out.tsx'

type Device = Shown<typeof device>

/** Phones tell of themselves past the journal, so nothing says when to look again. */
const lookAgainMs = 30_000
/** Below this a phone may be gone before the shift is over. */
const lowBattery = 15

/** Every phone as it last told of itself: those first on which work waits. */
export const Screen = () => (
  <Admin>
    <RecordScreen
      record={device}
      title={t('Phones')}
      columns={[person(), app(), heard(), waiting(), keeps(), battery()]}
      filters={['user_id']}
      sort="-waiting_entries"
      searchHint={t('Phone, version …')}
      rowHeight={44}
      actions={<RescueFile />}
      form={[
        'user_id',
        'app_version',
        'heard_at',
        'waiting_entries',
        'oldest_waiting_at',
        'refused_entries',
        'storage_persistent',
        'battery_percent',
        'sign_out_asked_at',
        'signed_out_at',
      ]}
      pane={(row) => (
        <>
          <Allowed device={row} />
          <SignPhoneOut device={row} />
        </>
      )}
      newTitle={t('Phones')}
      about={t('A phone is here once a worker has signed in on it, at /phone on this server.')}
    />
    <LookAgain />
  </Admin>
)

function LookAgain() {
  const queries = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: ['list', 'device'] }), lookAgainMs)
    return () => clearInterval(timer)
  }, [queries])
  return null
}

const person = (): Column<Device> => ({
  id: 'person',
  head: t('Person'),
  sort: 'user_name',
  cell: ({ id, user_name, name }) => (
    <OpenLink id={id} className="person">
      <span className="clip">
        <span dir="auto">{user_name}</span>
        <small className="clip" dir="auto">
          {name ?? t('A phone')}
        </small>
      </span>
    </OpenLink>
  ),
})

const app = (): Column<Device> => ({
  id: 'app_version',
  head: labelOf('device.app_version'),
  sort: 'app_version',
  width: 64,
  cell: ({ app_version }) => <span className="two-ink">{app_version}</span>,
})

const heard = (): Column<Device> => ({
  id: 'heard_at',
  head: t('Last heard'),
  sort: 'heard_at',
  width: 112,
  cell: ({ heard_at, signed_out_at }) => <When at={heard_at}>{signed_out_at && t('signed out')}</When>,
})

const waiting = (): Column<Device> => ({
  id: 'waiting_entries',
  head: t('Waiting there'),
  sort: 'waiting_entries',
  width: 150,
  cell: ({ waiting_entries, refused_entries, oldest_waiting_at }) =>
    waiting_entries + refused_entries === 0 ? (
      <span className="dim">{t('nothing')}</span>
    ) : (
      <>
        {refused_entries > 0 && <b className="bad">{t('{count} refused', { count: refused_entries })} </b>}
        {waiting_entries > 0 && <When at={oldest_waiting_at}>{t('{count} waiting', { count: waiting_entries })}</When>}
      </>
    ),
})

const keeps = (): Column<Device> => ({
  id: 'storage_persistent',
  head: t('Keeps its data'),
  sort: 'storage_persistent',
  width: 104,
  cell: ({ storage_persistent: is }) =>
    is === null ? <span className="dim">{t('not told')}</span> : is ? t('yes') : <b className="risk">{t('no')}</b>,
})

const battery = (): Column<Device> => ({
  id: 'battery_percent',
  head: t('Battery'),
  sort: 'battery_percent',
  numeric: true,
  width: 74,
  cell: ({ battery_percent: percent }) =>
    percent === null ? (
      <span className="dim">{t('not told')}</span>
    ) : (
      <span className={percent < lowBattery ? 'bad' : ''}>{percent} %</span>
    ),
})

const answers = { granted: msg('allowed'), denied: msg('not allowed'), prompt: msg('not asked yet') }

/** How much room the app takes, and what the browser lets it do; as far as that is told. */
function Allowed({
  device: { storage_used_bytes: used, storage_quota_bytes: quota, permissions },
}: {
  device: Device
}) {
  const { locale } = useRecords()
  const megabytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })
  const size = (bytes: number) => megabytes.format(bytes / 1e6)
  const said: [label: string, value: string][] = [
    ...(used === null || quota === null
      ? []
      : [[t('Room'), t('{used} of {quota}', { used: size(used), quota: size(quota) })] as [string, string]]),
    ...Object.entries(permissions ?? {}).flatMap(([name, answer]): [string, string][] =>
      answer ? [[labelOf(`device.${name}`), t(answers[answer])]] : [],
    ),
  ]
  return (
    <dl className="kv">
      {said.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function When({ at, children }: { at: string | null; children?: ReactNode }) {
  const { formats } = useRecords()
  return (
    <span>
      {children}
      {children && at && ', '}
      {at && formats.brief(at)}
    </span>
  )
}
