import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('a fault whose sentence is made with a value tells the value, too, so that it can be said in other languages', () => {
  const missing = globSync('src/{fields,rules,server}/**/*.ts').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/new ValidationError\(/g)].flatMap(({ index }) => {
      const call = callAt(text, index)
      return /`[^`]*\$\{/.test(call.split(/remedy:/)[0] ?? '') && !call.includes('params') ? [`${file}: ${call}`] : []
    })
  })
  assert.deepEqual(missing, [])
})

/** A call from its name to the bracket that ends it. */
function callAt(text: string, from: number): string {
  let depth = 0
  for (let i = text.indexOf('(', from); i < text.length; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')' && --depth === 0) return text.slice(from, i + 1)
  }
  return text.slice(from)
}
