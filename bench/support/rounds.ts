import type { Bench } from '../run.ts'
import type { Finding } from './finding.ts'
import { type Fired, type Firing, fire } from './fire.ts'
import { type Usage, usageOf } from './usage.ts'

/** One side of a comparison: what it did in a round. */
export interface Round {
  /** Of what the finding counts. */
  value: number
  beside: { [name: string]: number }
}

/** Limit, Muster, limit, Muster …, after a warm-up of each. */
export async function alternate(
  bench: Bench,
  finding: Pick<Finding, 'what' | 'unit' | 'goal'> & { limit: string },
  sides: { limit: (ms: number) => Promise<Round>; muster: (ms: number) => Promise<Round> },
): Promise<Finding> {
  await sides.limit(bench.warmMs)
  await sides.muster(bench.warmMs)
  const limit: Round[] = []
  const muster: Round[] = []
  for (let i = 0; i < bench.rounds; i++) {
    limit.push(await sides.limit(bench.ms))
    muster.push(await sides.muster(bench.ms))
  }
  const { limit: what, ...rest } = finding
  return {
    ...rest,
    muster: muster.map(({ value }) => value),
    limit: { what, values: limit.map(({ value }) => value) },
    beside: { ...columns(muster, ''), ...columns(limit, 'limit '), ...byCpu(muster, limit) },
  }
}

/** The same without a limit. */
export async function repeat(
  bench: Bench,
  finding: Pick<Finding, 'what' | 'unit' | 'goal'>,
  round: (ms: number) => Promise<Round>,
): Promise<Finding> {
  await round(bench.warmMs)
  const rounds: Round[] = []
  for (let i = 0; i < bench.rounds; i++) rounds.push(await round(bench.ms))
  return { ...finding, muster: rounds.map(({ value }) => value), beside: columns(rounds, '') }
}

/** The ratio that a busy machine disturbs least: by what each took of its core, in place of how long that was. */
function byCpu(muster: Round[], limit: Round[]): { [name: string]: number[] } {
  const ratios = muster.map(({ beside }, i) => (limit[i]?.beside[CPU] ?? Number.NaN) / (beside[CPU] ?? Number.NaN))
  return ratios.some(Number.isNaN) ? {} : { 'ratio by CPU': ratios }
}

function columns(rounds: Round[], prefix: string): { [name: string]: number[] } {
  const names = Object.keys(rounds[0]?.beside ?? {})
  return Object.fromEntries(
    names.map((name) => [`${prefix}${name}`, rounds.map(({ beside }) => beside[name] ?? Number.NaN)]),
  )
}

/** A process that answers, or several that share its port. */
interface Server {
  pid: number
  pids?: number[]
}

/** Fires at a server, and tells what it took of it. */
export async function fireAt(server: Server, firing: Firing): Promise<Round & { fired: Fired }> {
  const { fired, beside } = await usedOf(server, async () => ({ fired: await fire(firing) }))
  return { fired, value: fired.perSecond, beside }
}

/** What it took of a server to answer whatever is asked meanwhile. */
export async function usedOf<T extends { fired: Fired }>(
  { pid, pids = [pid] }: Server,
  ask: () => Promise<T>,
): Promise<T & Pick<Round, 'beside'>> {
  const before = pids.map(usageOf)
  const asked = await ask()
  const after = pids.map(usageOf)
  const sum = (usages: (Usage | null)[], name: keyof Usage) =>
    usages.reduce((total, usage) => total + (usage?.[name] ?? Number.NaN), 0)
  const cpuMs = sum(after, 'cpuMs') - sum(before, 'cpuMs')
  const { fired } = asked
  const beside = {
    'p50 ms': fired.p50,
    'p99 ms': fired.p99,
    ...(!Number.isNaN(cpuMs) && {
      [CPU]: (cpuMs * 1000) / fired.answers,
      'memory MB': sum(after, 'residentMb'),
    }),
    'load busy': fired.loadBusy,
  }
  return { ...asked, beside }
}

/** Microseconds that a server took of its core for each answer. */
export const CPU = 'server µs CPU each'

/** What each answer of a finding took of the server's core, as a finding of its own. */
export const cpuOf = ({ what, beside = {} }: Finding, most: number): Finding => ({
  what: `${what}: CPU of the server`,
  unit: 'µs',
  muster: beside[CPU] ?? [],
  goal: { of: 'value', most },
})
