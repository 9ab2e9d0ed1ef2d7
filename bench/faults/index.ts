import { clock } from './clock.ts'
import { corrupt } from './corrupt.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { flood } from './flood.ts'
import { kill } from './kill.ts'
import { manyStreams } from './many-streams.ts'
import { phoneKilled } from './phone-killed.ts'
import { postgresKilled } from './postgres-killed.ts'
import { slow } from './slow.ts'

export const errors: Fault[] = [kill, phoneKilled, postgresKilled, diskFull, corrupt, clock, slow, manyStreams, flood]
