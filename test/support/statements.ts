import type { App } from '#app'
import type { Connection } from '#store/database'

/** How many statements a piece of work runs in its transactions; those of no account are of tasks that go on meanwhile. */
export async function statementsOfWrites({ store: { database } }: App, work: () => Promise<unknown>): Promise<number> {
  const { write } = database
  let count = 0
  database.write = (partition, inside) =>
    write(partition, (connection) => {
      const counted: Connection = {
        all(statement) {
          count += Number(partition !== 0)
          return connection.all(statement)
        },
      }
      return inside(counted)
    })
  try {
    await work()
  } finally {
    database.write = write
  }
  return count
}
