import { join } from 'node:path'
import { type OnProfile, startOnProfile } from '../../web/test/chromium.ts'
import type { Company } from './company.ts'
import { newFolder, removeFolder } from './folders.ts'

/** The first worker of a company, who has signed in on a phone of theirs. */
export class Owner {
  readonly folder = newFolder()
  readonly base: string
  readonly #company: Company

  constructor(base: string, company: Company) {
    this.base = base
    this.#company = company
  }

  get id(): number {
    return this.#company.workers[0] ?? 0
  }

  /** Starts the browser on the same profile as before. */
  async start(): Promise<OnProfile> {
    const started = await startOnProfile(join(this.folder, 'profile'))
    await this.#signIn(started)
    return started
  }

  /** What a killed browser may not have written yet, a phone has since the first day: who it is. */
  async #signIn({ context }: OnProfile) {
    const value = this.#company.cookies[0] ?? ''
    await context.addCookies([{ name: 'muster_session', value, url: this.base }])
    const person = { account_id: this.#company.account, user_id: this.id, user_name: 'Worker 0' }
    const kept = { 'muster.phone.person': JSON.stringify(person), 'muster.phone.device': device }
    await context.addInitScript({
      content: `for (const [name, value] of Object.entries(${JSON.stringify(kept)})) localStorage.setItem(name, value)`,
    })
  }

  remove(): void {
    removeFolder(this.folder)
  }
}

const device = '019ab5c0-0000-7000-8000-00000000be9c'
