import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../contract/snapshots')

/** That a text is what was committed; `UPDATE_SNAPSHOTS=1` writes it instead. */
export function assertSnapshot(name: string, text: string): void {
  const file = resolve(folder, name)
  if (process.env.UPDATE_SNAPSHOTS) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return
  }
  assert.ok(existsSync(file), `there is no snapshot ${name}; npm run snapshots makes it`)
  assert.equal(text, readFileSync(file, 'utf8'), `${name} is stale; if the change is meant, npm run snapshots`)
}
