import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { LabeledField } from '../../ui/fields/field.tsx'
import { TextInput } from '../../ui/fields/plain.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { useNames } from '../../ui/records/names.ts'
import { t } from '../../ui/words.ts'
import { Form } from './in-place.tsx'
import { type Job, useOpenJob } from './open-job.ts'
import { Section } from './section.tsx'

type Step = Job['steps'][number]

/** The steps in their order: ticked, taken back, added, taken away. */
export function Steps() {
  const { job, mayChange } = useOpenJob()
  const [adding, setAdding] = useState(false)
  const nameOf = useNames({ user: job.steps.flatMap(({ completed_by_user_id }) => completed_by_user_id ?? []) })
  const done = job.steps.filter(({ completed_at }) => completed_at).length
  const now = job.progress_state === 'started' ? job.steps.find(({ completed_at }) => !completed_at) : undefined
  return (
    <Section
      title={t('Steps')}
      beside={t('{done} of {all}', { done, all: job.steps.length })}
      end={
        mayChange && (
          <Button small kind="quiet" icon="plus" onClick={() => setAdding(true)}>
            {t('Step')}
          </Button>
        )
      }
    >
      <ol className="steps">
        {job.steps.map((step) => (
          <Line
            key={step.id}
            step={step}
            isNow={step === now}
            by={step.completed_by_user_id === null ? undefined : nameOf('user', step.completed_by_user_id)}
          />
        ))}
      </ol>
      {adding && <NewStep onClose={() => setAdding(false)} />}
    </Section>
  )
}

function Line({ step, isNow, by }: { step: Step; isNow: boolean; by: string | undefined }) {
  const { job, path, mayChange, act, changeList } = useOpenJob()
  const { formats } = useRecords()
  const { id, name, completed_at } = step
  const turned = completed_at ? null : new Date().toISOString()
  const box = <span className="box">{completed_at ? <Icon name="check" /> : isNow && <Icon name="play" />}</span>
  return (
    <li className={completed_at ? 'step d' : isNow ? 'step now' : 'step'}>
      {mayChange ? (
        // biome-ignore lint/a11y/useSemanticElements: a tick is a write, and stands as the server has it
        <button
          type="button"
          className="tick"
          role="checkbox"
          aria-checked={completed_at !== null}
          aria-label={name}
          onClick={() =>
            void act({
              method: completed_at ? 'DELETE' : 'POST',
              path: `${path}/steps/${id}/completion`,
              says: completed_at ? t('{step} is open again', { step: name }) : t('{step} is completed', { step: name }),
              expects: { steps: job.steps.map((one) => (one.id === id ? { ...one, completed_at: turned } : one)) },
            })
          }
        >
          {box}
        </button>
      ) : (
        box
      )}
      <span dir="auto">{name}</span>
      <span className="t">
        {completed_at && formats.brief(completed_at)}
        {completed_at && by && `, ${by}`}
        {mayChange && !completed_at && job.steps.length > 1 && (
          <Button
            small
            kind="quiet"
            icon="x"
            aria-label={t('Take {name} away', { name })}
            onClick={() =>
              void changeList(
                'steps',
                (steps) => steps.filter((one) => one.id !== id),
                t('{step} is taken away', { step: name }),
              )
            }
          />
        )}
      </span>
    </li>
  )
}

function NewStep({ onClose }: { onClose: () => void }) {
  const { changeList } = useOpenJob()
  const [name, setName] = useState<string | null>(null)
  return (
    <Form
      label={t('New step')}
      act={t('Add')}
      onClose={onClose}
      save={async () => {
        const says = t('{step} is added', { step: name })
        await changeList('steps', (steps) => [...steps, { name: name ?? '' }], says)
        onClose()
      }}
    >
      <LabeledField label={t('What is to be done')} required>
        {(given) => <TextInput {...given} value={name} onChange={setName} max={255} />}
      </LabeledField>
    </Form>
  )
}
