import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { App } from '#app'
import { addressOf, openapi } from '#formats/openapi'
import { parseTarget } from '#server/http/target'

/** Says whether an answer in JSON is as the OpenAPI document of the app describes it; fails where it is not. */
export type Conforms = (method: string, path: string, status: number, body: unknown) => void

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by name
type Node = any

export function conformsTo(app: Pick<App, 'routes' | 'match'>): Conforms {
  let made: { document: Node; ajv: Ajv2020 } | null = null
  const validators = new Map<string, ValidateFunction | null>()

  return (method, path, status, body) => {
    const { segments, extension, query } = parseTarget(path)
    // What was asked for by name is less than the whole.
    if (query.has('fields')) return
    const route = segments && app.match(segments, extension)?.route
    if (!route) return
    const address = addressOf(route)
    const named = address.lastIndexOf('.') > address.lastIndexOf('/') ? address : `${address}.json`
    const key = `${method} ${named} ${status}`
    const validator = validators.get(key) ?? validatorOf(named, method.toLowerCase(), String(status))
    validators.set(key, validator)
    if (!validator) return
    assert.ok(
      validator(body),
      `${key} is not as the document says: ${JSON.stringify(validator.errors?.slice(0, 3))} ${JSON.stringify(body).slice(0, 600)}`,
    )
  }

  function validatorOf(address: string, method: string, status: string): ValidateFunction | null {
    if (!made) {
      const document: Node = openapi(app.routes as never, { version: '', baseUrl: '' })
      made = { document, ajv: new Ajv2020({ strict: false, validateFormats: false }) }
      made.ajv.addSchema(document, 'document')
    }
    const answer = made.document.paths[address]?.[method]?.responses?.[status]
    const pointer = answer?.$ref?.slice(1) ?? `/paths/${escaped(address)}/${method}/responses/${status}`
    const content = answer?.$ref
      ? made.document.components.responses[answer.$ref.split('/').at(-1)].content
      : answer?.content
    if (!content?.['application/json']) return null
    return made.ajv.compile({ $ref: `document#${pointer}/content/application~1json/schema` })
  }
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
