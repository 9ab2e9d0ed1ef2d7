import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../support/processes.ts'
import type { Seen } from './fault.ts'
import { errors } from './index.ts'

/** A fault that was tried, and on what machine. */
export interface Found {
  fault: string
  at: string
  machine: { [name: string]: string }
  quick: boolean
  tookS: number
  seen: Seen[]
}

const file = join(root, 'bench/results/faults.json')
const page = join(root, 'docs/reliability.md')
const [BEGIN, END] = ['<!-- faults: made by npm run bench:faults -- --keep -->', '<!-- /faults -->']

/** Puts results in place of those of the same fault and database, and makes the page's part anew. */
export function keep(found: Found[]): void {
  const kept: Found[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  for (const one of found) {
    const before = kept.find(({ fault }) => fault === one.fault)
    const others = before?.seen.filter(({ on }) => !one.seen.some((seen) => seen.on === on)) ?? []
    const now = { ...one, seen: [...others, ...one.seen].sort((a, b) => (a.on < b.on ? 1 : a.on > b.on ? -1 : 0)) }
    if (before) kept[kept.indexOf(before)] = now
    else kept.push(now)
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`)
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.slice(0, text.indexOf(BEGIN)), text.slice(text.indexOf(END))]
  writeFileSync(page, `${before}${BEGIN}\n\n${tableOf(kept)}\n${after}`)
}

function tableOf(found: Found[]): string {
  const inOrder = errors.flatMap(({ name }) => found.filter(({ fault }) => fault === name))
  const rows = inOrder.flatMap(({ fault, seen, at, quick }) =>
    seen.map(({ on, tried, seen: what, kept }, i) => {
      const outcome = kept === null ? 'not tried' : kept ? 'kept' : '**not kept**'
      const promise = i === 0 ? errors.find(({ name }) => name === fault)?.promised : ''
      return `| ${i === 0 ? `\`${fault}\`` : ''} | ${promise} | ${on}: ${tried} | ${what} | ${outcome}, ${at.slice(0, 10)}${quick ? ' (quick)' : ''} |`
    }),
  )
  return `| | promised | tried | seen | |
|---|---|---|---|---|
${rows.map((row) => `${row}\n`).join('')}`
}
