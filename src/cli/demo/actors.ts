import type { RawRow } from '#fields'

/** Who sends a request: a program by its key, a person by the cookie of a session; the headers say so. */
export interface Actor {
  name: string
  headers: { [name: string]: string }
}

export interface Answer {
  status: number
  headers: { [name: string]: unknown }
  text: string
}

/** Sends one request as an actor, with JSON or the bytes of an image. How it travels is for whoever makes it. */
export type Request = (actor: Actor, method: string, path: string, body?: RawRow | Buffer) => Promise<Answer>

/**
 * Asks as one actor and answers the JSON that came: `ask('POST', '/tags', { tag: { name: 'Crane' } })`.
 * @throws Error when it was refused
 */
export type Ask = (method: string, path: string, body?: RawRow | Buffer) => Promise<RawRow>

/** Somebody who has signed in. */
export interface Person extends NewPerson {
  id: number
  ask: Ask
}

export interface NewPerson {
  name: string
  email: string
  password: string
}

export const withKey = (request: Request, key: string): Ask =>
  asking(request, { name: 'the key', headers: { authorization: `Bearer ${key}` } })

/** Signs a person in. @throws Error when it was refused */
export async function signIn(request: Request, { name, email, password }: NewPerson): Promise<Person> {
  const answer = await request({ name, headers: {} }, 'POST', '/v5/session.json', { session: { email, password } })
  if (answer.status !== 201) throw new Error(`${name} can't sign in: ${answer.status} ${answer.text}`)
  const cookie = [answer.headers['set-cookie']].join().split(';')[0] ?? ''
  // A write with a cookie says that it comes from a page of the same site.
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const id: number = JSON.parse(answer.text).session.user_id
  return { id, name, email, password, ask: asking(request, { name, headers }) }
}

/** Makes records one after the other, so that their ids have the order of the drafts. */
export async function makeAll(ask: Ask, path: string, name: string, drafts: RawRow[]): Promise<RawRow[]> {
  const made: RawRow[] = []
  for (const draft of drafts) made.push((await ask('POST', path, { [name]: draft }))[name])
  return made
}

/** Everybody does their own things one after the other, and people don't wait for each other. Answers in the order of the items. */
export async function eachInTurn<T, R>(
  items: T[],
  whose: (item: T) => Person | undefined,
  work: (person: Person, item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const turns = Map.groupBy(items.entries(), ([, item]) => whose(item))
  await Promise.all(
    [...turns].map(async ([person, theirs]) => {
      if (person) for (const [i, item] of theirs) results[i] = await work(person, item)
    }),
  )
  return results
}

/** The same for any actor. */
export function asking(request: Request, actor: Actor): Ask {
  return async (method, path, body) => {
    const { status, text } = await request(actor, method, `/v5${path.replace(/\?|$/, '.json$&')}`, body)
    if (status !== 200 && status !== 201) throw new Error(`${actor.name}: ${method} ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }
}
