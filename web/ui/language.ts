import { i18n } from '@lingui/core'

// A sentence that no catalogue has is English, and plain.
i18n.setMessagesCompiler((message) => [message])

/** Each in its own words, as somebody looks for it who can't read the others. */
export const languages = { en: 'English', de: 'Deutsch', ar: 'العربية' } as const
export type Language = keyof typeof languages

const catalogues = {
  en: () => import('virtual:catalogue/en'),
  de: () => import('virtual:catalogue/de'),
  ar: () => import('virtual:catalogue/ar'),
}
const rightToLeft: Language[] = ['ar']

/** The first of the browser's languages that there is. */
export function languageOfBrowser(): Language {
  const there = navigator.languages.map((tag) => tag.split('-')[0] ?? '')
  return (there.find((tag) => tag in languages) as Language | undefined) ?? 'en'
}

/** Loads its sentences and turns the page to it. What is on the screen already must be drawn anew by the caller. */
export async function speak(language: Language): Promise<void> {
  const { messages } = await catalogues[language]()
  i18n.loadAndActivate({ locale: language, messages })
  document.documentElement.lang = language
  document.documentElement.dir = rightToLeft.includes(language) ? 'rtl' : 'ltr'
  // Where React Aria looks for its own sentences and direction; so the shell need not load it.
  Object.assign(globalThis, { [Symbol.for('react-aria.i18n.locale')]: language })
  dispatchEvent(new Event('languagechange'))
}

/** How dates and numbers are written: as the browser's region has it, where it speaks the same language. */
export const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === language && isLocale(tag)) ?? language

/** Some browsers name what the system says, such as `en-US@posix`, which `Intl` does not take. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
