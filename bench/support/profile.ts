import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './processes.ts'

/** Where a program's time went: of a function called from there, its own time and that of those it called, in ms. */
export interface Frame {
  name: string
  ms: number
  ownMs: number
  calls: Frame[]
}

/** A `.cpuprofile`, as V8 writes it. */
interface Profile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  /** Microseconds from each sample to the one before it. */
  timeDeltas: number[]
}

/** The profiles in a folder, in the order in which their processes ended. */
export const profilesIn = (folder: string): Frame[] =>
  globSync('*.cpuprofile', { cwd: folder })
    .sort()
    .map((file) => readProfile(readFileSync(join(folder, file), 'utf8')))

/** Makes a tree of a profile, without the time in which nothing ran. */
export function readProfile(text: string): Frame {
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(text)
  const own = new Map<number, number>()
  for (const [i, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const frame = (id: number): Frame => {
    const node = byId.get(id)
    const calls = (node?.children ?? []).map(frame).filter(({ name }) => name !== '(idle)')
    const ownMs = own.get(id) ?? 0
    const ms = calls.reduce((sum, call) => sum + call.ms, ownMs)
    return { name: node ? nameOf(node.callFrame) : '', ms, ownMs, calls: calls.toSorted((a, b) => b.ms - a.ms) }
  }
  return frame(nodes[0]?.id ?? 0)
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)'
  if (!url) return name
  const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url
  return `${name} ${file.replace('node_modules/', '')}:${lineNumber + 1}`
}

/** The functions with the most time of their own, wherever they were called from. */
export function busiest(frame: Frame, count: number): { name: string; share: number }[] {
  const own = new Map<string, number>()
  const add = ({ name, ownMs, calls }: Frame) => {
    own.set(name, (own.get(name) ?? 0) + ownMs)
    for (const call of calls) add(call)
  }
  add(frame)
  return [...own]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, ms]) => ({ name, share: ms / frame.ms }))
}
