import {
  choice,
  type Field,
  type Fields,
  id,
  instant,
  integer,
  memoize,
  part,
  type RawRow,
  type RecordType,
  record,
  text,
} from '#fields'

/** What most lines have nothing of is left out of those. */
const isGiven = (name: string) => (row: RawRow) => (row[name] ?? null) !== null

/**
 * One line of the journal, as it is shown. It is no record that is kept like others: every write appends one, and
 * nobody writes one by itself. (docs/contract.md#the-journal)
 */
export const event = record('event', {
  plural: 'events',
  path: null,
  about: 'One line of the journal: who changed what, when, and how.',
  fields: {
    id: { ...id(), about: 'Its place in the journal; ids grow, with gaps' },
    at: instant({ required: true, about: 'When' }),
    record: text({ required: true, about: 'Type of the record' }),
    record_id: text({ required: true, about: 'Id of the record' }),
    action: choice(['create', 'update', 'delete', 'restore'], { required: true, about: 'What was done to it' }),
    actor: part(
      {
        kind: choice(['key', 'user', 'system'], { required: true, about: 'What sort of caller it was' }),
        id: integer({ about: 'Id of the key or the user' }),
      },
      { about: 'Who did it' },
    ),
    call_id: text({ required: true, about: 'X-Request-Id of the request' }),
    reason: { ...text({ about: 'Why, in the words of who did it' }), onlyWhen: isGiven('reason') },
    reverses: { ...text({ about: 'The call that this one reversed' }), onlyWhen: isGiven('reverses') },
    changes: part({}, { about: 'By field, from what to what' }),
  },
  allow: { read: 'anyone', write: 'anyone' },
  search: [],
  title: 'record',
  example: {},
})

/** The events of one record: its changes are of its fields, and are written as those are. */
export const eventOf = memoize(
  (of: RecordType): Pick<RecordType, 'name' | 'fields'> => ({
    name: event.name,
    fields: {
      ...event.fields,
      record_id: { ...plain(of.fields.id ?? event.fields.record_id), about: event.fields.record_id.about ?? '' },
      changes: part(changeFields(of.fields), { about: 'By field, from what to what' }),
    },
  }),
)

/** A line of the journal as that description has it. */
export function rowOf(
  line: { record_id: string; changes: { [field: string]: [unknown, unknown] } },
  of: RecordType,
): RawRow {
  const fields = eventOf(of).fields.changes?.fields ?? {}
  const shown = Object.entries(line.changes).filter(([name]) => Object.hasOwn(fields, name))
  return {
    ...line,
    record_id: of.fields.id?.column === 'integer' ? Number(line.record_id) : line.record_id,
    // What is nothing but internal is nil: an element without children would read as text.
    changes: shown.length === 0 ? null : Object.fromEntries(shown.map(([name, [from, to]]) => [name, { from, to }])),
  }
}

/** What isn't there didn't change, and is left out. */
const changeFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => isJournaled(field))
      .map(([name, field]) => [
        name,
        { ...part({ from: plain(field), to: plain(field) }), onlyWhen: (changes: object) => name in changes },
      ]),
  )

/** Secrets are told as changed, and what is internal is not told. */
const isJournaled = (field: Field<unknown>) =>
  !field.internal && !field.lookup && !field.virtual && field.shape !== 'records'

const plain = (field: Field<unknown>): Field<unknown> => {
  // Which changes somebody is told is decided where the event is; what is inside of them says so itself.
  const { readonly: _, writeOnly: __, onlyWhen: ___, neverNil: ____, workerReadable: _____, ...rest } = field
  return field.secret ? text() : rest
}
