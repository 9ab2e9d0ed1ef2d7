import { createWriteStream } from 'node:fs'

/** A look into a process of Node that was started with `--inspect`, over its own protocol. */
export class Inspector {
  #socket: WebSocket
  #last = 0
  #answers = new Map<number, PromiseWithResolvers<never>>()
  /** Takes the pieces of a heap snapshot. */
  #chunk: (text: string) => void = () => {}

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.onmessage = ({ data }) => {
      const { id, result, error, method, params } = JSON.parse(String(data))
      if (method === 'HeapProfiler.addHeapSnapshotChunk') this.#chunk(params.chunk)
      if (error) this.#answers.get(id)?.reject(new Error(error.message))
      else this.#answers.get(id)?.resolve(result as never)
      this.#answers.delete(id)
    }
  }

  /** @param printed what the process said when it started: the address is in there */
  static async open(printed: string): Promise<Inspector> {
    const address = /ws:\/\/\S+/.exec(printed)?.[0]
    if (!address) throw new Error('the process is not to be inspected')
    const socket = new WebSocket(address)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    return new Inspector(socket)
  }

  /** What is in use after all garbage was collected. */
  async heapMb(): Promise<number> {
    await this.#ask('HeapProfiler.collectGarbage')
    const { usedSize } = await this.#ask<{ usedSize: number }>('Runtime.getHeapUsage')
    return usedSize / 2 ** 20
  }

  async snapshot(file: string): Promise<void> {
    const out = createWriteStream(file)
    this.#chunk = (text) => out.write(text)
    await this.#ask('HeapProfiler.takeHeapSnapshot')
    await new Promise<void>((done) => out.end(done))
  }

  close() {
    this.#socket.close()
  }

  #ask<T>(method: string): Promise<T> {
    const answer = Promise.withResolvers<never>()
    this.#answers.set(++this.#last, answer)
    this.#socket.send(JSON.stringify({ id: this.#last, method }))
    return answer.promise
  }
}
