import { type FieldError, type Fields, readableItems, readFields, rowsIn } from '#fields'
import { notFound } from '#problem'
import { type Job, job } from '#records/job'
import { actsAsWorker, workerOf } from '#rules/abilities'
import { readBase } from '../http/base.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'
import { mutate } from './mutate.ts'
import { find, print, shown } from './row.ts'

type Item = Job[Items['list']][number]

/** A list of a job of which each item has an address, so that nobody must send the list to change one. */
interface Items {
  list: 'custom_fields' | 'line_items'
  name: string
  path: string
  about: string
  /** What an item is, and what of it is changed here. */
  fields: Fields
  editable: Fields
}

function itemsOf(list: Items['list'], parameter: string, about: string): Items {
  const { child: name = '', fields = {} } = job.fields[list]
  const editable = Object.fromEntries(Object.entries(fields).filter(([, field]) => field.workerEditable))
  return { list, name, path: `/jobs/{id}/${list}/{${parameter}}`, about, fields, editable }
}

const all = [
  itemsOf('custom_fields', 'field_id', 'Fills in one custom field of a job.'),
  itemsOf('line_items', 'item_id', 'Says how many of a line item were used.'),
]

/** One item of a list of a job. (docs/api/jobs.md) */
export const jobItemRoutes = (): Route[] =>
  all.map((items) => {
    const { name, path, about, fields, editable } = items
    const id = name.replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase())
    const doc = { about, body: { name, fields: editable }, writes }
    return {
      path,
      record: job,
      wireNames: { name, plural: items.list },
      responseSchema: { about: `One of the ${items.list.replace('_', ' ')} of a job.`, fields },
      workerAllowed: true,
      docs: { PUT: { id: `updateJob${id}`, ...doc }, PATCH: { id: `patchJob${id}`, ...doc } },
      methods: {
        GET: (request) => show(request, items),
        PUT: (request) => change(request, items),
        PATCH: (request) => change(request, items),
      },
    }
  })

const writes = ['dry_run', 'idempotency_key', 'device', 'made_at', 'if_match'] as const

async function show(request: ApiRequest, items: Items): Promise<ApiResponse> {
  const row = await find(request, request.call.store, { of: job })
  return shown(request, row, print(request, itemIn(request, items, row), [], items))
}

async function change(request: ApiRequest, items: Items): Promise<ApiResponse> {
  const { list, name, editable } = items
  const errors: FieldError[] = []
  const said = readFields(editable, request.read([name]), { path: '', errors })
  const base = readBase(request, editable, errors)
  const id = idIn(request, items)
  return mutate(
    request,
    {
      action: 'update',
      errors,
      target: async (tx) => {
        const row = await find(request, tx, { of: job })
        itemIn(request, items, row)
        return row
      },
      draft(row) {
        const changed = { ...itemIn(request, items, row), ...said }
        // A worker sends what they saw of the list, which may not be all of it.
        if (actsAsWorker(request.call.actor, job)) return { [list]: [{ id: changed.id, ...said }] }
        return { [list]: rowsIn(row[list]).map((item) => (String(item.id) === id ? changed : item)) }
      },
      base: base && { [list]: { [id]: base } },
    },
    {
      record: job,
      body: (row, warnings) => print(request, itemIn(request, items, row), warnings, items),
    },
  )
}

const idIn = ({ parameters }: ApiRequest, { path }: Items) =>
  parameters[path.slice(path.lastIndexOf('{') + 1, -1)] ?? ''

/** @throws Problem not_found, also for what is hidden from the caller */
function itemIn(request: ApiRequest, items: Items, row: Job): Item {
  const field = job.fields[items.list]
  const every: Item[] = row[items.list]
  const found = readableItems(field, every, workerOf(request.call.actor, job)).find(
    ({ id }) => String(id) === idIn(request, items),
  )
  if (!found) throw notFound()
  return found
}
