import { bad, type Finding, ok } from './finding.ts'

/** The oldest Node that runs this. */
const LEAST_NODE = 24
/** Before this nobody can have started this Muster. */
const FIRST_DAY = '2026-01-01'

export function checkMachine(now = new Date().toISOString()): Finding[] {
  return [node(process.versions.node), clock(now)]
}

function node(version: string): Finding {
  if (Number.parseInt(version, 10) >= LEAST_NODE)
    return ok('node', `${version}, with SQLite ${process.versions.sqlite}`)
  return bad('node', `${version} is too old; start with bin/muster, which brings Node ${LEAST_NODE}`)
}

/** A clock that fell back to its beginning; one that runs behind what was written shows with the database. */
function clock(now: string): Finding {
  if (now >= FIRST_DAY) return ok('clock', now)
  return bad('clock', `says ${now}: set it, or keys expire and times are written wrong`)
}
