import { hash } from 'node:crypto'
import type { OnProfile } from '../../web/test/chromium.ts'
import type { Bench } from '../run.ts'
import type { Finding } from '../support/finding.ts'
import { visit } from '../support/phone-page.ts'
import { jpeg } from './image.ts'

interface Made {
  id: number
  custom_fields: { id: number }[]
}

/** A thousand photos of 200 MB together that wait, and what becomes of them. */
export async function manyWaiting(bench: Bench, kept: OnProfile, base: string, job: Made): Promise<Finding[]> {
  const count = bench.quick ? 20 : 1000
  const picture = await jpeg(700, 495)
  const path = `jobs/${job.id}/custom_fields/${job.custom_fields[0]?.id}/file`
  await kept.context.setOffline(true)
  await kept.page.goto(`${base}/phone/outbox`)
  await kept.page.getByRole('heading', { name: 'Outbox' }).waitFor()
  await kept.page.evaluate(`(async () => {
    const { name } = (await indexedDB.databases()).find(({ name }) => name.startsWith('muster-phone'))
    const database = await new Promise((opened) => { indexedDB.open(name).onsuccess = ({ target }) => opened(target.result) })
    const bytes = Uint8Array.from(atob(${JSON.stringify(picture.toString('base64'))}), (sign) => sign.charCodeAt(0)).buffer
    for (let i = 0; i < ${count}; i++) {
      const tx = database.transaction(['entries', 'files'], 'readwrite')
      const id = crypto.randomUUID()
      tx.objectStore('files').add({ id, bytes })
      tx.objectStore('entries').add({
        id, seq: 1_000_000 + i, madeAt: new Date().toISOString(), method: 'POST', path: ${JSON.stringify(path)},
        words: { key: 'photo', values: { name: 'Photo' } }, after: [], lane: ${JSON.stringify(`jobs/${job.id}`)},
        file: { bytes: bytes.byteLength, type: 'image/jpeg', sha256: ${JSON.stringify(hash('sha256', picture))} },
        state: 'waiting', tried: false, receipt: null, refusal: null, conflictIds: [], settled: false,
      })
      await new Promise((done) => { tx.oncomplete = done })
    }
    database.close()
  })()`)
  const startedMs = await visit(kept, `${base}/phone`)
  await kept.context.setOffline(false)
  const began = performance.now()
  await kept.page.goto(`${base}/phone/outbox`)
  await kept.page.getByRole('heading', { name: 'All received' }).waitFor({ timeout: 1_800_000 })
  const what = `${count} photos of ${Math.round((picture.length * count) / 1e6)} MB`
  return [
    { what: `a start with ${what} waiting, without a connection`, unit: 'ms', muster: [startedMs] },
    { what: `until the office has ${what}`, unit: 's', muster: [(performance.now() - began) / 1000] },
  ]
}
