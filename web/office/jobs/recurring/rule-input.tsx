import { addDays } from '../../../../src/fields/instant.ts'
import { LabeledField } from '../../../ui/fields/field.tsx'
import { ChoiceInput, NumberInput, TextInput } from '../../../ui/fields/plain.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import type { OwnInput } from '../../../ui/records/record-form.tsx'
import { t } from '../../../ui/words.ts'
import { nths, printRule, type Rule, readRule, units, type Weekday, weekdays } from './rule.ts'
import { nthWords, ruleText, unitWords, weekdayText } from './rule-text.ts'

const daysOfYear = 365
const inAYear = (): Rule['end'] => ({ until: addDays(new Date().toISOString().slice(0, 10), daysOfYear) })

/** What a new one begins with. */
export const usualRule = (): string =>
  printRule({ every: 'month', interval: 1, weekdays: [], nth: null, end: inAYear() })

/** When a job comes again: how often, on which days, and until when. A rule that says more is changed as text. */
export function RuleInput({ label, value, onChange, fault }: OwnInput) {
  const { locale } = useRecords()
  const text = String(value ?? '')
  const rule = readRule(text)
  if (!rule)
    return (
      <LabeledField label={label} fault={fault} required hint={t('A rule of a calendar (RFC 5545)')}>
        {(given) => <TextInput {...given} value={text} onChange={onChange} />}
      </LabeledField>
    )
  const change = (more: Partial<Rule>) => onChange(printRule({ ...rule, ...more }))
  const { every, interval, nth, end } = rule
  const count = (typed: string | number | null) => Math.max(1, Math.trunc(Number(typed)) || 1)
  return (
    <fieldset className="part">
      <legend className="label">{label}</legend>
      <LabeledField label={t('How often')}>
        {(given) => (
          <ChoiceInput
            {...given}
            required
            value={every}
            options={units.map((unit) => [unit, t(unitWords[unit], { interval })] as const)}
            onChange={(unit) => change({ every: units.find((one) => one === unit) ?? every })}
          />
        )}
      </LabeledField>
      <LabeledField label={t('Every so many')}>
        {(given) => (
          <NumberInput {...given} whole value={interval} onChange={(typed) => change({ interval: count(typed) })} />
        )}
      </LabeledField>
      {every === 'week' && (
        <fieldset className="line wrap" aria-label={t('On which days')}>
          {weekdays.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={rule.weekdays.includes(one)}
              onClick={() => change({ weekdays: toggled(rule.weekdays, one) })}
            >
              {weekdayText(one, locale)}
            </button>
          ))}
        </fieldset>
      )}
      {every === 'month' && (
        <LabeledField label={t('On which day')}>
          {(given) => (
            <ChoiceInput
              {...given}
              required
              value={nth ? `${nth.which}${nth.weekday}` : 'date'}
              options={[['date', t('that of the first time')] as const, ...monthDays(locale)]}
              onChange={(chosen) => change({ nth: readRule(`FREQ=MONTHLY;BYDAY=${chosen};COUNT=1`)?.nth ?? null })}
            />
          )}
        </LabeledField>
      )}
      <LabeledField label={t('It ends')}>
        {(given) => (
          <ChoiceInput
            {...given}
            required
            value={'until' in end ? 'until' : 'count'}
            options={[
              ['until', t('on a day')],
              ['count', t('after so many times')],
            ]}
            onChange={(how) => change({ end: how === 'count' ? { count: 12 } : inAYear() })}
          />
        )}
      </LabeledField>
      {'until' in end ? (
        <LabeledField label={t('The last day')} fault={fault}>
          {({ id, describedBy }) => (
            <span className="input">
              <input
                id={id}
                type="date"
                aria-describedby={describedBy}
                value={end.until}
                onChange={({ target }) => target.value && change({ end: { until: target.value } })}
              />
            </span>
          )}
        </LabeledField>
      ) : (
        <LabeledField label={t('How many times')} fault={fault}>
          {(given) => (
            <NumberInput
              {...given}
              whole
              value={end.count}
              onChange={(typed) => change({ end: { count: count(typed) } })}
            />
          )}
        </LabeledField>
      )}
      <p className="hint">{ruleText(text, locale)}</p>
    </fieldset>
  )
}

const monthDays = (locale: string) =>
  nths.flatMap((which) =>
    weekdays.map(
      (weekday) => [`${which}${weekday}`, t(nthWords[which], { weekday: weekdayText(weekday, locale) })] as const,
    ),
  )

const toggled = (days: Weekday[], day: Weekday) =>
  days.includes(day) ? days.filter((one) => one !== day) : [...days, day]
