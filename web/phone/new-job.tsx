import { useEffect, useState } from 'react'
import type { ApiFault } from '../client/index.ts'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { useDraft } from './draft.ts'
import { InstantInput, TextInput } from './inputs.tsx'
import { checkJob, type JobDraft, makeJob } from './job-draft.ts'
import { Act, Card, Say, Sheet } from './parts.tsx'
import { go } from './route.ts'
import { Screen } from './screen.tsx'
import { currentPhone, rowOf, rowsOf, useFormats, useMay, useShown } from './store.ts'
import { tell } from './toast.tsx'

const place = 'new-job'

/** A job that somebody on the road makes: what, for whom, when, who. It is made at once, with or without a connection. */
export function NewJob() {
  const [text, setText] = useDraft(place, '')
  const draft: JobDraft | null = text ? JSON.parse(text) : null
  const change = (more: Partial<JobDraft>) =>
    setText(
      JSON.stringify({
        templateId: null,
        what: '',
        customerId: null,
        customer: '',
        at: null,
        workerId: currentPhone().person.user_id,
        notes: null,
        ...draft,
        ...more,
      } satisfies JobDraft),
    )
  if (!draft) return <What onChosen={change} />
  return <Form draft={draft} onChange={change} onAnew={() => setText('')} />
}

function What({ onChosen }: { onChosen: (draft: Partial<JobDraft>) => void }) {
  const [writes, setWrites] = useState(false)
  const { duration } = useFormats()
  const templates = rowsOf(useShown(), 'template')
    .filter(({ enabled, kind }) => enabled && kind === 'job')
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Screen page title={t('New job')}>
      <h2 className="cap">{t('What is to be done?')}</h2>
      <div className="list rows picks">
        {templates.map(({ id, name, steps, planned_duration }) => (
          <button type="button" key={id} onClick={() => onChosen({ templateId: id, what: name })}>
            <span className="w">
              <b className="md">{name}</b>
              <small>
                {[
                  t('{count, plural, one {# step} other {# steps}}', { count: steps.length }),
                  planned_duration && duration(planned_duration),
                ]
                  .filter(Boolean)
                  .join(', ')}
              </small>
            </span>
            <Icon name="right" className="go" />
          </button>
        ))}
        <button type="button" onClick={() => setWrites(true)}>
          <span className="w">
            <b className="md">{t('Something else')}</b>
          </span>
          <Icon name="right" className="go" />
        </button>
      </div>
      {writes && (
        <TextInput
          place={`${place}/what`}
          title={t('What is to be done?')}
          value={null}
          onClose={() => setWrites(false)}
          onSave={(what) => what && onChosen({ templateId: null, what })}
        />
      )}
    </Screen>
  )
}

interface FormProps {
  draft: JobDraft
  onChange: (more: Partial<JobDraft>) => void
  onAnew: () => void
}

function Form({ draft, onChange, onAnew }: FormProps) {
  const shown = useShown()
  const { dateTime } = useFormats()
  const [asks, setAsks] = useState<'customer' | 'at' | 'worker' | 'notes' | null>(null)
  const verdict = useVerdict(draft)
  const { person } = currentPhone()
  const mayAssign = useMay('mobile_jobs_assign')
  const set = (more: Partial<JobDraft>) => {
    setAsks(null)
    onChange(more)
  }
  const create = async () => {
    if (!draft.customer) return setAsks('customer')
    const { act, id } = makeJob(draft, rowOf(shown, 'template', draft.templateId))
    await currentPhone().act([act], place)
    tell(t('Job made here. It gets its number from the office.'))
    go(draft.workerId === person.user_id ? `/jobs/${id}` : '/', 'instead')
  }
  const worker = rowOf(shown, 'user', draft.workerId)?.name ?? person.user_name
  return (
    <Screen
      page
      title={t('New job')}
      acts={
        <Act icon="plus" {...(!draft.customer && { small: t('First for whom') })} onAct={create}>
          {t('Create the job')}
        </Act>
      }
    >
      <Card kind="sec" flush head={<h2>{draft.what}</h2>}>
        <Slip label={t('What')} value={draft.what} onOpen={onAnew} />
        <Slip label={t('For whom')} value={draft.customer} isNeeded onOpen={() => setAsks('customer')} />
        <Slip label={t('When')} value={draft.at && dateTime(draft.at)} onOpen={() => setAsks('at')} />
        {mayAssign && <Slip label={t('Who')} value={worker} onOpen={() => setAsks('worker')} />}
        <Slip label={t('Notes')} value={draft.notes} onOpen={() => setAsks('notes')} />
      </Card>
      <Verdict verdict={verdict} />
      {asks === 'customer' && <Customer onClose={() => setAsks(null)} onChosen={set} />}
      {asks === 'worker' && <Worker chosen={draft.workerId} onClose={() => setAsks(null)} onChosen={set} />}
      {asks === 'at' && (
        <InstantInput
          place={`${place}/at`}
          title={t('When')}
          value={draft.at}
          onClose={() => setAsks(null)}
          onSave={(at) => set({ at })}
        />
      )}
      {asks === 'notes' && (
        <TextInput
          place={`${place}/notes`}
          title={t('Notes')}
          value={draft.notes}
          onClose={() => setAsks(null)}
          onSave={(notes) => set({ notes })}
        />
      )}
    </Screen>
  )
}

function Slip({
  label,
  value,
  isNeeded,
  onOpen,
}: {
  label: string
  value: string | null
  isNeeded?: boolean
  onOpen: () => void
}) {
  return (
    <button type="button" className={value ? 'fld full' : 'fld'} onClick={onOpen}>
      <span>
        <span className="l">
          {label}
          {isNeeded && !value && <em className="need">{t('Needed')}</em>}
        </span>
        <span className={value ? 'v' : 'v ph'}>{value || t('Empty')}</span>
      </span>
      <span className="kind">
        <Icon name="pen" />
      </span>
    </button>
  )
}

/** What the office says to such a job, where it can be asked. */
function useVerdict(draft: JobDraft): ApiFault[] | 'unasked' | null {
  const [verdict, setVerdict] = useState<ApiFault[] | 'unasked' | null>(null)
  const asked = JSON.stringify(draft)
  useEffect(() => {
    let isOld = false
    const { customer } = JSON.parse(asked) as JobDraft
    if (customer)
      void checkJob(JSON.parse(asked)).then(
        (faults) => !isOld && setVerdict(faults),
        () => !isOld && setVerdict('unasked'),
      )
    return () => {
      isOld = true
    }
  }, [asked])
  return verdict
}

function Verdict({ verdict }: { verdict: ApiFault[] | 'unasked' | null }) {
  if (verdict === null) return null
  if (verdict === 'unasked')
    return (
      <Say how="note" head={t('Not checked yet')}>
        <span>
          {t(
            'Without signal nobody can say whether the time is free. The job is made on this phone now, and the office checks it when it arrives.',
          )}
        </span>
      </Say>
    )
  if (verdict.length === 0) return <Say how="yes" head={t('It can be done so')} />
  return (
    <Say how="warn" head={t('Look at this first')}>
      {verdict.map(({ message, remedy }) => (
        <span key={message}>{[message, remedy].filter(Boolean).join('. ')}</span>
      ))}
    </Say>
  )
}

interface Choosing {
  onChosen: (more: Partial<JobDraft>) => void
  onClose: () => void
}

function Customer({ onChosen, onClose }: Choosing) {
  const [text, setText] = useState('')
  const customers = rowsOf(useShown(), 'customer')
    .filter(({ name }) => name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Sheet title={t('For whom?')} sub={t('Looks through the customers on this phone.')} onClose={onClose}>
      <span className="input">
        <Icon name="search" />
        <input type="search" aria-label={t('Name')} value={text} onChange={(event) => setText(event.target.value)} />
      </span>
      <div className="rows">
        {customers.map(({ id, name, delivery_contact }) => (
          <button type="button" key={id} onClick={() => onChosen({ customerId: id, customer: name })}>
            <span className="w">
              <b className="md">{name}</b>
              <small>{delivery_contact?.location?.formatted_address ?? delivery_contact?.location?.address1}</small>
            </span>
            <Icon name="right" className="go" />
          </button>
        ))}
        {text.trim() && (
          <button type="button" onClick={() => onChosen({ customerId: null, customer: text.trim() })}>
            <Icon name="plus" />
            <b className="w">{t('New customer “{name}”', { name: text.trim() })}</b>
          </button>
        )}
      </div>
    </Sheet>
  )
}

function Worker({ chosen, onChosen, onClose }: Choosing & { chosen: number }) {
  const workers = rowsOf(useShown(), 'user')
    .filter(({ is_worker }) => is_worker)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <Sheet title={t('Who does it?')} onClose={onClose}>
      <div className="rows picks" role="radiogroup" aria-label={t('Who does it?')}>
        {workers.map(({ id, name }) => (
          // biome-ignore lint/a11y/useSemanticElements: the whole row is what is touched
          <button
            type="button"
            key={id}
            role="radio"
            aria-checked={id === chosen}
            className={id === chosen ? 'on' : ''}
            onClick={() => onChosen({ workerId: id })}
          >
            <span className="box round" />
            <span className="w md">{name}</span>
          </button>
        ))}
      </div>
    </Sheet>
  )
}
