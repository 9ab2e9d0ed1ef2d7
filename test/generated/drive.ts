import createClient from 'openapi-fetch'
// Made from /v5/openapi.json by the test.
import type { components, paths } from './api.ts'

/** A day as a program has it that knows nothing but the document: each step is answered as its type says. */
export async function drive(baseUrl: string, key: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  const seen: string[] = []
  const note = (response: Response, ...more: unknown[]) => void seen.push([response.status, ...more].join(' '))

  const tag = await client.POST('/v5/tags.json', { body: { tag: { name: 'Gas fitting' } } })
  note(tag.response, tag.data?.tag.name)
  const again = await client.POST('/v5/tags.json', { body: { tag: { name: 'Gas fitting' } } })
  note(again.response, again.error?.errors[0]?.code)

  const worker = await client.POST('/v5/workers.json', { body: { worker: { name: 'Ana', email: 'ana@example.com' } } })
  const worker_id = worker.data?.worker.id ?? 0
  const customer = await client.PUT('/v5/customers/{id}.json', {
    params: { path: { id: 'c-1' }, query: { use_third_party_id: true, upsert: true } },
    body: { customer: { name: 'Harbour Bakery' } },
  })
  note(customer.response)

  const draft: components['schemas']['JobDraft'] = {
    customer_name: 'Harbour Bakery',
    planned_start_at: '2030-01-01T09:00:00Z',
    tag_ids: [tag.data?.tag.id ?? 0],
    steps: [{ name: 'Arrive' }, { name: 'Service' }],
  }
  const job = await client.POST('/v5/jobs.json', { body: { job: draft } })
  note(job.response, job.data?.job.state, job.data?.job.steps.length)
  const id = String(job.data?.job.id)
  const path = { id }

  const refused = await client.PUT('/v5/jobs/{id}.json', { params: { path }, body: { job: { worker_id } } })
  note(refused.response, refused.error?.errors[0]?.code, refused.error?.errors[0]?.params?.tag)
  await client.PUT('/v5/workers/{id}.json', {
    params: { path: { id: String(worker_id) } },
    body: { worker: { tags: [{ id: tag.data?.tag.id ?? 0 }] } },
  })
  const given = await client.PUT('/v5/jobs/{id}.json', { params: { path }, body: { job: { worker_id } } })
  note(given.response, given.data?.job.state, given.data?.job.worker_name)
  const published = await client.POST('/v5/jobs/{id}/publication.json', { params: { path } })
  note(published.response, typeof published.data?.publication.published_at)
  for (const step of given.data?.job.steps ?? [])
    note(
      (
        await client.POST('/v5/jobs/{id}/steps/{step_id}/completion.json', {
          params: { path: { id, step_id: step.id } },
        })
      ).response,
    )

  const list = await client.GET('/v5/jobs.json', { params: { query: { after_id: '0', search: '@state:completed' } } })
  note(list.response, list.data?.jobs.length, list.data?.more)
  const events = await client.GET('/v5/events.json', { params: { query: { after_id: 0, record: 'job' } } })
  note(events.response, events.data?.events.map(({ action }) => action).join())
  const hook = await client.POST('/v5/webhooks.json', { body: { webhook: { url: 'https://hooks.example.com/x' } } })
  note(hook.response, hook.data?.webhook.secret?.slice(0, 6))
  return seen
}
