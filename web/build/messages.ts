import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync, Visitor } from 'vite'

const web = resolve(import.meta.dirname, '..')

/** The languages that there are catalogues of; English is in the source. */
export const translated = ['de', 'ar'] as const

export type Catalogue = { [english: string]: string }

export const catalogueOf = (language: string): Catalogue =>
  JSON.parse(readFileSync(join(web, `languages/${language}.json`), 'utf8'))

/** Every sentence of the client, in English: the literals in `t('…')`, `msg('…')` and `<Words text="…">`. */
export function messagesOfSource(): string[] {
  const found = new Set<string>()
  for (const file of globSync('{client,ui,office,phone}/**/*.{ts,tsx}', { cwd: web }))
    if (!/\.test\.tsx?$|\.d\.ts$/.test(file))
      for (const message of messagesOf(file, readFileSync(join(web, file), 'utf8'))) found.add(message)
  return [...found].toSorted()
}

/** @throws for what is no literal: it would be in no catalogue */
export function messagesOf(file: string, text: string): string[] {
  const found: string[] = []
  const { program } = parseSync(file, text)
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || !['t', 'msg'].includes(callee.name) || !first) return
      if (first.type === 'Literal' && typeof first.value === 'string') found.push(first.value)
      else if (callee.name === 'msg') throw new Error(`${file}: msg() takes a literal`)
    },
    JSXOpeningElement({ name, attributes }) {
      if (name.type !== 'JSXIdentifier' || name.name !== 'Words') return
      for (const attribute of attributes)
        if (attribute.type === 'JSXAttribute' && attribute.name.name === 'text' && attribute.value?.type === 'Literal')
          found.push(String(attribute.value.value))
    },
  }).visit(program)
  return found
}
