import type { AddressInfo } from 'node:net'
import { createApp } from '#app/create'
import { readConfig } from '#config'
import { createServer } from '#server/server'
import type { Statement } from '#store/database'
import type { Place } from './company.ts'
import { fire } from './fire.ts'

/** The statements of a request that writes, twice: what differs between the two differs each time. */
export async function recordWrites({ settings }: Place, request: () => Buffer): Promise<[Statement[], Statement[]]> {
  const app = await createApp(readConfig({ ...settings, MUSTER_LOG_LEVEL: 'silent', MUSTER_PORT: '0' }))
  const { database } = app.store
  const write = database.write.bind(database)
  const writes: Statement[][] = []
  database.write = (partition, work) =>
    write(partition, (tx) => {
      const recorded: Statement[] = []
      writes.push(recorded)
      const all = (statement: Statement) => {
        recorded.push({ sql: statement.sql, parameters: statement.parameters })
        return tx.all(statement)
      }
      return work({ ...tx, all })
    })
  const server = createServer(app)
  await server.listen({ host: '127.0.0.1', port: 0 })
  await app.stopTasks()
  const { port } = server.server.address() as AddressInfo
  writes.length = 0
  try {
    await fire({ port, request, ms: 1500, connections: 1 })
  } finally {
    await server.close()
    await app.close()
  }
  const whole = writes.filter(({ length }) => length > 4)
  const [first, second] = whole.slice(-2)
  if (!first || !second) throw new Error('nothing was written')
  return [first, second]
}
