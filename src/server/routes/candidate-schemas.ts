import type { Fields } from '#fields'
import { objectSchema, type Schema } from '#formats/openapi/schema'

/** What the answers about candidates look like, for the OpenAPI document. */

const all = (properties: { [name: string]: Schema }, description?: string): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...(description && { description }),
})
const list = (items: Schema, description: string): Schema => ({ type: 'array', description, items })
const instant = (description: string): Schema => ({ type: 'string', format: 'date-time', description })
const orNull = ({ type, ...schema }: Schema): Schema => ({ type: [type, 'null'], ...schema })
const id = (description: string): Schema => ({ type: 'integer', description })

const reason = all({
  code: { type: 'string', description: 'One word for programs' },
  field: { type: 'string', description: 'The field of the job that it is about' },
  blocks: { type: 'boolean', description: 'Whether it stands in the way, or is only worth knowing' },
  message: { type: 'string', description: 'A sentence for people' },
  remedy: { type: 'string', description: 'What would mend it' },
  params: { type: 'object', description: 'What the sentence is made with, for other languages' },
})

const candidates = list(
  all({
    worker_id: id('Id of the worker'),
    worker_name: { type: 'string', description: 'Name of the worker' },
    available: { type: 'boolean', description: 'Whether nothing stands in the way' },
    distance_km: { type: ['number', 'null'], description: 'As the crow flies; null when a place is not known' },
    reasons: list(reason, 'What stands in the way or is worth knowing'),
  }),
  'Best first',
)

const suggestions = (description: string) =>
  list(
    all({
      worker_id: id('Id of the worker'),
      worker_name: { type: 'string', description: 'Name of the worker' },
      planned_start_at: instant('When the job would begin'),
      in_time: { type: 'boolean', description: 'Whether it begins and ends as the customer was promised' },
      travel_seconds: {
        type: ['integer', 'null'],
        description: 'How much longer the way of that day is; null when a place is not known',
      },
      planned_seconds: { type: 'integer', description: 'What they have planned already that day' },
      cost: { type: 'integer', description: 'Minutes on the way, and 6 for each hour that is planned' },
      reasons: list(reason, 'What stands in the way or is worth knowing'),
    }),
    description,
  )

const span = { from: instant('Begins'), to: instant('Ends') }
const point = {
  ...all({ lat: { type: 'number', description: 'Degrees' }, lng: { type: 'number', description: 'Degrees' } }),
  type: ['object', 'null'],
}

const busy = list(
  all({
    job_id: orNull(id('By which job; null for one that the caller does not see')),
    ...span,
    place: { ...point, description: 'Where that is' },
  }),
  'Spans that open jobs take',
)
const schedule = all(
  {
    ...span,
    workers: list(
      all({
        worker_id: id('Id of the worker'),
        worker_name: { type: 'string', description: 'Name of the worker' },
        shift_on: { type: 'boolean', description: 'Whether they are on shift' },
        week_id: orNull(id('Which of the weeks is theirs; null where no hours are asked for')),
        place: { ...point, description: 'The last known position, else where their day begins' },
        tags: list(
          all({ id: id('Id of the tag'), expires_at: orNull(instant('Until when it is held')) }),
          'Tags that they hold',
        ),
        absences: list(
          all({ ...span, kind: { type: 'string', description: 'Why' } }),
          'When they, or all of the company, are away',
        ),
        busy,
      }),
      'The workers of the candidates',
    ),
    weeks: list(
      all({ id: id('Id of the working week'), spans: list(all(span), 'When it says that work is done') }),
      'The weeks of these workers',
    ),
    equipment: list(
      all({
        equipment_id: id('Id of the equipment'),
        name: { type: 'string', description: 'Its name' },
        tag_ids: list({ type: 'integer' }, 'Tags that who uses it must hold'),
        busy,
      }),
      'The equipment that the jobs take',
    ),
    travel: all(
      {
        factor: { type: 'number', description: 'How much longer a way is than the great circle' },
        speed_kmh: { type: 'integer', description: 'How fast it goes' },
      },
      'How ways are estimated',
    ),
    blocking: list({ type: 'string' }, 'Codes of reasons that the settings of the account make block'),
  },
  'What the verdicts follow from, where a window was asked for',
)

const jobPlace = { ...point, description: 'Where the work is: as the job says, else at its site, else at its customer' }

export const candidatesSchema = withSchedule({ place: jobPlace, candidates })
export const suggestionsSchema = {
  type: 'object',
  required: ['jobs'],
  properties: {
    jobs: list(
      all({
        id: id('Id of the job'),
        places: suggestions('The best time of each worker who may have it, best first'),
        others: suggestions('Workers who may not, at the time that the least stands in the way of'),
      }),
      'Urgent ones first, then those that were promised the soonest',
    ),
  },
}
export const manySchema = withSchedule({
  jobs: list(
    all({
      id: orNull(id('Id of the job; null for a draft')),
      planned_start_at: orNull(instant('The time that was asked about')),
      planned_duration: { type: 'integer', description: 'Seconds' },
      place: jobPlace,
      candidates,
    }),
    'In the order of the request',
  ),
})

function withSchedule(properties: { [name: string]: Schema }): Schema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, schedule } }
}

/** Parameters of an address by their fields. */
export const queryDocs = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema, about = '' }]) => [name, { ...schema, description: about }]),
  )

/** A body of JSON by its fields. */
export const bodySchema = (root: string, fields: Fields): Schema => ({
  type: 'object',
  required: [root],
  properties: { [root]: objectSchema(fields, { wire: 'json', sent: true, inItem: true }) },
})
