import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { catalogueOf, messagesOfSource } from './messages.ts'

const prefix = 'virtual:catalogue/'

/** `import('virtual:catalogue/de')`: the sentences of a language, parsed at build, so that no parser is shipped. */
export const catalogues = (): Plugin => ({
  name: 'catalogues',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith(`\0${prefix}`)) return null
    const language = id.slice(prefix.length + 1)
    return `export const messages = ${JSON.stringify(compiled(language))}`
  },
})

/** What isn't said otherwise is said as it stands in the source; so English has only what isn't plain text. */
function compiled(language: string) {
  const said = language === 'en' ? {} : catalogueOf(language)
  const all = messagesOfSource().map((english) => [english, compileMessage(said[english] ?? english)] as const)
  return Object.fromEntries(all.filter(([english, message]) => message[0] !== english || message.length > 1))
}
