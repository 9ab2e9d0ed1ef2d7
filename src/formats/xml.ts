import { isObject, memoize } from '#fields'
import { Problem } from '#problem'
import { decode } from './decode.ts'
import type { Format, Paging } from './format.ts'
import { readXml } from './xml-read.ts'
import { branch, compile, DECLARATION } from './xml-write.ts'

/** XML as old clients write and read it. (docs/contract.md#writing-xml) */
export const xml: Format = {
  name: 'xml',
  contentType: 'application/xml; charset=utf-8',
  reads: ['application/xml', 'text/xml', 'application/x-xml'],

  read(body, charset, roots, list) {
    const [root, value] = readXml(decode(body, charset))
    if (!roots.includes(root)) throw new Problem('malformed', `The root element must be ${roots[0]}`)
    if (list && Array.isArray(value)) return { [root]: value }
    if (!isObject(value)) throw new Problem('malformed', `The element ${root} is empty`)
    return value
  },

  one: (record, { name }) => {
    const print = printers(record, `${name} 0`)
    return (row, printing) => DECLARATION + print(row, printing)
  },

  list: (record, { name, plural }) => {
    const print = printers(record, `${name} 1`)
    return (rows, { more, ...paging }: Paging, printing) => {
      const attributes = { type: 'array', ...paging, ...(more !== undefined && { more: String(more) }) }
      let inside = ''
      for (const row of rows) inside += print(row, printing)
      return DECLARATION + branch('', plural, attributes, inside)
    }
  },
}

const printers = memoize((record: Parameters<Format['one']>[0], key) => {
  const [name = '', level] = key.split(' ')
  return compile(name, record.fields, record.times ?? 'zulu', Number(level))
})
