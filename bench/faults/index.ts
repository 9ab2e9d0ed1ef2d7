import type { Fault } from './fault.ts'
import { kill } from './kill.ts'

export const faults: Fault[] = [kill]
