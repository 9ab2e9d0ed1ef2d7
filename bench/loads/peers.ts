import { directus } from '../peers/directus.ts'
import type { Peer, RunningPeer } from '../peers/peer.ts'
import { redmine } from '../peers/redmine.ts'
import type { Bench, Load } from '../run.ts'
import type { Finding } from '../support/finding.ts'
import { type Muster, withMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { alternate, fireAt } from '../support/rounds.ts'
import { newTag } from './create.ts'

/** As many as ask at once of Muster. */
const CONNECTIONS = 16

export const peers: Load = {
  name: 'peers',
  about: 'One small record read by its id with a key, and one created, beside what people run today; each on one core.',
  missed:
    'Both sides do the smallest thing that they have, on as many connections as the peer does best with or 16 of ours. What a read takes is told under read-one. A create waits until it is on the disk, and as many share a sync as ask at once, so with 16 connections it is the disk that sets the pace.',
  async run(bench) {
    const findings: Finding[] = []
    for (const peer of [redmine, directus]) {
      const hindrance = peer.hindrance()
      if (hindrance) bench.say(`  without ${peer.name}: ${hindrance}`)
      else findings.push(...(await beside(bench, peer)))
    }
    return findings
  },
}

async function beside(bench: Bench, peer: Peer): Promise<Finding[]> {
  bench.say(`  ${peer.name} is installed where it isn't yet, which takes minutes`)
  peer.install()
  const running = await peer.start()
  try {
    return await withMuster(bench.serving(), async (muster, { key }) => {
      const { json } = await muster.call('POST', '/v5/tags.json', { tag: { name: 'Forklift', expires: true } })
      const read = requestOf('GET', `/v5/tags/${json.tag.id}.xml?api_key=${key}`)
      return [
        {
          what: `start, beside ${peer.name}`,
          unit: 'ms',
          muster: [muster.startedMs],
          limit: { what: peer.name, values: [running.startedMs] },
        },
        await pair(
          bench,
          muster,
          [peer, running],
          'read',
          () => read,
          () => running.read,
        ),
        await pair(bench, muster, [peer, running], 'create', newTag(key), running.create),
      ]
    })
  } finally {
    await running.stop('SIGKILL')
  }
}

function pair(
  bench: Bench,
  muster: Muster,
  [peer, running]: [Peer, RunningPeer],
  what: 'read' | 'create',
  ours: () => Buffer,
  theirs: () => Buffer,
): Promise<Finding> {
  return alternate(
    bench,
    {
      what: `${what} one, beside ${peer.name}`,
      unit: 'requests/s',
      limit: peer.name,
      goal: { of: 'ratio', least: peer.goal },
    },
    {
      limit: (ms) =>
        fireAt(running, {
          port: running.port,
          request: theirs,
          ms,
          connections: running.connections[what],
          reopens: true,
        }),
      muster: (ms) => fireAt(muster, { port: muster.port, request: ours, ms, connections: CONNECTIONS }),
    },
  )
}
