import { clock } from './clock.ts'
import { corrupt } from './corrupt.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { kill } from './kill.ts'
import { postgresKilled } from './postgres-killed.ts'

export const faults: Fault[] = [kill, postgresKilled, diskFull, corrupt, clock]
