import { present, type RawRow } from '#fields'

/** A table as a person writes it: a line for each row, cells between ` | `. */
export const rows = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))

export type Random = () => number

/** Numbers from 0 to 1 that look random and are the same each time (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T extends {}>(random: Random, items: readonly T[]): T =>
  present(items[Math.floor(random() * items.length)])

export const seedOf = (text: string) =>
  [...text].reduce((sum, letter) => Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0), 7)

export const byName = (rows: RawRow[]) => new Map(rows.map((row) => [String(row.name), row]))

/** Letters and digits of a name: `Liam O’Connor` → `liam.oconnor`. */
export const plainName = (name: string, between = '.') =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9 ]/g, '')
    .toLowerCase()
    .trim()
    .replaceAll(' ', between)
