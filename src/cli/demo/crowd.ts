import type { RawRow } from '#fields'
import { MINUTE } from './calendar.ts'
import type { Town } from './make-things.ts'
import { groups, workers } from './people.ts'
import { pick, randomFrom } from './rows.ts'
import { templateNames, templates } from './work.ts'

const firstNames =
  'Amara Björn Chiara Dewi Elif Farid Grace Hēmi Isla Jun Kateryna Luca Meera Nikau Ofa Pania Quentin Rosa Siosaia Tāne Uta Viliami Wiremu Xiu Yara'.split(
    ' ',
  )
const lastNames = 'Abara Berg Conti Dang Evans Faumuina Gupta Harawira Ito Jensen Kaur Lopez Moana Novak Okafor'.split(
  ' ',
)

/** Jobs of each of them today, and how long after one begins the next does, in minutes. */
const [JOBS, EACH] = [10, 55]
/** Requests in a batch. */
const AT_ONCE = 200

/**
 * More workers than are named, each with a full day: as many as it takes to see how a board is with a crowd. A program
 * with the key makes them, so that nobody of them signs in.
 */
export async function makeCrowd(town: Town, count: number): Promise<void> {
  const { program, calendar, newPerson } = town
  const random = randomFrom(29)
  const drafts = Array.from({ length: count }, (_, i) => {
    const first = firstNames[i % firstNames.length]
    const last = lastNames[Math.floor(i / firstNames.length) % lastNames.length]
    const round = Math.floor(i / firstNames.length / lastNames.length)
    const name = [first, last, round > 0 ? round + 1 : ''].join(' ').trim()
    const [group = ''] = groups[i % groups.length] ?? []
    const { tags } = like(i)
    const { email } = newPerson(name)
    const draft = {
      name,
      email,
      group_ids: town.groupIds([group]),
      tags: town.tagIds(tags).map((id) => ({ id, expires_at: calendar.at(40 + (i % 300), 23 * 60) })),
    }
    return { draft, group, template: like(i).template }
  })
  const made = await batch(drafts.map(({ draft }) => ({ path: '/v5/workers.json', body: { worker: draft } })))
  const jobs = made.flatMap(({ worker }, i) => {
    const { group, template } = drafts[i] ?? {}
    const theirs = town.customers.filter(({ group_ids }) => group_ids.includes(town.groups.get(group ?? '')?.id))
    return Array.from({ length: JOBS }, (_, n) => {
      const { steps, tag } = templates[template ?? 'roof']
      const customer = pick(random, theirs.length > 0 ? theirs : town.customers)
      const { location, ...contact } = customer.delivery_contact
      const start = Date.parse(calendar.at(0, 7 * 60 + 30 + n * EACH))
      const length = (30 + 15 * Math.floor(random() * 2)) * MINUTE
      const done =
        start + length < calendar.now
          ? steps.length
          : start < calendar.now && random() < 0.9
            ? Math.ceil(steps.length / 2)
            : 0
      const completed = (at: number) =>
        at < done ? calendar.iso(Math.min(calendar.now, start + ((at + 1) * length) / (steps.length + 1))) : null
      const job = {
        customer_id: customer.id,
        template_name: templates[template ?? 'roof'].name,
        group_ids: worker.group_ids,
        tag_ids: town.tagIds([tag]),
        worker_id: worker.id,
        planned_start_at: calendar.iso(start),
        planned_duration: length / 1000,
        contact,
        steps: steps.map((name, at) => ({ name, location, completed_at: completed(at) })),
        // Of what comes later some have not been sent.
        ...(random() < (start > calendar.now ? 0.85 : 1) && { published_at: calendar.iso(start - 12 * 60 * MINUTE) }),
      }
      return { path: '/v5/jobs.json', body: { job } }
    })
  })
  await batch(jobs)

  /** What somebody holds, and so what they do. */
  function like(i: number) {
    const template = templateNames[i % templateNames.length] ?? 'roof'
    return { template, tags: [templates[template].tag] }
  }

  async function batch(requests: { path: string; body: RawRow }[]): Promise<RawRow[]> {
    const answers: RawRow[] = []
    for (let at = 0; at < requests.length; at += AT_ONCE) {
      const part = requests.slice(at, at + AT_ONCE).map((one) => ({ method: 'POST', ...one }))
      const { batch } = await program('POST', '/batch', { batch: { requests: part } })
      for (const { status, body } of batch.responses) {
        if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
        answers.push(body)
      }
    }
    return answers
  }
}

/** How many there are without a crowd. */
export const namedWorkers = workers.length
