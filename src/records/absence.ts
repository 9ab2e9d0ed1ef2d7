import { author, choice, id, instant, type Row, record, ref, stamp, text } from '#fields'

/** Time in which a worker, or the whole company, does not work. What a worker asks for counts once it is granted. */
export const absence = record('absence', {
  plural: 'absences',
  path: '/absences',
  about: 'Time in which a worker, or the whole company, does not work.',
  visible: { through: 'user_id' },
  fields: {
    id: id(),
    user_id: ref('user', { about: 'Who is away; nobody in particular is the whole company' }),
    from: instant({ required: true, workerEditable: true, index: true, about: 'Begins' }),
    to: instant({ required: true, workerEditable: true, index: true, about: 'Ends' }),
    kind: choice(['holiday', 'sick', 'training', 'other'], {
      default: 'holiday',
      workerEditable: true,
      about: 'Why',
    }),
    note: text({ max: 1000, workerEditable: true, about: 'What else there is to know' }),
    state: choice(['asked', 'granted', 'refused'], {
      default: 'granted',
      about: 'Asked for by the worker, granted, or refused; only what is granted counts',
    }),
    created_by_user_id: author(),
    created_at: stamp('When it was entered', { auto: 'created' }),
    updated_at: stamp('When it was last changed', { auto: 'updated' }),
  },
  allow: { read: 'schedule', write: 'schedule' },
  workerCreate: 'mobile',
  ownership: [{ field: 'user_id' }],
  search: ['note'],
  title: 'note',
  example: { from: '2026-12-24T00:00:00Z', to: '2026-12-27T00:00:00Z', kind: 'holiday', note: 'Closed' },
})

export type Absence = Row<typeof absence>
