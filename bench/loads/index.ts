import type { Load } from '../run.ts'
import { create } from './create.ts'
import { readOne } from './read-one.ts'

export const loads: Load[] = [readOne, create]
