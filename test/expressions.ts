/**
 * Part of `npm run check`: no regular expression of the server takes longer than in proportion to its text, whatever the
 * text is. To judge one takes up to a second, so verdicts are kept, in the folder for temporary files.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Expression, expressionsIn, slownessOf } from './support/expressions.ts'

const kept = join(tmpdir(), `muster-expressions-${process.getuid?.() ?? 0}.json`)

const verdicts = new Map<string, string | null>(known())
const wrong: string[] = []
const size = verdicts.size

for (const file of globSync('src/**/*.ts').sort())
  if (!file.endsWith('.test.ts'))
    for (const one of expressionsIn(file)) {
      const slowness = one.source === '' ? 'made at run time, so that nobody can check it' : verdictOf(one)
      if (slowness) wrong.push(`${file}:${one.line}  /${one.source}/${one.flags}  ${slowness}`)
    }

if (verdicts.size > size) writeFileSync(kept, JSON.stringify([...verdicts], null, 1))
if (wrong.length > 0) {
  console.log(`Regular expressions that a text can hold up; split it, or look for its parts one by one:`)
  for (const line of wrong) console.log(`  ${line}`)
  process.exitCode = 1
}

function verdictOf(one: Expression): string | null {
  const name = `/${one.source}/${one.flags}`
  const verdict = verdicts.has(name) ? (verdicts.get(name) ?? null) : slownessOf(one)
  verdicts.set(name, verdict)
  return verdict
}

function known(): [string, string | null][] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return []
  }
}
