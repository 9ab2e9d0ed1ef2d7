import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { parse, type Token } from 'acorn'

/** A regular expression of the code, and the line that it stands on. */
export interface Expression {
  line: number
  source: string
  flags: string
}

// Its way in for browsers is the whole checker in JavaScript; the other would start a program of another language.
const { checkSync }: Pick<typeof import('recheck'), 'checkSync'> = createRequire(import.meta.url)(
  'recheck/lib/browser.js',
)

/** How the time of an expression grows with its text, where that is faster than the text: `2nd degree polynomial`. */
export function slownessOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | null {
  const verdict = checkSync(source, flags, { timeout: 60_000, randomSeed: 0 })
  if (verdict.status === 'safe') return null
  return verdict.status === 'vulnerable' ? verdict.complexity.summary : `not understood: ${verdict.error.kind}`
}

/** The expressions of a file of TypeScript. One that is made at run time, which nobody can check, has no source. */
export function expressionsIn(file: string): Expression[] {
  const found: Expression[] = []
  const onToken = ({ type, value, loc }: Token & { value?: unknown }) => {
    const line = loc?.start.line ?? 0
    if (type.label === 'regexp') {
      const { pattern, flags } = value as { pattern: string; flags: string }
      found.push({ line, source: pattern, flags })
    } else if (type.label === 'name' && value === 'RegExp') found.push({ line, source: '', flags: '' })
  }
  const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onToken })
  return found
}
