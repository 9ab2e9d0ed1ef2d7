import { escapeFormula } from '../../../src/fields/formula.ts'
import type { RecordType } from '../../../src/fields/index.ts'

/** The fields of a record that fill one cell; an import reads them again under these names. */
export const columnsOf = ({ fields }: RecordType): string[] =>
  Object.entries(fields)
    .filter(
      ([, { shape, kind, internal, writeOnly }]) => !internal && !writeOnly && (shape === 'leaf' || kind === 'ids'),
    )
    .map(([name]) => name)

/** Rows as a table: RFC 4180 with a byte order mark, by which spreadsheets know that it is UTF-8. */
export function csvOf(columns: string[], rows: { [name: string]: unknown }[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => textOf(row[name])))]
  return `\uFEFF${lines.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`
}

const textOf = (value: unknown) =>
  value === null || value === undefined ? '' : escapeFormula(Array.isArray(value) ? value.join(',') : String(value))

const quoted = (cell: string) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Hands a text to the browser as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}
