/** What spreadsheets run; and what looks like it behind apostrophes, so that taking one off gives back what there was. */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/

/** With an apostrophe in front, where a spreadsheet would take the text for a formula. */
export const escapeFormula = (text: string): string => (formula.test(text) && !isNumber(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formula.test(text) && !isNumber(text.slice(1)) ? text.slice(1) : text

/** A negative number is no formula. */
const isNumber = (text: string) => /^-\d+(\.\d+)?$/.test(text)
