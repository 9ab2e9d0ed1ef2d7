import type { Load } from '../run.ts'
import { create } from './create.ts'
import { delay } from './delay.ts'
import { image } from './image.ts'
import { jobs } from './jobs.ts'
import { live } from './live.ts'
import { mixed } from './mixed.ts'
import { readPages } from './pages.ts'
import { peers } from './peers.ts'
import { phone } from './phone.ts'
import { planning } from './planning.ts'
import { postgres } from './postgres.ts'
import { pricebook } from './pricebook.ts'
import { readOne } from './read-one.ts'
import { start } from './start.ts'
import { telemetry } from './telemetry.ts'

export const loads: Load[] = [
  readOne,
  readPages,
  create,
  jobs,
  planning,
  phone,
  pricebook,
  image,
  telemetry,
  live,
  start,
  postgres,
  mixed,
  delay,
  peers,
]
