import type { Frame } from './profile.ts'
import { at, escaped, svg } from './svg.ts'

const [WIDTH, ROW, NARROWEST] = [1200, 16, 1.5]

/** A flame graph: a box a function, as wide as its time, on the one that called it. */
export function flameOf(frame: Frame, title: string): string {
  const parts: string[] = []
  let deepest = 0
  const scale = WIDTH / frame.ms
  draw(frame, 0, 0)
  return svg(WIDTH, (deepest + 3) * ROW, [`<text x="4" y="14" font-weight="bold">${escaped(title)}</text>`, ...parts])

  function draw({ name, ms, calls }: Frame, left: number, depth: number) {
    const width = ms * scale
    if (width < NARROWEST) return
    deepest = Math.max(deepest, depth)
    const top = (depth + 1.5) * ROW
    const letters = Math.floor((width - 4) / 6)
    const label =
      letters < 3
        ? ''
        : `<text x="${at(left + 2)}" y="${at(top + 12)}" font-size="10">${escaped(name.slice(0, letters))}</text>`
    const share = `${((ms * 100) / frame.ms).toFixed(1)} %`
    parts.push(
      `<g><title>${escaped(`${name}: ${share}`)}</title><rect x="${at(left)}" y="${top}" width="${at(width)}" height="${ROW - 1}" fill="${colourOf(name)}"/>${label}</g>`,
    )
    let from = left
    for (const call of calls) {
      draw(call, from, depth + 1)
      from += call.ms * scale
    }
  }
}

/** Ours, that of packages, and Node's own. */
function colourOf(name: string): string {
  if (/ src\//.test(name)) return '#f5a35c'
  if (/ node:/.test(name)) return '#b8cfe6'
  return name.includes(' ') ? '#d5e3b5' : '#ddd'
}
