import type { CSSProperties } from 'react'
import type { JobState } from '../../ui/job-state.ts'

const kinds: JobState[] = [
  'accepted',
  'completed',
  'completed',
  'started',
  'draft',
  'waiting',
  'accepted',
  'unallocated',
  'completed',
]
const slots = 15
const [first, lit] = [28, 7]

/** The rack: slots, and T-cards whose heads stand out of them. The same picture each time. */
export function Wall() {
  return (
    <div className="wall" aria-hidden="true">
      {cards().map((slot, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a picture
        <span key={row} className="slot" style={{ insetBlockStart: row * 66 - 6 }}>
          {slot.map(({ x, width, state, signal }) => (
            <span
              key={x}
              className={signal ? 't lit' : 't'}
              data-state={state}
              style={{ insetInlineStart: x, '--w': `${width}px` } as CSSProperties}
            />
          ))}
        </span>
      ))}
    </div>
  )
}

function cards() {
  const next = numbers()
  return Array.from({ length: slots }, (_, row) => {
    const slot: { x: number; width: number; state: JobState; signal: boolean }[] = []
    for (let x = first + next() * 40; x < 900; ) {
      const width = 62 + Math.floor(next() * 4) * 34
      const state = kinds[Math.floor(next() * kinds.length)] as JobState
      if (next() > 0.24) slot.push({ x: Math.round(x), width, state, signal: row === lit && x > 300 && x < 460 })
      x += width + 10 + Math.floor(next() * 3) * 24
    }
    return slot
  })
}

/** Numbers from 0 to 1 that look random and are always the same. */
function numbers() {
  let seed = 5
  return () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
}
