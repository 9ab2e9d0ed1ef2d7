import { useState } from 'react'
import type { Act as Deed, Entry } from '../client/phone/entry.ts'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { count, fill, itemName, note } from './acts.ts'
import { wordsOf } from './entry-words.ts'
import { FieldInput } from './field-input.tsx'
import { NumberInput, TextInput } from './inputs.tsx'
import { handOver } from './message-acts.ts'
import { Act, Card, Say, Sheet, Side } from './parts.tsx'
import { goBack } from './route.ts'
import { Screen } from './screen.tsx'
import { currentPhone, rowOf, useFormats, useShown } from './store.ts'
import { tell } from './toast.tsx'

/** What the office did not take: why, and the ways on. */
export function EntryPage({ id }: { id: string }) {
  const shown = useShown()
  const { time } = useFormats()
  const [asks, setAsks] = useState<'change' | 'discard' | null>(null)
  const entry = shown.entries.find((one) => one.id === id)
  const editor = useEditor(entry)
  if (entry?.state !== 'refused')
    return (
      <Screen page title={t('Outbox')}>
        <Say how="note" head={t('This is no longer open.')} />
      </Screen>
    )
  const again = async (changed?: Deed) => {
    await currentPhone().again(entry.id, changed)
    tell(t('On its way again'))
    goBack()
  }
  const away = async (instead: Deed[], words: string) => {
    await currentPhone().discard(entry.id, instead)
    tell(words)
    goBack()
  }
  const faults = entry.refusal?.faults ?? []
  const isGone = entry.refusal?.status === 404
  return (
    <Screen
      page
      title={t('Needs you')}
      acts={
        editor ? (
          <Act icon="pen" onAct={() => setAsks('change')}>
            {t('Change it and send again')}
          </Act>
        ) : (
          <Act icon="upload" onAct={() => again()}>
            {t('Send again')}
          </Act>
        )
      }
    >
      <Card kind="big" state="refused" head={<b>{t('Not taken')}</b>}>
        <h2 className="c">{wordsOf(entry)}</h2>
        {entry.words.values.job && <span className="k">{entry.words.values.job}</span>}
        <div className="facts">
          <Icon name="clock" />
          <span>{t('You entered it at {time}', { time: time(entry.madeAt) })}</span>
        </div>
      </Card>
      <Card kind="sec" head={<h2>{t('What the office’s server says')}</h2>}>
        {isGone && <p className="md">{t('The office has deleted this. What you did is kept here.')}</p>}
        {faults.map(({ message, remedy }) => (
          <div key={message}>
            <p className="md">{message}</p>
            {remedy && <p className="two-ink">{t('What mends it: {remedy}', { remedy })}</p>}
          </div>
        ))}
      </Card>
      <Card kind="sec" flush head={<h2>{t('Ways on')}</h2>}>
        <div className="rows ways">
          {editor && (
            <button type="button" onClick={() => again()}>
              <Icon name="upload" />
              <b className="w">{t('Send again')}</b>
            </button>
          )}
          {!entry.file && (
            <button type="button" onClick={() => away(handOver(entry), t('Handed to the office'))}>
              <Icon name="messages" />
              <span className="w">
                <b>{t('Hand it to the office')}</b>
                <small>{t('It becomes a message, with all that is in it.')}</small>
              </span>
            </button>
          )}
          <button type="button" onClick={() => setAsks('discard')}>
            <Icon name="trash" />
            <span className="w">
              <b>{t('Throw it away')}</b>
              <small>{t('Asks you first')}</small>
            </span>
          </button>
        </div>
      </Card>
      {asks === 'change' && editor?.(again, () => setAsks(null))}
      {asks === 'discard' && (
        <Sheet
          title={t('Throw this away?')}
          sub={t('The office never had it. It is only on this phone, and then it is gone.')}
          onClose={() => setAsks(null)}
          acts={
            <>
              <Side wide onAct={() => away([], t('Thrown away'))}>
                {t('Throw away')}
              </Side>
              <Act mid onAct={() => setAsks(null)}>
                {t('Keep it')}
              </Act>
            </>
          }
        >
          <p>{wordsOf(entry)}</p>
        </Sheet>
      )}
    </Screen>
  )
}

type Editor = (onChanged: (act: Deed) => void, onClose: () => void) => React.ReactNode

/** The sheet in which such an entry is changed, with what it says; null for what can't be said otherwise. */
function useEditor(entry: Entry | undefined): Editor | null {
  const shown = useShown()
  if (!entry) return null
  const [, , list, itemId] = entry.path.split('/')
  const { words } = entry
  const job = rowOf(shown, 'job', entry.lane.replace(/^jobs\//, ''))
  const value = words.values.value === null ? null : String(words.values.value ?? '')
  const input = { place: `again/${entry.id}`, value }
  if (words.key === 'message')
    return (onChanged, onClose) => (
      <TextInput
        {...input}
        title={t('Message')}
        onClose={onClose}
        onSave={(text) => text && onChanged(withText(entry, text))}
      />
    )
  if (!job) return null
  const field = list === 'custom_fields' && job.custom_fields.find((one) => String(one.id) === itemId)
  if (field && words.key === 'field')
    return (onChanged, onClose) => (
      <FieldInput
        job={job}
        field={{ ...field, value }}
        place={input.place}
        onSave={(text) => onChanged(fill(job, field, text))}
        onClose={onClose}
      />
    )
  const item = list === 'line_items' && job.line_items.find((one) => String(one.id) === itemId)
  if (item)
    return (onChanged, onClose) => (
      <NumberInput
        {...input}
        title={itemName(item)}
        onClose={onClose}
        onSave={(text) => onChanged(count(job, item, text))}
      />
    )
  if (words.key === 'notes')
    return (onChanged, onClose) => (
      <TextInput {...input} title={t('Notes')} onClose={onClose} onSave={(text) => onChanged(note(job, text))} />
    )
  return null
}

/** The same message, saying something else. */
function withText({ method, path, body, effects, words }: Entry, text: string): Deed {
  const said = JSON.parse(JSON.stringify({ body, effects }), (name, value) =>
    name === 'body' && typeof value === 'string' ? text : value,
  )
  return { method, path, ...said, words: { ...words, values: { ...words.values, value: text } } }
}
