import { type Port, shareStream } from './shared-stream.ts'

/** The script of the SharedWorker. */
const take = shareStream()
;(globalThis as unknown as { onconnect: (event: { ports: readonly Port[] }) => void }).onconnect = ({ ports }) => {
  for (const port of ports) take(port)
}
