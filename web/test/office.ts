import assert from 'node:assert/strict'
import { after } from 'node:test'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { RawRow } from '../../src/fields/index.ts'
import { hire, type Person } from '../../test/support/people.ts'
import { startApp, type TestApp } from '../../test/support/test-app.ts'
import { launchChromium } from './chromium.ts'

/** Every right of the office. */
export const dispatcher = Object.fromEntries(
  ['jobs', 'schedule', 'map', 'reports', 'customers', 'equipment', 'messaging', 'admin'].map((name) => [name, 'full']),
)

interface Opened {
  /** Null for somebody who has not signed in. */
  as: Person | null
  path?: string
  /** Where it is reached, where that is not the server itself. */
  base?: string
  theme?: 'light' | 'dark'
  density?: 'compact'
  language?: 'en' | 'de' | 'ar'
  context?: BrowserContextOptions
  /** What may be told on the console: nothing, unless a test is about it. */
  mayTell?: RegExp
}

export interface Office extends TestApp {
  hire(permissions?: RawRow, more?: RawRow): Promise<Person>
  /** A page in a browser of its own, which fails its test for whatever is told on the console, thrown, or against the policy. */
  open(opened: Opened): Promise<Page>
}

/** A Muster and a browser for all tests of a file. Call it once, outside of them. */
export async function startOffice(settings: { [name: string]: string } = {}): Promise<Office> {
  const [app, browser] = await Promise.all([startApp({ settings }), launchChromium()])
  after(async () => {
    await browser.close()
    await app.close()
  })
  return {
    ...app,
    hire: (permissions = dispatcher, more = {}) => hire(app, permissions, more),
    open: (opened) => openPage(browser, app.base, opened),
  }
}

/** Longer than anything takes, on a machine that does nine things at once. */
const timeoutMs = 15_000

async function openPage(browser: Browser, server: string, opened: Opened): Promise<Page> {
  const {
    as,
    path = '/',
    base = server,
    theme = 'light',
    density = null,
    language = 'en',
    context: options,
    mayTell,
  } = opened
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  context.setDefaultTimeout(timeoutMs)
  if (as) {
    const [name = '', value = ''] = as.cookie.split('=')
    await context.addCookies([{ name, value, url: base }])
  }
  const preferences = JSON.stringify(JSON.stringify({ theme, density, language }))
  await context.addInitScript({ content: `localStorage.setItem('muster.preferences', ${preferences})` })
  const page = await context.newPage()
  const told: string[] = []
  page.on('pageerror', (error) => told.push(error.stack ?? error.message))
  page.on('console', (message) => {
    // A refusal of the server is an answer; what the page makes of it is looked at.
    const refusal = /Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !refusal) told.push(message.text())
  })
  pages.set(page, { told, mayTell: mayTell ?? null })
  await page.goto(base + path)
  return page
}

const pages = new WeakMap<Page, { told: string[]; mayTell: RegExp | null }>()

/** Closes the page, and fails where it told anything. */
export async function done(page: Page): Promise<void> {
  const { told = [], mayTell = null } = pages.get(page) ?? {}
  await page.context().close()
  assert.deepEqual(
    told.filter((text) => !mayTell?.test(text)),
    [],
  )
}

/** Fails for what axe finds against WCAG 2.2 AA, and for what scrolls sideways. */
export async function assertAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  assert.deepEqual(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
    ),
    [],
  )
}
