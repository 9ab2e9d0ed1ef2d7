import { SaxesParser } from 'saxes'

/** An element of an answer as it stands there: names, attributes, order and text, nothing interpreted. */
export class Element {
  readonly name: string
  readonly attributes: { [name: string]: string }
  readonly children: Element[] = []
  /** Its own text; the white space between child elements is not. */
  text = ''

  constructor(name: string, attributes: { [name: string]: string }) {
    this.name = name
    this.attributes = attributes
  }

  /** Names of the child elements, in order. */
  get names(): string[] {
    return this.children.map(({ name }) => name)
  }

  get isNil(): boolean {
    return this.attributes.nil === 'true'
  }

  /** The only child of that name, or the one at the end of a path: `location.lat`. Throws where there isn't exactly one. */
  get(path: string): Element {
    return path.split('.').reduce<Element>((element, name) => {
      const found = element.all(name)
      if (found.length !== 1)
        throw new Error(`<${element.name}> has ${found.length} elements ${name}; it has ${element.names.join(' ')}`)
      return found[0] as Element
    }, this)
  }

  /** All children of a name. */
  all(name: string): Element[] {
    return this.children.filter((child) => child.name === name)
  }

  /** The text at a path; null for nil. */
  value(path: string): string | null {
    const element = this.get(path)
    return element.isNil ? null : element.text
  }
}

/** Reads an answer's XML. Throws where it is not well-formed. */
export function parseElement(text: string): Element {
  const stack: Element[] = []
  let root: Element | null = null
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = new Element(name, { ...(attributes as Record<string, string>) })
    stack.at(-1)?.children.push(element)
    root ??= element
    stack.push(element)
  })
  const add = (piece: string) => {
    const element = stack.at(-1)
    if (element) element.text += piece
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    const element = stack.pop()
    if (element && element.children.length > 0) element.text = element.text.trim()
  })
  parser.write(text).close()
  if (!root) throw new Error('there is no element')
  return root
}
