import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { OnProfile } from '../../web/test/chromium.ts'
import type { Bench, Load } from '../run.ts'
import { type Company, newCompany } from '../support/company.ts'
import type { Finding } from '../support/finding.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { Owner } from '../support/phone.ts'
import { barePage, slower, visit } from '../support/phone-page.ts'
import { root } from '../support/processes.ts'
import { repeat } from '../support/rounds.ts'
import { manyWaiting } from './phone-waiting.ts'

const JOBS = 30

export const phone: Load = {
  name: 'phone',
  about:
    'What a worker waits for, in Chromium: Today from a cold start without a connection on a CPU four times slower, and from a first visit over 1.6 Mbit/s and 150 ms; an act until it is seen; a start with a thousand photos waiting, and until the office has them; and how much travels. Beside it a bare page: one heading, by one script.',
  missed:
    'The bare page tells what the browser itself takes on this machine. React and the parts of the screen are most of the rest of a start; the first visit also waits for the session and the set, one after the other, and each is a way of 150 ms there and back. A thousand photos are read, sent and proven two at a time, so that a thin line still carries messages.',
  run: async (bench) =>
    withMuster(
      bench.serving(),
      (muster, company: Company) => findingsOf(bench, muster, company),
      await newCompany({ workers: 1, jobs: 0, signedIn: true }),
    ),
}

async function findingsOf(bench: Bench, muster: Muster, company: Company): Promise<Finding[]> {
  const base = `http://127.0.0.1:${muster.port}`
  const bare = await barePage()
  const own = { worker_id: company.workers[0], published_at: '2026-01-01T00:00:00Z' }
  for (let i = 0; i < JOBS; i++)
    await muster.call('POST', '/v5/jobs.json', {
      job: {
        ...own,
        template_id: company.template,
        customer_id: company.customers[i],
        notes: `Ring twice at gate ${i}`,
      },
    })
  const steps = Array.from({ length: 200 }, (_, i) => ({ name: `Step ${i}` }))
  const { json } = await muster.call('POST', '/v5/jobs.json', {
    job: { ...own, customer_name: 'Harbour Bakery', steps, custom_fields: [{ name: 'Photo', type: 'image' }] },
  })
  const owner = new Owner(base, company)
  const kept = await owner.start()
  try {
    await visit(kept, `${base}/phone`)
    await kept.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    return [
      await coldStart(bench, kept, base, bare.address),
      await firstVisit(bench, base, company, bare.address),
      ...sizes(),
      await actToEffect(bench, kept, `${base}/phone/jobs/${json.job.id}`),
      ...(await travels(bench, muster, company.cookies[0] ?? '')),
      ...(await manyWaiting(bench, kept, base, json.job)),
    ]
  } finally {
    await kept.kill()
    owner.remove()
    bare.close()
  }
}

const coldStart = (bench: Bench, kept: OnProfile, base: string, bare: string): Promise<Finding> =>
  repeat(
    bench,
    {
      what: 'cold start to Today, without a connection, a CPU 4 times slower',
      unit: 'ms',
      goal: { of: 'value', most: 1000 },
    },
    async () => {
      await slower(kept, 4)
      const besides = await visit(kept, bare)
      await kept.context.setOffline(true)
      const value = await visit(kept, `${base}/phone`)
      await kept.context.setOffline(false)
      await slower(kept, 1)
      return { value, beside: { 'bare page ms': besides } }
    },
  )

const firstVisit = (bench: Bench, base: string, company: Company, bare: string): Promise<Finding> =>
  repeat(
    bench,
    { what: 'first visit to Today, 1.6 Mbit/s and 150 ms', unit: 'ms', goal: { of: 'value', most: 4000 } },
    async () => {
      const owner = new Owner(base, company)
      const fresh = await owner.start()
      try {
        const throughput = 1_600_000 / 8
        const session = await fresh.context.newCDPSession(fresh.page)
        await session.send('Network.enable')
        await session.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 150,
          downloadThroughput: throughput,
          uploadThroughput: throughput,
        })
        const besides = await visit(fresh, bare)
        return { value: await visit(fresh, `${base}/phone`), beside: { 'bare page ms': besides } }
      } finally {
        await fresh.kill()
        owner.remove()
      }
    },
  )

/** Scripts as they travel, by gzip: those that Today imports, and all that a phone keeps. */
function sizes(): Finding[] {
  const dist = join(root, 'web/dist')
  const read = (file: string) => readFileSync(join(dist, file), 'utf8')
  const all = (JSON.parse(read('phone-files.json')) as string[]).filter((file) => file.endsWith('.js'))
  const today = new Set<string>()
  const follow = (file: string) => {
    if (today.has(file)) return
    today.add(file)
    for (const [, next] of read(file).matchAll(/(?:^|;)import\s*(?:[^'"`()]*?from\s*)?["'`]\.\/([^"'`]+\.js)["'`]/g))
      if (next) follow(next)
  }
  follow('phone.js')
  const kilobytes = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0) / 1000
  return [
    { what: 'scripts of Today, gzip', unit: 'KB', muster: [kilobytes(today)], goal: { of: 'value', most: 120 } },
    { what: 'scripts of the whole app, gzip', unit: 'KB', muster: [kilobytes(all)], goal: { of: 'value', most: 250 } },
  ]
}

async function actToEffect(bench: Bench, kept: OnProfile, address: string): Promise<Finding> {
  await kept.page.goto(address)
  await kept.page.getByRole('button', { name: /Complete step/ }).waitFor()
  return repeat(bench, { what: 'an act until it is seen', unit: 'ms', goal: { of: 'value', most: 50 } }, async () => ({
    value: (await kept.page.evaluate(`new Promise((seen) => {
        const act = document.querySelector('button.act')
        const before = act.textContent
        // A second touch counts after 600 ms.
        setTimeout(() => {
          const began = performance.now()
          new MutationObserver((_, one) => {
            if (document.querySelector('button.act').textContent === before) return
            one.disconnect()
            requestAnimationFrame(() => seen(performance.now() - began))
          }).observe(document.body, { childList: true, subtree: true, characterData: true })
          act.click()
        }, 700)
      })`)) as number,
    beside: {},
  }))
}

/** What a set and an idle question for news take on the wire, with headers. */
async function travels(bench: Bench, { port }: Muster, cookie: string): Promise<Finding[]> {
  const ask = (path: string) =>
    new Promise<{ bytes: number; cursor: string }>((told, failed) => {
      const headers = { Cookie: `muster_session=${cookie}`, 'Accept-Encoding': 'gzip' }
      get({ port, host: '127.0.0.1', path, headers, agent: false }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const body = Buffer.concat(parts)
          const text = body.length === 0 ? '{}' : (body[0] === 0x1f ? gunzipSync(body) : body).toString()
          told({ bytes: answer.socket.bytesRead, cursor: JSON.parse(text).cursor })
        })
      }).on('error', failed)
    })
  const { bytes, cursor } = await ask('/v5/sync.json')
  const idle = await repeat(
    bench,
    { what: 'an idle question for news', unit: 'bytes', goal: { of: 'value', most: 500 } },
    async () => ({ value: (await ask(`/v5/sync.json?cursor=${cursor}`)).bytes, beside: {} }),
  )
  const set = `a set of ${JOBS + 1} jobs, compressed`
  return [{ what: set, unit: 'KB', muster: [bytes / 1000], goal: { of: 'value', most: 100 } }, idle]
}
