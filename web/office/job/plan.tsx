import type { ReactNode } from 'react'
import type { Field } from '../../../src/fields/index.ts'
import { job as record } from '../../../src/records/job.ts'
import { LabeledField } from '../../ui/fields/field.tsx'
import { FieldInput } from '../../ui/fields/field-input.tsx'
import { NumberInput } from '../../ui/fields/plain.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { t } from '../../ui/words.ts'
import { InPlace } from './in-place.tsx'
import { type Job, useOpenJob } from './open-job.ts'

const instants = ['planned_start_at', 'due_from', 'due_by'] as const
type Plan = Pick<Job, (typeof instants)[number] | 'planned_duration'>

/** When it is planned, how long it takes, and what the customer was promised; `children` say it elsewhere. */
export function PlanInPlace({ children }: { children?: ReactNode }) {
  const { job, change } = useOpenJob()
  const { planned_start_at, planned_duration, due_from, due_by } = job
  const plan: Plan = { planned_start_at, planned_duration, due_from, due_by }
  return (
    <InPlace
      label={t('Time')}
      value={plan}
      save={async (now, seen) => {
        const names = ([...instants, 'planned_duration'] as const).filter((name) => now[name] !== seen[name])
        const only = (of: Plan) => Object.fromEntries(names.map((name) => [name, of[name]]))
        if (names.length > 0) await change(only(now), only(seen), t('The time is saved'))
      }}
      form={(now, set) => (
        <>
          {instants.map((name) => (
            <FieldInput
              key={name}
              field={record.fields[name] as Field<unknown>}
              path={name}
              of={record.name}
              value={now[name]}
              onChange={(value) => set({ ...now, [name]: value })}
              faultOf={() => undefined}
            />
          ))}
          <LabeledField label={t('Takes, in minutes')}>
            {(given) => (
              <NumberInput
                {...given}
                whole
                value={now.planned_duration === null ? null : String(now.planned_duration / 60)}
                onChange={(text) => set({ ...now, planned_duration: secondsIn(text) })}
              />
            )}
          </LabeledField>
        </>
      )}
    >
      {children ?? <PlanShown {...plan} />}
    </InPlace>
  )
}

function PlanShown({ planned_start_at: start, planned_duration: takes, due_from, due_by }: Plan) {
  const { formats } = useRecords()
  const end = start && takes !== null ? new Date(Date.parse(start) + takes * 1000).toISOString() : null
  return (
    <>
      <div className="line">
        <Icon name="clock" />
        {start ? (
          <b>{end ? `${formats.time(start)}–${formats.time(end)}` : formats.time(start)}</b>
        ) : (
          <span className="dim">{t('no time')}</span>
        )}
        {takes !== null && <span className="two-ink">{formats.duration(takes)}</span>}
      </div>
      <div className="line">
        <Icon name="calendar" />
        <span className="two-ink">
          {start && formats.date(start)}
          {start && (due_from || due_by) && ', '}
          <Due from={due_from} by={due_by} />
          {!start && !due_from && !due_by && <span className="dim">{t('nothing promised')}</span>}
        </span>
      </div>
    </>
  )
}

function Due({ from, by }: { from: string | null; by: string | null }) {
  const { formats } = useRecords()
  if (from && by) return t('promised from {from} to {by}', { from: formats.dateTime(from), by: formats.dateTime(by) })
  if (by) return t('promised by {by}', { by: formats.dateTime(by) })
  return from && t('not before {from}', { from: formats.dateTime(from) })
}

/** @returns seconds; what is no number goes to the server as it is, whose sentence says so */
function secondsIn(minutes: string | number | null): number | null {
  if (minutes === null) return null
  const number = Number(minutes)
  return Number.isFinite(number) ? Math.round(number * 60) : null
}
