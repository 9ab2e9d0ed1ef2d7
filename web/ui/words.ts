import { i18n } from '@lingui/core'

type Values = { [name: string]: string | number | Date | null | undefined }

/**
 * The sentence in the reader's language. `message` is the English one, in ICU: `{count, plural, one {# job} other {# jobs}}`.
 * It must stand here as a literal, or in `msg`: the catalogues in `web/languages` are made from the source.
 */
export const t = (message: string, values?: Values): string => i18n._(message, values)

/** Marks a sentence that is said elsewhere by `t`. */
export const msg = <const Message extends string>(message: Message): Message => message
