import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import type { RawRow } from '../../src/fields/index.ts'
import type { Person } from '../../test/support/people.ts'
import { type Office, startOffice } from './office.ts'

export const picture = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#a40' } })
  .jpeg()
  .toBuffer()

const fields = [
  { name: 'Pressure', type: 'number', permission: 'required' },
  { name: 'Gas is off', type: 'checkbox' },
  { name: 'Flue', type: 'pick_list', options: ['good', 'worn'] },
  { name: 'Photo', type: 'image' },
  { name: 'Remark', type: 'text' },
]

export interface Job {
  id: number
  custom_fields: { id: number; name: string; value: string | null; attachment_id: string | null }[]
  steps: { id: number; completed_at: string | null }[]
}

/** A Muster, a browser with the size and touch of a phone, and what a test of the workers' app does with both. */
export interface Field extends Office {
  worker(permissions?: RawRow): Promise<Person>
  /** A published job of this person. */
  give(person: Person, more?: object): Promise<Job>
  read(job: { id: number }): Promise<Job & RawRow>
  /** A phone on which this person signs in, by hand. */
  signedIn(person: Person, path?: string, base?: string): Promise<Page>
  /** The app is killed, as systems do, and started from the home screen. */
  reopened(context: BrowserContext, page: Page, path?: string): Promise<Page>
}

/** Call it once, outside of the tests. */
export async function startField(settings: { [name: string]: string } = {}): Promise<Field> {
  const office = await startOffice(settings)
  return {
    ...office,
    worker: (more = {}) => office.hire({ mobile: 'full', ...more }),

    async give(person, more = {}) {
      const body = {
        job: {
          customer_name: 'Harbour Bakery',
          template_name: 'Boiler service',
          steps: [{ name: 'Arrive' }, { name: 'Service' }],
          custom_fields: fields,
          worker_id: person.id,
          published_at: '2026-01-01T00:00:00Z',
          ...more,
        },
      }
      const { status, json, text } = await office.request('POST', '/v5/jobs.json', { body })
      assert.equal(status, 201, text)
      return json.job
    },

    async read({ id }) {
      return (await office.request('GET', `/v5/jobs/${id}.json`)).json.job
    },

    async signedIn(person, path = '/phone', base = office.base) {
      const page = await office.open({
        as: null,
        path,
        base,
        context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
        // What a browser says of lost connections, and of a service worker that comes between it and what it loads ahead.
        mayTell: /ERR_INTERNET_DISCONNECTED|401|Failed to load|cross-world service worker/,
      })
      await signInOn(page, person)
      await page.getByRole('heading', { name: 'Today', exact: true }).waitFor()
      return page
    },

    async reopened(context, page, path = '/phone') {
      await page.close({ runBeforeUnload: false })
      const next = await context.newPage()
      await next.goto(office.base + path)
      return next
    },
  }
}

export async function signInOn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).tap()
}

/** The app is on the phone: it starts without a connection. */
export const ready = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))

/** Presses a number on the keypad of a field, and saves it. */
export async function enter(page: Page, field: RegExp, number: string): Promise<void> {
  await page.getByRole('button', { name: field }).tap()
  for (const key of number)
    await page.getByRole('button', { name: key === '.' ? 'Decimal point' : key, exact: true }).tap()
  await page.getByRole('button', { name: 'Save' }).tap()
}
