import { fork } from 'node:child_process'
import type { Picture } from './draw.ts'

/** Draws pictures in a process of its own, in their order. */
export function drawAll(pictures: Picture[]): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./draw.ts', import.meta.url), { serialization: 'advanced' })
    child.once('message', (drawn) => resolve((drawn as Uint8Array[]).map((bytes) => Buffer.from(bytes))))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the pictures could not be drawn (exit code ${code})`)))
    child.send(pictures)
  })
}
