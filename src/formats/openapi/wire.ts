import { pascal, type Schema } from './schema.ts'

/**
 * What one format needs of a document that describes both: addresses with its extension, its media type alone, no example
 * of the other, and a name for every object, so that generators make types that people can read.
 */

type Wire = 'json' | 'xml'
const mediaTypes: { [wire in Wire]: string } = { json: 'application/json', xml: 'application/xml' }

export function inWire(document: Schema, wire: Wire): Schema {
  const items = Object.entries(document.paths as { [address: string]: Schema }).flatMap(([address, item]) => {
    const own = address.lastIndexOf('.') > address.lastIndexOf('/')
    // What comes in JSON only is no part of the XML twin.
    if (wire === 'xml' && address.endsWith('.json')) return []
    return [[own ? address : `${address}.${wire}`, narrowed(item, wire)]]
  })
  const components = narrowed(document.components, wire) as { schemas: Schemas }
  const paths: Named['paths'] = Object.fromEntries(items)
  if (wire === 'json') nameObjects({ paths, components })
  return withoutUnused({ ...document, paths, components })
}

/**
 * Without the media type of the other format, wherever something is sent or answered; and without defaults but those of
 * parameters, since generators take a field that has one for one that must be said.
 */
function narrowed(node: unknown, wire: Wire): unknown {
  if (Array.isArray(node)) return node.map((one) => narrowed(one, wire))
  if (typeof node !== 'object' || node === null || 'in' in node) return node
  const other = mediaTypes[wire === 'json' ? 'xml' : 'json']
  const left = ([name, value]: [string, unknown]) => name !== other && (name !== 'default' || typeof value === 'object')
  return Object.fromEntries(
    Object.entries(node)
      .filter(left)
      .map(([name, value]) => [name, narrowed(value, wire)]),
  )
}

interface Schemas {
  [name: string]: Schema
}
interface Named {
  paths: { [address: string]: { [method: string]: Operation } }
  components: { schemas: Schemas }
}
interface Operation {
  operationId?: string
  requestBody?: { content: Content }
  responses?: { [status: string]: { content?: Content } }
}
interface Content {
  [mediaType: string]: { schema: Schema }
}

/** An operation has one of these; what else it may answer is told by its status. */
const usual = new Set(['200', '201'])

/** Puts every object that stands inside of another under a name of its own; what is the same has one name. */
function nameObjects({ paths, components: { schemas } }: Named): void {
  const objects = new ObjectNames(schemas)
  objects.nameInSchemas()
  for (const item of Object.values(paths))
    for (const { operationId, requestBody, responses = {} } of Object.values(item)) {
      if (!operationId) continue
      const id = operationId.charAt(0).toUpperCase() + operationId.slice(1)
      objects.nameInContent(requestBody?.content, id, `${id}Request`)
      for (const [status, { content }] of Object.entries(responses))
        objects.nameInContent(content, id, `${id}${usual.has(status) ? '' : status}Response`)
    }
}

/** The objects of a document by their names; what gets one goes into its schemas. */
class ObjectNames {
  private readonly schemas: Schemas
  /** By what they say. */
  private readonly names: Map<string, string>

  constructor(schemas: Schemas) {
    this.schemas = schemas
    this.names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]))
  }

  nameInSchemas(): void {
    for (const [name, schema] of Object.entries(this.schemas)) {
      const suffix = ['Draft', 'Change'].find((one) => name.endsWith(one)) ?? ''
      this.schemas[name] = this.inside(schema, name.slice(0, name.length - suffix.length), suffix)
    }
  }

  nameInContent(content: Content | undefined, parent: string, name: string): void {
    const media = content?.[mediaTypes.json]
    if (media?.schema.properties) media.schema = this.named(this.inside(media.schema, parent, ''), [name])
  }

  /** A schema with the objects in it named. */
  private inside(schema: Schema, parent: string, suffix: string): Schema {
    const { properties } = schema
    if (!properties) return schema
    const entries = Object.entries(properties).map(([property, value]) => [
      property,
      this.child(property, value, parent, suffix),
    ])
    return { ...schema, properties: Object.fromEntries(entries) }
  }

  private child(property: string, schema: Schema, parent: string, suffix: string): Schema {
    const { items } = schema
    if (items?.properties) {
      const one = pascal(property.endsWith('s') ? property.slice(0, -1) : property)
      const names = [one + suffix, parent + one + suffix]
      return { ...schema, items: this.named(this.inside(items, parent + one, suffix), names) }
    }
    if (!schema.properties || Object.keys(schema.properties).length === 0) return schema
    const own = pascal(property)
    const { description, readOnly, ...rest } = this.inside(schema, parent + own, suffix)
    const isNullable = Array.isArray(rest.type)
    const names = [own + suffix, (parent.endsWith(own) ? parent : parent + own) + suffix]
    const ref = this.named({ ...rest, type: 'object' }, names)
    return {
      ...(isNullable ? { anyOf: [ref, { type: 'null' }] } : ref),
      ...(description !== undefined && { description }),
      ...(readOnly !== undefined && { readOnly }),
    }
  }

  /** A reference to such an object, under the first of the names that is free or its own. */
  private named({ title, ...schema }: Schema, candidates: string[]): Schema {
    const text = JSON.stringify(schema)
    const found =
      this.names.get(text) ??
      [...(title ? [String(title)] : []), ...candidates].find((one) => !(one in this.schemas)) ??
      this.next(candidates.at(-1) ?? '')
    this.names.set(text, found)
    this.schemas[found] = schema
    return { $ref: `#/components/schemas/${found}` }
  }

  /** The name with the first number that makes it another than those there are. */
  private next(name: string): string {
    let number = 2
    while (`${name}${number}` in this.schemas) number++
    return `${name}${number}`
  }
}

/** Without the pieces that nothing leads to any more. */
function withoutUnused(document: Schema): Schema {
  const { components, ...rest } = document as { components: { [sort: string]: Schemas } }
  const used = new Set<string>()
  visit(rest)
  return {
    ...rest,
    components: Object.fromEntries(
      Object.entries(components).map(([sort, pieces]) => [
        sort,
        sort === 'securitySchemes'
          ? pieces
          : Object.fromEntries(Object.entries(pieces).filter(([name]) => used.has(`#/components/${sort}/${name}`))),
      ]),
    ),
  }

  function visit(node: unknown) {
    if (typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      if (name !== '$ref' || typeof value !== 'string' || used.has(value)) visit(value)
      else {
        used.add(value)
        const [, , sort = '', piece = ''] = value.split('/')
        visit(components[sort]?.[piece])
      }
    }
  }
}
