import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { catalogueOf, messagesOfSource, translated } from '../build/messages.ts'

const said = messagesOfSource()

for (const language of translated)
  test(`every sentence of the client is in the catalogue of ${language}, and no other`, () => {
    const catalogue = catalogueOf(language)
    assert.deepEqual(
      {
        missing: said.filter((english) => !catalogue[english]),
        unused: Object.keys(catalogue).filter((english) => !said.includes(english)),
      },
      { missing: [], unused: [] },
    )
    for (const english of said)
      assert.deepEqual(placesOf(catalogue[english] ?? ''), placesOf(english), `${language} of: ${english}`)
  })

/** The names of what is filled in. */
function placesOf(message: string): string[] {
  const names = new Set<string>()
  const look = (tokens: unknown) => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens) {
      if (!Array.isArray(token)) continue
      names.add(String(token[0]))
      if (token[2] && typeof token[2] === 'object') for (const choice of Object.values(token[2])) look(choice)
    }
  }
  look(compileMessage(message))
  return [...names].toSorted()
}
