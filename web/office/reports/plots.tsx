import { useId } from 'react'

export interface Stack {
  id: string
  label: string
  /** What the plot is made for, what is left to do, and what came to nothing: told apart by pattern, too. */
  parts: { done: number; open: number; canceled: number }
  /** Said where it is pointed at. */
  title: string
}

const [width, height, foot, side] = [880, 200, 24, 34]

/** Bars in order of time, from zero. `label` says all of it in a sentence; every bar has its own figures as its title. */
export function StackedBars({ stacks, label }: { stacks: Stack[]; label: string }) {
  const hatch = useId()
  const most = Math.max(1, ...stacks.map(({ parts }) => parts.done + parts.open + parts.canceled))
  const [step, top] = scaleOf(most)
  const room = height - foot - 10
  const y = (value: number) => height - foot - (value / top) * room
  const pitch = (width - side) / Math.max(stacks.length, 1)
  const bar = Math.min(pitch * 0.64, 48)
  const every = Math.ceil(stacks.length / 12)
  return (
    <svg className="plot" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" className="ground" />
          <rect width="1.6" height="5" className="stroke" />
        </pattern>
      </defs>
      {Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step).map((value) => (
        <g key={value}>
          <line x1={side} x2={width} y1={y(value)} y2={y(value)} className="grid" />
          <text x={side - 6} y={y(value) + 4} textAnchor="end">
            {value}
          </text>
        </g>
      ))}
      {stacks.map(({ id, label: name, parts, title }, i) => {
        const x = side + i * pitch + (pitch - bar) / 2
        const [done, open] = [parts.done, parts.done + parts.open]
        return (
          <g key={id}>
            <title>{title}</title>
            <rect x={x} y={y(top)} width={bar} height={room} fill="transparent" />
            <rect x={x} y={y(done)} width={bar} height={y(0) - y(done)} className="done" />
            <rect x={x} y={y(open)} width={bar} height={y(done) - y(open)} fill={`url(#${hatch})`} />
            {parts.canceled > 0 && (
              <rect
                x={x + 0.5}
                y={y(open + parts.canceled) + 0.5}
                width={bar - 1}
                height={Math.max(y(open) - y(open + parts.canceled) - 1, 0)}
                className="canceled"
              />
            )}
            {i % every === 0 && (
              <text x={x + bar / 2} y={height - 8} textAnchor="middle">
                {name}
              </text>
            )}
          </g>
        )
      })}
      <line x1={side} x2={width} y1={y(0)} y2={y(0)} className="axis" />
    </svg>
  )
}

/** A step of 1, 2 or 5 and a power of ten that gives four lines or so, and the multiple of it that all fits under. */
function scaleOf(most: number): [step: number, top: number] {
  const power = 10 ** Math.floor(Math.log10(most / 4))
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * power).find((one) => most / one <= 4) ?? power)
  return [step, Math.ceil(most / step) * step]
}

export interface Share {
  id: string
  name: string
  /** Percent; null where there was nothing. */
  now: number | null
  before: number | null
}

/** Shares on a line from 0 to 100: hollow before, solid now. Less than before is marked. */
export function ShareDots({ shares, label }: { shares: Share[]; label: string }) {
  const pitch = 32
  const lower = shares.length * pitch
  const x = (percent: number) => 160 + percent * 2.5
  return (
    <svg className="plot" viewBox={`0 0 440 ${lower + 24}`} role="img" aria-label={label}>
      {[0, 25, 50, 75, 100].map((value) => (
        <g key={value}>
          <line x1={x(value)} x2={x(value)} y1={0} y2={lower} className="grid" />
          <text x={x(value)} y={lower + 18} textAnchor="middle">
            {value} %
          </text>
        </g>
      ))}
      {shares.map(({ id, name, now, before }, i) => {
        const y = i * pitch + pitch / 2
        const isLess = now !== null && before !== null && now < before - 0.5
        return (
          <g key={id} className={isLess ? 'share less' : 'share'}>
            <title>{name}</title>
            <foreignObject x={0} y={y - 9} width={150} height={18}>
              <div className="clip" dir="auto">
                {name}
              </div>
            </foreignObject>
            {now !== null && before !== null && <line x1={x(before)} x2={x(now)} y1={y} y2={y} className="change" />}
            {before !== null && <circle cx={x(before)} cy={y} r={4.5} className="before" />}
            {now !== null && <circle cx={x(now)} cy={y} r={5.5} className="now" />}
            {now !== null && (
              <text x={x(Math.max(now, before ?? 0)) + 9} y={y + 4} className="value">
                {Math.round(now)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
