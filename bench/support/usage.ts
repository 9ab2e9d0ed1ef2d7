import { readFileSync } from 'node:fs'

/** What a process has used. */
export interface Usage {
  /** Of all its threads, in the kernel and out of it; in steps of 10 ms. */
  cpuMs: number
  /** Resident now, and the most it ever was. */
  residentMb: number
  peakMb: number
}

/** What a process has used so far; null where there is no /proc. */
export function usageOf(pid: number): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // After the name in brackets, which may hold anything, utime and stime are the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      residentMb: mb('VmRSS'),
      peakMb: mb('VmHWM'),
    }
  } catch {
    return null
  }
}

/** Of what the kernel tells programs; the same on every Linux, whatever it counts in itself. */
const TICK_MS = 10
