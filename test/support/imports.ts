import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Import {
  /** A path from the root of the repository, such as `src/fields/kind.ts`; else the package. */
  from: string
  /** Only types are imported. */
  type: boolean
}

/** The names of `package.json` for our own folders: `#fields/*` is `./src/fields/*.ts`. */
const aliases: { [name: string]: string } = JSON.parse(readFileSync('package.json', 'utf8')).imports

/** What a file of the repository imports, also as the program runs; `path` is from its root. */
export function importsOf(path: string, text: string): Import[] {
  const statements = withoutComments(text).matchAll(
    /^(?:import|export)\s+(type\s)?\s*([^'"`;=()]*?)\s*\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].flatMap(([, type, names = '', ...targets]) => {
    const target = targets.find((text) => text !== undefined) ?? ''
    const braces = /^\{(.*)\}$/s.exec(names)?.[1]
    const only = braces?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
    return { from: resolved(path, target), type: Boolean(type ?? only) }
  })
}

function resolved(path: string, target: string): string {
  if (target.startsWith('.')) return join(dirname(path), target)
  const [folder = '', ...rest] = target.split('/')
  const file = aliases[target] ?? aliases[`${folder}/*`]?.replace('*', rest.join('/'))
  return file ? join(file) : target
}

export const withoutComments = (text: string) =>
  text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$|\s\/\/\s.*$/gm, '')

/**
 * The circles of a graph: for each, all that lead to each other, sorted. (Tarjan's strongly connected components; what
 * leads to itself alone is none.)
 */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const found: string[][] = []
  const visit = (node: string): number => {
    order.set(node, order.size)
    let low = order.size - 1
    path.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === order.get(node)) {
      const circle = path.splice(path.indexOf(node))
      if (circle.length > 1) found.push(circle.sort())
    }
    return low
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found
}
