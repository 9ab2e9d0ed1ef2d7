import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { jobStates, stateOf } from '../ui/job-state.ts'
import { t } from '../ui/words.ts'
import { note, proveDelivery } from './acts.ts'
import { anchorOf, TwoValues, useDisputes } from './conflict.tsx'
import { Mark } from './fields.tsx'
import { TextInput } from './inputs.tsx'
import { Card, To } from './parts.tsx'
import { ReceiptWords } from './receipts.tsx'
import { SignatureScreen } from './signature.tsx'
import { currentPhone, type Job, rowOf, rowsOf, useFormats, useShown } from './store.ts'
import { tell } from './toast.tsx'

/** Notes, which both sides write; what the work is done on; which qualifications it takes. */
export function About({ job }: { job: Job }) {
  const shown = useShown()
  const { date } = useFormats()
  const [writes, setWrites] = useState(false)
  const dispute = useDisputes(job).find((one) => anchorOf(one) === 'notes')
  const me = rowOf(shown, 'user', currentPhone().person.user_id)
  const tags = (me?.tags ?? []).filter(({ id }) => job.tag_ids.includes(id))
  const place = `jobs/${job.id}/notes`
  return (
    <Card kind="sec" flush head={<h2 id="about">{t('About this job')}</h2>}>
      {dispute ? (
        <TwoValues dispute={dispute} />
      ) : (
        <button type="button" id="notes" className={job.notes ? 'fld full' : 'fld'} onClick={() => setWrites(true)}>
          <span>
            <span className="l">{t('Notes')}</span>
            <span className={job.notes ? 'v' : 'v ph'}>{job.notes ?? t('Empty')}</span>
            <Mark job={job} path="notes" />
          </span>
          <span className="kind">
            <Icon name="note" />
          </span>
        </button>
      )}
      <div className="rows">
        {job.asset_ids.map((id) => (
          <Asset key={id} id={id} job={job} />
        ))}
        {job.equipment_ids.map((id) => {
          const equipment = rowOf(shown, 'equipment', id)
          return (
            equipment && (
              <div key={id}>
                <Icon name="van" />
                <span className="w">
                  {equipment.name}
                  <small>{[equipment.model, equipment.serial].filter(Boolean).join(' · ')}</small>
                </span>
              </div>
            )
          )
        })}
        {tags.map(({ id, name, expires_at }) => (
          <div key={id}>
            <Icon name="tag" />
            <span className="w">
              {name}
              {expires_at && <small>{t('you hold it until {date}', { date: date(expires_at) })}</small>}
            </span>
          </div>
        ))}
      </div>
      {writes && (
        <TextInput
          place={place}
          title={t('Notes')}
          value={job.notes}
          onClose={() => setWrites(false)}
          onSave={(text) => {
            setWrites(false)
            void currentPhone().act([note(job, text)], place)
          }}
        />
      )}
    </Card>
  )
}

const EARLIER = 3

/** What the work is done on, and what this phone knows of work that was done on it. */
function Asset({ id, job }: { id: number; job: Job }) {
  const shown = useShown()
  const { date } = useFormats()
  const asset = rowOf(shown, 'asset', id)
  if (!asset) return null
  const earlier = rowsOf(shown, 'job')
    .filter((one) => one.id !== job.id && one.asset_ids.includes(id))
    .toSorted((one, other) => (other.completed_at ?? '9').localeCompare(one.completed_at ?? '9'))
    .slice(0, EARLIER)
  return (
    <div>
      <Icon name="equipment" />
      <span className="w">
        {asset.name}
        <small>{[asset.third_party_id, asset.model, asset.serial].filter(Boolean).join(' · ')}</small>
        {earlier.map((one) => (
          <To key={one.id} className="link" to={`/jobs/${one.id}`}>
            {[one.completed_at ? date(one.completed_at) : t(jobStates[stateOf(one)]), one.template_name]
              .filter(Boolean)
              .join(', ')}
          </To>
        ))}
      </span>
    </div>
  )
}

/** Name and signature for the whole job. */
export function Delivery({ job }: { job: Job }) {
  const { entries } = useShown()
  const { time } = useFormats()
  const [signs, setSigns] = useState(false)
  const proof = job.proof_of_delivery
  const entry = entries.findLast(({ path }) => path === `jobs/${job.id}/proof_of_delivery`)
  const { first_name, last_name } = job.contact ?? {}
  return (
    <Card kind="sec" flush head={<h2 id="delivery">{t('Proof of delivery')}</h2>}>
      <button type="button" className={proof ? 'fld full' : 'fld'} onClick={() => setSigns(true)}>
        <span>
          <span className="l">{t('Signature for the whole job')}</span>
          <span className={proof ? 'v' : 'v ph'}>
            {proof
              ? [proof.name, proof.signed_at && time(proof.signed_at)].filter(Boolean).join(', ')
              : t('Not signed')}
          </span>
          {entry && (
            <span className="after">
              <ReceiptWords id={entry.id} />
            </span>
          )}
        </span>
        <span className="kind">
          <Icon name="sign" />
        </span>
      </button>
      {signs && (
        <SignatureScreen
          title={[job.template_name, job.customer_name].filter(Boolean).join(', ')}
          signer={[first_name, last_name].filter(Boolean).join(' ')}
          onClose={() => setSigns(false)}
          onSigned={async (bytes, name) => {
            setSigns(false)
            await currentPhone().act([proveDelivery(job, name, bytes)])
            tell(t('Signature kept'))
          }}
        />
      )}
    </Card>
  )
}
