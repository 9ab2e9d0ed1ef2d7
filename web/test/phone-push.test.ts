import assert from 'node:assert/strict'
import { test } from 'node:test'

/**
 * The service worker by itself, with what a browser gives it: headless browsers show no notifications, whatever they are
 * granted.
 */
const shown: { title: string; body?: string; data: unknown }[] = []
const asked: string[] = []
const told: unknown[] = []
const listeners = new Map<string, (event: object) => void>()
Object.assign(globalThis, {
  shell: { build: 'b', files: [] },
  self: {
    registration: {
      scope: 'https://work.example.com/muster/phone',
      showNotification: async (title: string, options: { body?: string; data: unknown }) => {
        shown.push({ title, ...(options.body && { body: options.body }), data: options.data })
      },
    },
    clients: {
      matchAll: async () => [
        {
          postMessage: (message: unknown) => told.push(message),
          focus: async () => {},
          navigate: async (address: string) => told.push(address),
        },
      ],
    },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
  },
  fetch: async (address: URL, { method }: RequestInit) => {
    asked.push(`${method} ${address.pathname}`)
    return new Response(null, { status: 201 })
  },
})
await import('../phone/worker.ts')

async function dispatch(name: string, event: object): Promise<void> {
  let done: Promise<unknown> = Promise.resolve()
  listeners.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => (done = work) })
  await done
}

const push = (text: string) => dispatch('push', { data: { json: () => JSON.parse(text) } })
const navigate = 'https://work.example.com/muster/phone/jobs/5'
const data = { navigate, notice: 'n1' }

test('a push is shown, noted as received, and told to the open app', async () => {
  const notification = {
    title: 'New job: Harbour Bakery',
    body: 'Mon 24 Nov, 09:00',
    navigate,
    tag: 'n1',
    silent: false,
  }
  await push(JSON.stringify({ web_push: 8030, notification, notice: { id: 'n1' } }))
  assert.deepEqual(shown, [{ title: 'New job: Harbour Bakery', body: 'Mon 24 Nov, 09:00', data }])
  assert.deepEqual(asked, ['POST /muster/v5/notices/n1/receipt.json'])
  assert.deepEqual(told, ['ask'])
})

for (const text of ['<html>', '{}', 'null'])
  test(`a push that says ${text} is shown all the same: who shows none loses the right to push`, async () => {
    shown.length = 0
    await push(text)
    assert.deepEqual(
      shown.map(({ title }) => title),
      ['Muster'],
    )
  })

test('whoever opens a notice is led to what it is about, and has read it', async () => {
  told.length = 0
  asked.length = 0
  await dispatch('notificationclick', { notification: { close() {}, data } })
  assert.deepEqual(told, [navigate])
  assert.deepEqual(asked, ['POST /muster/v5/notices/n1/reading.json'])
})
