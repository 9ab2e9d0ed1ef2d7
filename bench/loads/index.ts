import type { Load } from '../run.ts'
import { create } from './create.ts'
import { image } from './image.ts'
import { jobs } from './jobs.ts'
import { readPages } from './pages.ts'
import { pricebook } from './pricebook.ts'
import { readOne } from './read-one.ts'
import { telemetry } from './telemetry.ts'

export const loads: Load[] = [readOne, readPages, create, jobs, pricebook, image, telemetry]
