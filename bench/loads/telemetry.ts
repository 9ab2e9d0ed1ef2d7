import type { Load } from '../run.ts'
import { type Company, newCompany } from '../support/company.ts'
import { withMuster } from '../support/muster.ts'
import { requestOf } from '../support/requests.ts'
import { fireAt, repeat } from '../support/rounds.ts'

export const POINTS = 10

export const telemetry: Load = {
  name: 'telemetry',
  about: 'Batches of 10 points from the devices of 1,000 workers, on 64 connections.',
  missed:
    'Tried: batches that come together go into one transaction with one look at their workers and one insert (1.4 times as many), instants and decimals that come as they are kept are not taken apart (half the time for a point), short answers are not compressed (0.9 of the CPU). The profile has commit and insert at a quarter of the time; the rest is spread over what every request takes: its headers, its JSON, who asks, the line of the log.',
  run: async (bench) =>
    withMuster(
      bench.serving(),
      async (muster, { cookies }: Company) => {
        const request = batches(cookies)
        return [
          await repeat(
            bench,
            { what: 'keep telemetry', unit: 'points/s', goal: { of: 'value', least: 60_000 } },
            async (ms) => {
              const { value, beside } = await fireAt(muster, { port: muster.port, request, ms })
              return { value: value * POINTS, beside }
            },
          ),
        ]
      },
      await newCompany({ workers: 1000, jobs: 0, signedIn: true }),
    ),
}

/** Each worker in turn, ten seconds later each time. */
export function batches(cookies: string[]): () => Buffer {
  let last = 0
  const next = newTelemetry(cookies.length)
  return () => {
    const headers = {
      'Content-Type': 'application/json',
      Cookie: `muster_session=${cookies[last++ % cookies.length]}`,
      'Sec-Fetch-Site': 'same-origin',
    }
    return requestOf('POST', '/v5/telemetry.json', headers, JSON.stringify(next()))
  }
}

/** What the phones of so many send, one after the other. */
export function newTelemetry(workers: number): () => { telemetry: object[] } {
  let last = 0
  const started = Date.now() - 20 * 86_400_000
  return () => {
    const number = last++
    const turn = Math.floor(number / workers)
    const telemetry = Array.from({ length: POINTS }, (_, i) => ({
      recorded_at: new Date(started + (turn * POINTS + i) * 1000).toISOString(),
      lat: `-36.${8000 + ((number + i) % 1000)}`,
      lng: `174.${7000 + ((number * 3 + i) % 1000)}`,
      heading: '90.0',
      speed: '42.0',
      accuracy: '5',
    }))
    return { telemetry }
  }
}
