/** The XML parser alone: `{ xml, ms }` in, `{ documents, ms }` out. */
import { SaxesParser } from 'saxes'

process.on('message', ({ xml, ms }: { xml: string; ms: number }) => {
  const started = performance.now()
  let documents = 0
  for (; performance.now() - started < ms; documents++) {
    const parser = new SaxesParser()
    let texts = 0
    parser.on('text', (text) => {
      texts += text.length
    })
    parser.write(xml).close()
    if (texts === 0) throw new Error('nothing was parsed')
  }
  process.send?.({ documents, ms: performance.now() - started })
})
