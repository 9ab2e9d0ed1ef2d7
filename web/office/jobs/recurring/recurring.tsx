import './recurring.css'
import { Link } from '@tanstack/react-router'
import type { Shown } from '../../../../src/fields/index.ts'
import { recurrence } from '../../../../src/records/recurrence.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import type { Column } from '../../../ui/table.tsx'
import { t } from '../../../ui/words.ts'
import { RecordScreen } from '../../record-screen.tsx'
import { Dates } from './dates.tsx'
import { MinutesInput } from './minutes-input.tsx'
import { RuleInput, usualRule } from './rule-input.tsx'
import { ruleText } from './rule-text.ts'

type Recurrence = Shown<typeof recurrence>

/** Jobs that come again: when, for whom, and their next dates beside them. */
export const Screen = () => (
  <main className="main one" id="main">
    <RecordScreen
      record={recurrence}
      title={t('Recurring jobs')}
      columns={['name', 'customer_name', when(), 'worker_name', next()]}
      filters={['paused', 'worker_id', 'template_id', 'group_ids']}
      searchHint={t('Name, notes …')}
      under={
        <Link className="btn quiet" to="/jobs">
          <Icon name="back" />
          <span>{t('Jobs')}</span>
        </Link>
      }
      form={[
        'name',
        'customer_id',
        'template_id',
        'first_at',
        'rule',
        'planned_duration',
        'worker_id',
        'group_ids',
        'on_holiday',
        'ahead_days',
        'notes',
        'paused',
        'open_jobs',
      ]}
      inputs={{ rule: RuleInput, planned_duration: MinutesInput }}
      given={{ rule: usualRule() }}
      pane={(row) => <Dates of={row} />}
      newTitle={t('New recurring job')}
      about={t('A recurring job is made ahead of each of its dates, once, and is then a job like any other.')}
    />
  </main>
)

const when = (): Column<Recurrence> => ({
  id: 'rule',
  head: t('When'),
  width: 320,
  cell: ({ rule }) => <Rule text={rule} />,
})

function Rule({ text }: { text: string }) {
  const { locale } = useRecords()
  return <span className="two-ink clip">{ruleText(text, locale)}</span>
}

const next = (): Column<Recurrence> => ({
  id: 'next',
  head: t('Next'),
  width: 170,
  cell: (row) => <Next of={row} />,
})

function Next({ of: { next_dates, paused, problem } }: { of: Recurrence }) {
  const { formats } = useRecords()
  const at = next_dates.find(({ planned_start_at }) => planned_start_at !== null)?.planned_start_at
  if (problem) return <b className="bad">{t('Its jobs can’t be made')}</b>
  if (paused) return <span className="dim">{t('Paused')}</span>
  return at ? formats.dateTime(at) : <span className="dim">{t('ended')}</span>
}
