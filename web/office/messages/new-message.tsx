import { type FormEvent, useState } from 'react'
import { thread } from '../../../src/records/thread.ts'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LabeledField } from '../../ui/fields/field.tsx'
import { RecordPicker, RecordsPicker } from '../../ui/fields/picker.tsx'
import { FlagInput, LongTextInput, TextInput } from '../../ui/fields/plain.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import type { Id } from '../../ui/records/names.ts'
import { t } from '../../ui/words.ts'
import { useOpens } from '../tabs.ts'

const empty = {
  user_ids: [] as number[],
  all_workers: false,
  job_id: null as number | null,
  subject: null as string | null,
  body: null as string | null,
}

/** A new thread: to people or to all workers, about a job or none. */
export function NewMessage({ onClose, onSent }: { onClose: () => void; onSent: (thread: string) => void }) {
  const { client } = useRecords()
  const opens = useOpens()
  const [draft, setDraft] = useState(empty)
  const [error, setError] = useState<ApiError | null>(null)
  const set = (change: Partial<typeof empty>) => setDraft({ ...draft, ...change })
  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    const { body, ...about } = draft
    try {
      const { row } = await client.create(thread, { ...about, messages: [{ body: body ?? '' }] })
      onSent(row.id)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    }
  }
  const isToNobody = draft.user_ids.length === 0 && !draft.all_workers && draft.job_id === null
  return (
    <Dialog
      open
      as="sheet"
      title={t('New message')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            icon="send"
            type="submit"
            form="new-message"
            unless={isToNobody ? t('Say to whom, or about which job') : !draft.body && t('Nothing is written yet')}
          >
            {t('Send')}
          </Button>
        </>
      }
    >
      <form id="new-message" className="form-fields" onSubmit={onSubmit}>
        {error && <Verdict kind="no">{error.message}</Verdict>}
        <LabeledField label={t('To')}>
          {(given) => (
            <RecordsPicker
              {...given}
              target="user"
              value={draft.user_ids}
              onChange={(ids: Id[]) => set({ user_ids: ids.map(Number) })}
            />
          )}
        </LabeledField>
        <FlagInput
          label={t('To all workers')}
          value={draft.all_workers}
          onChange={(all_workers) => set({ all_workers })}
        />
        {opens('jobs') && (
          <LabeledField
            label={t('About the job')}
            hint={t('Its worker gets the message, and whoever gets the job later')}
          >
            {(given) => (
              <RecordPicker
                {...given}
                target="job"
                value={draft.job_id}
                onChange={(id) => set({ job_id: id === null ? null : Number(id) })}
              />
            )}
          </LabeledField>
        )}
        <LabeledField label={t('Subject')}>
          {(given) => <TextInput {...given} max={255} value={draft.subject} onChange={(subject) => set({ subject })} />}
        </LabeledField>
        <LabeledField label={t('Message')} required>
          {(given) => <LongTextInput {...given} value={draft.body} onChange={(body) => set({ body })} />}
        </LabeledField>
      </form>
    </Dialog>
  )
}
