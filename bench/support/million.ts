import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '#app/create'
import { readConfig } from '#config'
import { indexTexts } from '#store/text-index'
import { type Company, newCompany } from './company.ts'
import { removeFolder, work } from './folders.ts'
import { multiplyJobs } from './multiply.ts'
import { root } from './processes.ts'

/** What decides what is in it; another company is made when that changes. */
const sources = [
  'src/store/migrations/*.ts',
  'src/store/text-index.ts',
  'src/records/*.ts',
  'bench/support/{company,multiply}.ts',
]

/** A company with as many jobs, a thousand times a power of ten; kept for the next run, for it takes a minute or two. */
export async function companyOf(jobs: number): Promise<Company> {
  const text = globSync(sources, { cwd: root })
    .sort()
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('')
  // Its day is tomorrow.
  const folder = join(
    work,
    `jobs-${jobs}-${new Date().toISOString().slice(0, 10)}-${hash('sha256', text).slice(0, 12)}`,
  )
  const description = join(folder, 'company.json')
  if (!existsSync(description)) {
    for (const old of globSync(`jobs-${jobs}-*`, { cwd: work })) rmSync(join(work, old), { recursive: true })
    const company = await newCompany({ jobs: 1000, light: true })
    if (jobs > 1000) multiplyJobs(join(company.folder, 'muster.db'), 1000, jobs / 1000)
    await index(company)
    writeFileSync(join(company.folder, 'company.json'), JSON.stringify({ ...company, jobs }))
    renameSync(company.folder, folder)
    removeFolder(company.folder)
  }
  return { ...JSON.parse(readFileSync(description, 'utf8')), folder, settings: { MUSTER_DATA_DIR: folder } }
}

/** What is found by its texts, as a server does it by and by. */
async function index({ settings }: Company): Promise<void> {
  const app = await createApp(readConfig({ ...settings, MUSTER_LOG_LEVEL: 'silent' }))
  while ((await indexTexts(app.store)) > 0);
  await app.close()
}
