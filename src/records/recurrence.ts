import {
  array,
  choice,
  day,
  flag,
  id,
  ids,
  instant,
  integer,
  lookup,
  type Row,
  record,
  ref,
  stamp,
  text,
} from '#fields'

/** A job that comes again: the server makes each one ahead of its date, once. (docs/api/recurrences.md) */
export const recurrence = record('recurrence', {
  plural: 'recurrences',
  path: '/recurrences',
  about: 'A job that comes again, made ahead of each of its dates.',
  visible: 'groups',
  fields: {
    id: id(),
    name: text({ required: true, max: 255, about: 'What it is called; and its jobs, without a template' }),
    group_ids: ids('group', {
      through: 'recurrence_groups',
      about: "Ids of groups that it and its jobs belong to; the template's unless said",
    }),
    template_id: ref('template', { about: 'Template of the jobs; without any they have one step, called as it is' }),
    customer_id: ref('customer', { about: "Customer of the jobs; the template's unless said" }),
    customer_name: lookup(
      text({ max: 255, about: 'Finds the oldest customer of that name, or makes one' }),
      'customer_id',
      'name',
      'sent',
    ),
    site_id: ref('site', { about: 'Where the jobs are' }),
    worker_id: ref('user', { about: 'Who is to do them' }),
    worker_name: lookup(text({ about: 'Name of the worker' }), 'worker_id', 'name'),
    planned_duration: integer({ min: 0, max: 31_536_000, about: "Seconds that each takes; the template's, else 3600" }),
    notes: text({ about: 'Notes of the jobs' }),
    first_at: instant({
      required: true,
      about: 'From when on; each job begins at this time of day, by the clocks of the account',
    }),
    rule: text({
      required: true,
      max: 500,
      about: 'When it comes again: an RRULE of RFC 5545, daily at most, that ends by COUNT or UNTIL',
    }),
    on_holiday: choice(['keep', 'skip', 'before', 'after'], {
      default: 'keep',
      about:
        'What a holiday of the company does to a date: nothing, skip it, move it to the working day before or after',
    }),
    exceptions: array(
      'exception',
      {
        date: day({ required: true, about: 'Which of the dates' }),
        skip: flag({ default: false, about: 'Whether there is no job' }),
        planned_start_at: instant({ about: 'When it is to start instead' }),
        planned_duration: integer({ min: 0, max: 31_536_000, about: 'Seconds that it takes instead' }),
        note: text({ max: 255, about: 'Why' }),
      },
      { match: ['date'], max: 200, about: 'Single dates that are skipped or other than the rest' },
    ),
    ahead_days: integer({ default: 60, min: 1, max: 366, about: 'How many days ahead the jobs are made' }),
    paused: flag({ default: false, about: 'Whether no jobs are made; dates that pass meanwhile have none' }),
    open_jobs: choice(['keep', 'follow'], {
      virtual: true,
      writeOnly: true,
      about:
        'Whether jobs that are made already, not begun, and as they were made follow this change; keep unless said',
    }),
    made_through: day({
      about: 'Through which day its jobs are made; the day before it was entered, unless said, and never set back',
    }),
    next_dates: array(
      'next_date',
      {
        date: day({ about: 'The date' }),
        planned_start_at: instant({ about: 'When the job is to start; nil where there is none' }),
        why: choice(['skipped', 'changed', 'holiday'], { about: 'Why it is other than the rule says' }),
      },
      { match: [], server: 'noted', about: 'The next dates, made or not' },
    ),
    problem: text({
      server: 'noted',
      about: 'Why its jobs could not be made; tried again daily, and with each change',
    }),
    due_at: instant({ internal: true, index: true, about: 'Derived: when there is something to make' }),
    created_at: stamp('When the recurrence was entered', { auto: 'created' }),
    updated_at: stamp('When the recurrence was last changed', { auto: 'updated' }),
  },
  allow: { read: 'jobs', write: 'jobs' },
  search: ['name', 'notes'],
  title: 'name',
  example: {
    name: 'Boiler service, monthly',
    customer_name: 'Harbour Bakery',
    planned_duration: 5400,
    first_at: '2025-01-06T08:00:00Z',
    rule: 'FREQ=MONTHLY;BYDAY=1MO;UNTIL=20251201',
    on_holiday: 'after',
  },
})

export type Recurrence = Row<typeof recurrence>
