import sharp from 'sharp'
import { present } from '#fields'
import { type Random, randomFrom, seedOf } from './rows.ts'

type Point = [x: number, y: number]

/** A name as a quick hand signs it: a PNG with ink on nothing. */
export function drawSignature(name: string): Promise<Buffer> {
  const random = randomFrom(seedOf(name))
  const [first = '', ...others] = name.split(' ')
  const pen: Point[] = [[40, 150]]
  for (const word of [first.slice(0, 5), others.at(-1) ?? '']) write(pen, word, random)
  const [x = 0] = pen.at(-1) ?? []
  const lines = strokes(smooth(pen))
  const flourish = `<path d="M${x} 150 C${x + 70} 120 ${x + 40} 190 ${x * 0.5} 188 S90 196 130 200" stroke-width="2.4"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(x + 110)}" height="240"><g
    transform="translate(28) skewX(${(-3 - random() * 12).toFixed(1)})" fill="none" stroke="#1b2a5c" stroke-linecap="round" stroke-linejoin="round">${lines}${flourish}</g></svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}

/** Capitals swing, ascenders and descenders loop, the rest is a wave that gets flatter. */
function write(pen: Point[], word: string, random: Random) {
  let [x] = present(pen.at(-1))
  x += 14
  ;[...word].forEach((letter, i) => {
    const wide = 15 + random() * 9
    const sway = (random() - 0.5) * 8
    const swing = random() * 26
    if (i === 0)
      pen.push(
        [x - 6, 128],
        [x + 24, 40 + swing],
        [x + 8, 160],
        [x + 2, 110 - swing],
        [x + 34, 60 + swing],
        [x + 30, 148],
      )
    else if ('bdfhklt'.includes(letter)) pen.push([x + wide, 76 + sway], [x + wide * 0.55, 74], [x + wide * 0.7, 150])
    else if ('gjpqyz'.includes(letter))
      pen.push([x + wide * 0.6, 128], [x + wide * 0.5, 200 + sway], [x, 196], [x + wide, 146])
    else pen.push([x + wide * 0.5, 122 + sway + i * 1.5], [x + wide * 0.7, 151 + sway * 0.4])
    x += i === 0 ? 36 : wide
  })
}

/** Points on a Catmull-Rom curve through the given ones. */
function smooth(points: Point[]): Point[] {
  const at = (i: number) => present(points[Math.max(0, Math.min(points.length - 1, i))])
  return points.slice(1).flatMap((_, i) =>
    [0, 0.2, 0.4, 0.6, 0.8].map((t): Point => {
      const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
      const along = (axis: 0 | 1) =>
        0.5 *
        (2 * b[axis] +
          (c[axis] - a[axis]) * t +
          (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t ** 2 +
          (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t ** 3)
      return [along(0), along(1)]
    }),
  )
}

/** A pen is pressed harder on its way down. */
function strokes(points: Point[]): string {
  return points
    .slice(1)
    .map(([x, y], i) => {
      const [fromX, fromY] = present(points[i])
      const width = 2 + Math.max(-0.7, Math.min(2, (y - fromY) / 9))
      return `<path d="M${fromX.toFixed(1)} ${fromY.toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}" stroke-width="${width.toFixed(1)}"/>`
    })
    .join('')
}
