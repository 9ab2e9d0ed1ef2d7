import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const kept = resolve(import.meta.dirname, '../node_modules/.chromium')

/** The Chromium that comes by npm, or the one that CHROMIUM names. Nothing is downloaded; it runs as root too. */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.CHROMIUM
  const executablePath = named ?? (await unpacked())
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...(named === undefined && libraries(executablePath)) } as { [name: string]: string },
    args: ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none', '--disable-dev-shm-usage'],
  })
}

/** Unpacks it once, beside where it is put in the end: several test files start at the same time. */
async function unpacked(): Promise<string> {
  const executable = join(kept, 'chromium')
  if (existsSync(executable)) return executable
  const { default: packed, inflate } = await import('@sparticuz/chromium')
  const beside = mkdtempSync(`${kept}-`)
  const before = process.env.TMPDIR
  process.env.TMPDIR = beside
  await packed.executablePath()
  await inflate(resolve(import.meta.dirname, '../node_modules/@sparticuz/chromium/bin/al2023.tar.br'))
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  try {
    renameSync(beside, kept)
  } catch {
    rmSync(beside, { recursive: true, force: true }) // another was first
  }
  return executable
}

/** Where the machine lacks NSS and its kin, those that were packed with the browser. */
function libraries(executable: string): { LD_LIBRARY_PATH?: string } {
  if (!execFileSync('ldd', [executable], { encoding: 'utf8' }).includes('not found')) return {}
  return { LD_LIBRARY_PATH: join(kept, 'al2023/lib') }
}
