import type { Event } from '#store/journal'

/** What a webhook may ask for by name: each line of the journal has one plain type, and may mean several things beside. */

type Line = Pick<Event, 'record' | 'action' | 'changes'>
type Means = (line: Line) => boolean

const from = ({ changes }: Line, name: string) => changes[name]?.[0] ?? null
const to = ({ changes }: Line, name: string) => changes[name]?.[1] ?? null
const set =
  (name: string): Means =>
  (line) =>
    from(line, name) === null && to(line, name) !== null
const cleared =
  (name: string): Means =>
  (line) =>
    from(line, name) !== null && to(line, name) === null
const becomes =
  (name: string, value: unknown): Means =>
  (line) =>
    name in line.changes && to(line, name) === value
/** What was done to any record. */
const done: { [name: string]: Means } = {
  created: ({ action }) => action === 'create',
  updated: ({ action }) => action === 'update',
  deleted: ({ action }) => action === 'delete',
  restored: ({ action }) => action === 'restore',
}

/** What a change of some records means beside that. */
export const meanings: { [record: string]: { [name: string]: { about: string; means: Means } } } = {
  job: {
    assigned: { about: 'It was given to a worker, or to another one', means: (line) => to(line, 'worker_id') !== null },
    published: { about: 'It was sent to its worker', means: isPublished },
    accepted: { about: 'Its worker accepted it, or it counts as accepted', means: becomes('confirmation', 'accepted') },
    declined: { about: 'Its worker declined it', means: becomes('confirmation', 'declined') },
    rescheduled: {
      about: 'It is planned for another time, or takes longer or shorter',
      means: (line) =>
        line.action === 'update' && (to(line, 'planned_start_at') ?? to(line, 'planned_duration')) !== null,
    },
    started: { about: 'Its first step was completed', means: set('actual_start_at') },
    paused: { about: 'It was paused', means: set('paused_at') },
    resumed: { about: 'It goes on', means: cleared('paused_at') },
    completed: { about: 'Its last step was completed', means: set('completed_at') },
    reopened: {
      about: 'A completion was taken back, and it is not completed any more',
      means: cleared('completed_at'),
    },
    canceled: { about: 'It was canceled', means: set('canceled_at') },
    reinstated: { about: 'Its cancellation was taken back', means: cleared('canceled_at') },
  },
  user: {
    shift_started: { about: 'They went on shift', means: becomes('shift_on', true) },
    shift_ended: {
      about: 'They went off shift',
      means: (line) => line.action === 'update' && becomes('shift_on', false)(line),
    },
  },
}

/** It is with its worker: nobody is asked and it is assigned, or the worker is asked; or it was sent once more. */
function isPublished(line: Line): boolean {
  const assigned = becomes('state', 'assigned')(line) && !becomes('confirmation', 'accepted')(line)
  const again = to(line, 'published_at') !== null && (from(line, 'published_at') ?? to(line, 'worker_id')) !== null
  return assigned || becomes('confirmation', 'pending')(line) || again
}

/** The types under which a webhook with these patterns is told of a line: the plain one, and what it asks for by name. */
export function meaningsOf(patterns: string[], line: Line): string[] {
  const { record, action } = line
  const plain = `${record}.${action}`
  const named = patterns.flatMap((pattern) => (meaningOf(pattern, record)?.(line) ? [pattern] : []))
  const isPlain = patterns.length === 0 || ['*', `${record}.*`, plain].some((one) => patterns.includes(one))
  return [...(isPlain ? [plain] : []), ...new Set(named)]
}

function meaningOf(pattern: string, record: string): Means | undefined {
  const [of = '', name = ''] = pattern.split('.')
  if (of !== record) return undefined
  if (Object.hasOwn(done, name)) return done[name]
  const found = own(meanings[of], name)
  // What is deleted, or comes back as it was, is told as that alone.
  return found && ((line) => ['create', 'update'].includes(line.action) && found.means(line))
}

/** Whether a pattern names a type that lines of this record may have. */
export function isType(record: string, name: string): boolean {
  return (
    ['*', 'create', 'update', 'delete', 'restore'].includes(name) ||
    Object.hasOwn(done, name) ||
    own(meanings[record], name) !== undefined
  )
}

const own = <T>(of: { [name: string]: T } | undefined, name: string): T | undefined =>
  of && Object.hasOwn(of, name) ? of[name] : undefined
