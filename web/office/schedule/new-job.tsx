import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { customer as customers } from '../../../src/records/customer.ts'
import { template as templates } from '../../../src/records/template.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LabeledField } from '../../ui/fields/field.tsx'
import { ChoiceInput, FlagInput, LongTextInput, TextInput } from '../../ui/fields/plain.tsx'
import { caps, together } from '../../ui/keys.ts'
import { Verdict } from '../../ui/marks.tsx'
import { t } from '../../ui/words.ts'
import type { Question } from './acts.ts'
import type { Candidate } from './board/verdict.ts'
import { useDesk } from './desk.ts'
import { rowVerdictOf } from './drag/lift.ts'
import type { Target } from './drag/target.ts'
import { make } from './make.ts'
import { saidDuration } from './time/said.ts'
import { dayOf } from './time/zone.ts'
import { dayText, durationText, timeText } from './words.ts'
import { isoOf } from './writes.ts'

/** A job that is made where it was pointed at: what a template knows is not asked. */
export function NewJobSheet({ at }: Extract<Question, { kind: 'new' }>) {
  const desk = useDesk()
  const { client } = desk.board.live
  const list = useId()
  const [customer, setCustomer] = useState<string | null>(null)
  const [templateId, setTemplate] = useState<string | null>(null)
  const [work, setWork] = useState<string | null>(null)
  const [takes, setTakes] = useState<string | null>(null)
  const [notes, setNotes] = useState<string | null>(null)
  const [urgent, setUrgent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const known = useQuery({
    queryKey: ['list', 'template', 'all'],
    queryFn: ({ signal }) => client.listAll(templates, { enabled: true, kind: 'job' }, { signal }),
  })
  const found = useQuery({
    queryKey: ['list', 'customer', 'named', customer],
    queryFn: async ({ signal }) =>
      (await client.list(customers, { search: customer ?? '', per_page: 8 }, { signal })).rows,
    enabled: (customer ?? '').length >= 2,
    placeholderData: (before) => before,
  })
  const template = known.data?.find(({ id }) => String(id) === templateId)
  const seconds = takes ? saidDuration(takes) : (template?.planned_duration ?? 3600)
  const missing =
    (!customer?.trim() && t('Say for whom first')) ||
    (!template && !work?.trim() && t('Say what is to be done first')) ||
    (seconds === null && t('Say how long it takes: 90, 1:30, 2 h'))
  const close = () => desk.acts.question.set(null)
  const send = async () => {
    if (missing || isBusy) return
    setBusy(true)
    const said = {
      customer_name: customer?.trim() ?? '',
      template_id: template?.id ?? null,
      work: work?.trim() ?? '',
      planned_duration: takes ? seconds : null,
      notes: notes ?? '',
      urgent,
    }
    const isMade = await make(desk, said, at)
    setBusy(false)
    if (isMade) close()
  }
  return (
    <Dialog
      open
      onClose={close}
      title={t('New job')}
      foot={
        <>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            unless={missing}
            busy={isBusy}
            onClick={() => void send()}
            shortcut={together(caps.mod, caps.enter)}
          >
            {t('Make the job')}
          </Button>
        </>
      }
    >
      <form
        className="new-job"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send()
        }}
        onKeyDown={(event) => event.key === 'Enter' && (event.metaKey || event.ctrlKey) && void send()}
      >
        {at && (
          <Where at={at} seconds={seconds ?? 3600} tags={template?.tag_ids ?? []} groups={template?.group_ids ?? []} />
        )}
        <LabeledField label={t('Template')}>
          {(given) => (
            <ChoiceInput
              {...given}
              value={templateId}
              onChange={setTemplate}
              options={(known.data ?? []).map(({ id, name }) => [String(id), name] as const)}
            />
          )}
        </LabeledField>
        {!template && (
          <LabeledField label={t('What is to be done')}>
            {(given) => <TextInput {...given} value={work} onChange={setWork} max={255} />}
          </LabeledField>
        )}
        <LabeledField label={t('Customer')} hint={t('A name that nobody has yet makes a customer')}>
          {({ id, describedBy }) => (
            <span className="input">
              <input
                id={id}
                aria-describedby={describedBy}
                list={list}
                autoFocus
                autoComplete="off"
                dir="auto"
                maxLength={255}
                value={customer ?? ''}
                onChange={(event) => setCustomer(event.target.value)}
              />
            </span>
          )}
        </LabeledField>
        <datalist id={list}>
          {found.data?.map(({ id, name }) => (
            <option key={id} value={name ?? ''} />
          ))}
        </datalist>
        <LabeledField label={t('Takes')}>
          {(given) => (
            <TextInput
              {...given}
              wrong={seconds === null}
              value={takes ?? durationText((template?.planned_duration ?? 3600) * 1000)}
              onChange={(said) => setTakes(said ?? '')}
            />
          )}
        </LabeledField>
        <LabeledField label={t('Notes')}>
          {(given) => <LongTextInput {...given} value={notes} onChange={setNotes} />}
        </LabeledField>
        <FlagInput label={t('Urgent')} value={urgent} onChange={setUrgent} />
      </form>
    </Dialog>
  )
}

interface WhereProps {
  at: Pick<Target, 'row' | 'from'>
  seconds: number
  tags: readonly number[]
  groups: readonly number[]
}

/** When and with whom, and what the guard says of that. */
function Where({ at, seconds, tags, groups }: WhereProps) {
  const desk = useDesk()
  const worker = typeof at.row === 'number' ? at.row : null
  const { data } = useQuery({
    queryKey: ['fits', worker, at.from, seconds, tags, groups],
    queryFn: async ({ signal }) => {
      const draft = { planned_start_at: isoOf(at.from), planned_duration: seconds, tag_ids: tags, group_ids: groups }
      const body = { candidates: { worker_ids: [worker], jobs: [draft] } }
      const asked = { body, signal }
      const { body: answer } = await desk.board.live.client.request<{ jobs: { candidates: Candidate[] }[] }>(
        'POST',
        'candidates',
        asked,
      )
      return answer.jobs[0]?.candidates[0] ?? null
    },
    enabled: worker !== null,
  })
  const verdict = data && rowVerdictOf(data, desk)
  const name = worker === null ? t('Nobody') : desk.workerName(worker)
  const day = dayText(dayOf(at.from, desk.zone), desk.locale)
  return (
    <>
      <p className="two-ink">{`${day}, ${timeText(at.from, desk.zone)}, ${name}`}</p>
      {verdict && verdict.kind !== 'yes' && <Verdict kind={verdict.kind} title={verdict.line} />}
    </>
  )
}
