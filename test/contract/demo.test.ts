import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { playDay } from '#cli/demo/live'
import { makeDemo } from '#cli/demo/make'
import { databases } from '#test/databases'
import { startApp } from '#test/test-app'

for (const database of databases)
  describe(database.name, () => {
    test('a demo of more workers than are named gives each of the others a full day, and the day can be played on', async (t) => {
      const app = await startApp({ t, database })
      const lines: string[] = []
      const ending = new AbortController()
      const demo = await makeDemo(app.app, {
        workers: 14,
        made: (_, crew) =>
          playDay({
            workers: crew,
            everyMs: 1,
            random: () => 0.5,
            signal: ending.signal,
            say(line) {
              lines.push(line)
              ending.abort()
            },
          }),
      })
      assert.match(lines[0] ?? '', /completes|accepts|declines|pauses|goes on|is on the way/)
      const ask = async (path: string) =>
        (await app.request('GET', `/v5/${path}`, { key: demo.api_key })).json.total_entries
      assert.equal(await ask('users.json?per_page=1'), 3 + 14 + 1)
      const { json } = await app.request('GET', '/v5/workers.json?per_page=100', { key: demo.api_key })
      const crowd = json.workers.slice(-2)
      for (const { id } of crowd) assert.equal(await ask(`jobs.json?worker_id=${id}&per_page=1`), 10)
    })
  })
