/** What was found about one thing: fine, worth a thought, or broken. `says` holds what to do. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'bad'
  says: string
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })
export const warn = (check: string, says: string): Finding => ({ check, state: 'warn', says })
export const fail = (check: string, says: string): Finding => ({ check, state: 'bad', says })

/** `1 file`, `3 files`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export function sized(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`
}

/** Whether only this machine is reached by a name or address. */
export const isLocal = (host: string) => /^(127\.|::1$|\[::1\]|localhost$)/.test(host)
