import { array, choice, id, type Row, record, ref, stamp, text, timeOfDay, ValidationError } from '#fields'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/**
 * When somebody works: a worker, everybody in a group, or the whole company, where it names neither. A worker's own week
 * counts before that of a group, and that of a group before the company's. Breaks are what no span covers.
 */
export const workingWeek = record('working_week', {
  plural: 'working_weeks',
  path: '/working_weeks',
  about: "When a worker, a group or the whole company works, in the account's time zone.",
  visible: { through: ['user_id', 'group_id'] },
  fields: {
    id: id(),
    name: text({ max: 255, about: 'What it is called, such as winter hours' }),
    user_id: ref('user', { about: 'Whose it is' }),
    group_id: ref('group', { about: 'Or of all in this group; neither is the whole company' }),
    spans: array(
      'span',
      {
        weekday: choice(weekdays, { required: true, about: 'On which day' }),
        from: timeOfDay({ required: true, about: 'Begins, such as 08:00' }),
        to: timeOfDay({ required: true, about: 'Ends, such as 16:30; 24:00 at the latest' }),
      },
      {
        match: [],
        max: 100,
        normalize: ({ from, to }) =>
          from && to && to < from ? [['to', new ValidationError('too_early', 'must not be before from')]] : [],
        about: 'Spans of work, several a day',
      },
    ),
    created_at: stamp('When the week was made', { auto: 'created' }),
    updated_at: stamp('When the week was last changed', { auto: 'updated' }),
  },
  allow: { read: 'schedule', write: 'admin' },
  ownership: [{ field: 'user_id' }],
  search: ['name'],
  title: 'name',
  example: {
    name: 'Winter hours',
    spans: [
      { weekday: 'monday', from: '08:00', to: '12:00' },
      { weekday: 'monday', from: '12:30', to: '16:30' },
    ],
  },
})

export type WorkingWeek = Row<typeof workingWeek>
