import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Muster } from '../support/muster.ts'
import { usageOf } from '../support/usage.ts'
import { asker } from './ask.ts'
import { percentile } from './fault.ts'

/** How long everybody else waits meanwhile: two who read a record every 25 ms. */
export interface Others {
  p50: number
  p99: number
  answers: number
  /** Answers that were not 200, or none at all. */
  failed: number
  /** Most that the server had resident meanwhile, in MB. */
  peakMb: number
}

export async function others(muster: Muster, key: string, meanwhile: () => Promise<unknown>): Promise<Others> {
  const ask = asker(muster.port, key)
  const ms: number[] = []
  let [failed, peakMb, over] = [0, 0, false]
  const reader = async () => {
    for (; !over; await sleep(25)) {
      const answer = await ask('GET', '/v5/tags/1.json').catch(() => null)
      if (answer?.status === 200) ms.push(answer.ms)
      else failed++
      peakMb = Math.max(peakMb, usageOf(muster.pid)?.residentMb ?? 0)
    }
  }
  const reading = [reader(), reader()]
  try {
    await meanwhile()
  } finally {
    over = true
    await Promise.all(reading)
  }
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(ms, share) * 10) / 10) as [number, number]
  return { p50, p99, answers: ms.length, failed, peakMb: Math.round(peakMb) }
}

export const inWords = ({ p50, p99, failed }: Others) =>
  `others waited ${p50} ms (median), ${p99} ms (p99)${failed > 0 ? `, ${failed} of them in vain` : ''}`

/** Files and connections that a process has open; NaN where there is no /proc. */
export function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

export const residentMb = ({ pid }: Muster) => Math.round(usageOf(pid)?.residentMb ?? Number.NaN)
