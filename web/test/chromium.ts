import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const kept = resolve(import.meta.dirname, '../node_modules/.chromium')

/** How it is started: without a window of its own, also as root, and as it draws everywhere. */
export interface Program {
  executablePath: string
  env: { [name: string]: string }
  args: string[]
}

/** The Chromium that comes by npm, or the one that CHROMIUM names. Nothing is downloaded; it runs as root too. */
export async function chromiumProgram(): Promise<Program> {
  const named = process.env.CHROMIUM
  const executablePath = named ?? (await unpacked())
  return {
    executablePath,
    env: { ...process.env, ...(named === undefined && libraries(executablePath)) } as { [name: string]: string },
    args: ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none', '--disable-dev-shm-usage'],
  }
}

export const launchChromium = async (): Promise<Browser> => chromium.launch(await chromiumProgram())

/** A browser as a phone has it: its profile stays, whatever becomes of its processes. */
export interface OnProfile {
  context: BrowserContext
  page: Page
  /** Ends all of its processes at once, as a phone does that needs the memory. */
  kill(): Promise<void>
}

export async function startOnProfile(folder: string): Promise<OnProfile> {
  const { executablePath, env, args } = await chromiumProgram()
  const own = ['--headless=new', '--remote-debugging-port=0', '--no-first-run', `--user-data-dir=${folder}`]
  const child = spawn(executablePath, [...args, ...own, 'about:blank'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, so that all of it is ended at once.
    detached: true,
  })
  const gone = once(child, 'exit')
  const kill = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It had ended.
    }
  }
  process.once('exit', kill)
  const address = await new Promise<string>((found, failed) => {
    let said = ''
    child.stderr.on('data', (text) => {
      said += text
      const line = /DevTools listening on (\S+)/.exec(said)?.[1]
      if (line) found(line)
    })
    void gone.then(() => failed(new Error(`the browser ended:\n${said}`)))
  })
  const browser = await chromium.connectOverCDP(address)
  const [context] = browser.contexts()
  if (!context) throw new Error('the browser has no context')
  return {
    context,
    page: context.pages()[0] ?? (await context.newPage()),
    async kill() {
      kill()
      await gone
      process.off('exit', kill)
      await browser.close().catch(() => {})
    },
  }
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
