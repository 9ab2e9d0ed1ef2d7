import { DatabaseSync } from 'node:sqlite'

/**
 * Makes each job of a SQLite database into many, each time a day earlier, with what hangs on them and a line of the
 * journal. A million jobs over the wire would take an hour; by SQL they take a minute, and nothing is made up that Muster
 * didn't write once. Ids of the jobs run from 1 to `jobs`.
 */
export function multiplyJobs(file: string, jobs: number, times: number): void {
  const database = new DatabaseSync(file)
  // What is lost by a crash is made again.
  database.exec('pragma synchronous = off; pragma journal_mode = wal; pragma cache_size = -400000')
  const tables = ['jobs', 'job_groups', 'job_tags', 'events']
  const indexes = database
    .prepare(
      `select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in (${tables.map(() => '?').join()})`,
    )
    .all(...tables) as { name: string; sql: string }[]
  // Sorted once at the end, they are made in a fraction of the time.
  for (const { name } of indexes) database.exec(`drop index "${name}"`)
  for (const table of ['jobs', 'job_groups', 'job_tags']) copy(table)
  database.exec(`
    begin;
    with recursive more (n) as (select 1 union all select n + 1 from more where n < ${jobs * times})
    insert into events (account_id, seq, at, record, record_id, action, actor, actor_id, call_id, changes)
    select j.account_id, j.seq + n, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'job', n, 'update', 'system', null, 'bench', '{"planned_duration":[3600,2700]}'
    from more, journals j;
    update journals set seq = seq + ${jobs * times};
    update counters set value = ${jobs * times} where name = 'jobs';
    commit`)
  for (const { sql } of indexes) database.exec(sql)
  database.exec('analyze; pragma wal_checkpoint(truncate)')
  database.close()

  function copy(table: string) {
    const columns = (database.prepare(`select name from pragma_table_info(?)`).all(table) as { name: string }[]).map(
      ({ name }) => name,
    )
    const id = table === 'jobs' ? 'id' : 'job_id'
    database.exec(`
      begin;
      with recursive more (n) as (select 1 union all select n + 1 from more where n < ${times - 1})
      insert into ${table} (${columns.join()})
      select ${columns.map((name) => copied(name, id)).join()} from more cross join ${table} order by n, ${id};
      commit`)
  }

  function copied(column: string, id: string): string {
    if (column === id) return `${id} + n * ${jobs}`
    if (column === 'third_party_id') return `third_party_id || '-' || n`
    if (column === 'notes') return `notes || ', row ' || n`
    if (/_(at|by)$/.test(column)) return `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-' || n || ' days')`
    return column
  }
}
