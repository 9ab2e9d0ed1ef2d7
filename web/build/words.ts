/** `npm run words`: brings the catalogues up to what the source says, and prints what wants a translation. */
import { writeFileSync } from 'node:fs'
import { installPackages } from './packages.ts'

installPackages()
const { catalogueOf, messagesOfSource, translated } = await import('./messages.ts')

const said = messagesOfSource()
for (const language of translated) {
  const before = catalogueOf(language)
  const after = Object.fromEntries(said.map((english) => [english, before[english] ?? '']))
  writeFileSync(new URL(`../languages/${language}.json`, import.meta.url), `${JSON.stringify(after, null, 2)}\n`)
  const missing = said.filter((english) => !after[english])
  console.log(`${language}: ${said.length} sentences, ${missing.length} to translate`)
  for (const english of missing) console.log(`  ${english}`)
}
