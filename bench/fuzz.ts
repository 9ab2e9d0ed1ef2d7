/**
 * `npm run fuzz`: documents and requests that are nearly right, by the million, and each shape of input grown to its limit.
 * Ends with exit code 1 and the input that did it, when one is answered by anything but an answer or a refusal, or costs
 * more than its size is worth.
 *
 *   npm run fuzz                            ten million documents, a hundred thousand requests
 *   npm run fuzz -- --xml N --http N        as many
 *   npm run fuzz -- --bytes N               bodies that grow to so many bytes, 2 MB unless said
 *   npm run fuzz -- --seed N                the same again: each run prints its seed
 */
import { parseArgs } from 'node:util'
import { fuzzCost } from './fuzz/cost.ts'
import { fuzzHttp } from './fuzz/http.ts'
import { fuzzXml } from './fuzz/xml.ts'

const { values } = parseArgs({
  options: {
    xml: { type: 'string', default: '10000000' },
    http: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: '2000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const [documents, requests, seed] = [values.xml, values.http, values.seed].map(Number) as [number, number, number]

console.log(`seed ${seed}`)
const began = performance.now()
const { read, refused, slowestMs } = fuzzXml(documents, seed)
const rate = Math.round((documents * 1000) / (performance.now() - began))
console.log(
  `${documents} documents, ${rate} a second: ${read} read, ${refused} refused, the slowest took ${slowestMs.toFixed(1)} ms`,
)
const { statuses } = await fuzzHttp(requests, seed)
console.log(
  `${requests} requests: ${Object.entries(statuses)
    .map(([status, count]) => `${status} ${count}`)
    .join(', ')}`,
)
const { shapes, tooCostly } = await fuzzCost(Number(values.bytes))
console.log(`${shapes} shapes of input grown to ${values.bytes} bytes: ${tooCostly.length} cost more than their size`)
for (const sentence of tooCostly) console.log(`  ${sentence}`)
if (tooCostly.length > 0) process.exitCode = 1
