import sharp from 'sharp'
import { pick, type Random, randomFrom } from './rows.ts'

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
  let [x] = pen.at(-1) as Point
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
  const at = (i: number) => points[Math.max(0, Math.min(points.length - 1, i))] as Point
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
      const [fromX, fromY] = points[i] as Point
      const width = 2 + Math.max(-0.7, Math.min(2, (y - fromY) / 9))
      return `<path d="M${fromX.toFixed(1)} ${fromY.toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}" stroke-width="${width.toFixed(1)}"/>`
    })
    .join('')
}

export type Scene = keyof typeof scenes
const [WIDTH, HEIGHT] = [1024, 768]

/** A picture as a phone takes it of a scene: light from one side, grain, dark corners. A JPEG. */
export async function takePhoto(scene: Scene, take: number): Promise<Buffer> {
  const random = randomFrom(seedOf(`${scene} ${take}`))
  const tilt = (random() - 0.5) * 5
  const zoom = 1.12 + random() * 0.12
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 1024 768"><defs>
    <linearGradient id="metal" x2="1"><stop stop-color="#f4f5f4"/><stop offset=".7" stop-color="#d9dcdc"/><stop offset="1" stop-color="#9ea4a6"/></linearGradient>
    <linearGradient id="copper" x2="1"><stop stop-color="#6d3d22"/><stop offset=".4" stop-color="#e0a071"/><stop offset="1" stop-color="#7c4526"/></linearGradient>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#6f9fd0"/><stop offset="1" stop-color="#dce8ef"/></linearGradient>
    <radialGradient id="light" cx="${random().toFixed(2)}" cy=".1" r="1"><stop stop-color="#fff" stop-opacity=".38"/><stop offset=".6" stop-color="#fff" stop-opacity="0"/></radialGradient>
    <radialGradient id="corners" r=".75"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".5"/></radialGradient>
    <filter id="soft"><feGaussianBlur stdDeviation="14"/></filter></defs>
    <g transform="rotate(${tilt} 512 384) translate(512 384) scale(${zoom}) translate(-512 -384)">${scenes[scene](random)}</g>
    <rect width="1024" height="768" fill="url(#light)"/><rect width="1024" height="768" fill="url(#corners)"/></svg>`
  const lens = await sharp(Buffer.from(svg)).blur(0.8).removeAlpha().toBuffer()
  return sharp(lens)
    .composite([{ input: grain(random), raw: { width: WIDTH, height: HEIGHT, channels: 3 }, blend: 'soft-light' }])
    .jpeg({ quality: 78 })
    .toBuffer()
}

function grain(random: Random): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let i = 0; i < pixels.length; i += 3) pixels[i] = pixels[i + 1] = pixels[i + 2] = 96 + random() * 64
  return pixels
}

const rect = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`
const circle = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`
const times = (count: number, draw: (i: number) => string) => Array.from({ length: count }, (_, i) => draw(i)).join('')

const scenes = {
  boiler: (random: Random) => {
    const wall = pick(random, ['#c9c2b4', '#bcc6c4', '#cfc9c0'])
    const needle = -60 + random() * 120
    return [
      rect(-200, -200, 1424, 1200, wall),
      times(9, (i) => rect(-200, -120 + i * 118, 1424, 3, '#0002')),
      rect(-200, 690, 1424, 400, '#6f665c'),
      rect(330, 110, 420, 560, '#0006', 'filter="url(#soft)"'),
      times(
        4,
        (i) => rect(372 + i * 96, 560, 22, 260, 'url(#copper)') + rect(366 + i * 96, 640, 34, 26, '#b98a3c', 'rx="4"'),
      ),
      rect(310, 90, 410, 500, 'url(#metal)', 'rx="18"'),
      rect(310, 440, 410, 4, '#0003') +
        rect(440, -200, 130, 292, 'url(#metal)') +
        rect(428, 60, 154, 32, '#aeb3b4', 'rx="6"'),
      rect(350, 470, 190, 84, '#20262b', 'rx="6"') + rect(364, 484, 110, 40, '#9fd08a', 'rx="3"'),
      times(3, (i) => circle(500, 494 + i * 20, 6, ['#d33', '#db3', '#3a5'][i] ?? '#333')),
      circle(628, 512, 44, '#efefea', 'stroke="#444" stroke-width="7"'),
      `<path d="M628 512l0 -34" stroke="#c22" stroke-width="4" transform="rotate(${needle} 628 512)"/>`,
      rect(350, 130, 120, 26, '#c0392b', 'rx="3"') +
        rect(640, 130, 50, 70, '#f3e9a8') +
        times(4, (i) => rect(646, 140 + i * 13, 38, 3, '#5558')),
    ].join('')
  },

  switchboard: (random: Random) =>
    [
      rect(-200, -200, 1424, 1200, pick(random, ['#8b8f8c', '#a3998c', '#7f8a91'])),
      times(14, (i) => rect(-200, -180 + i * 74, 1424, 4, '#0002')),
      rect(230, 70, 580, 660, '#0007', 'filter="url(#soft)"'),
      rect(205, 50, 580, 650, 'url(#metal)', 'rx="8"') + rect(235, 80, 520, 590, '#3b4044'),
      times(3, (row) => {
        const y = 120 + row * 180
        return (
          rect(250, y - 14, 490, 128, '#cfd3d3', 'rx="4"') +
          times(12, (i) => {
            const on = random() > 0.12
            const x = 262 + i * 39
            return (
              rect(x, y, 34, 100, '#f3f3ef', 'rx="3"') +
              rect(x + 9, on ? y + 26 : y + 48, 16, 26, row === 0 && i < 2 ? '#c0392b' : '#22272b', 'rx="2"') +
              rect(x + 4, y + 84, 26, 10, '#fff') +
              rect(x + 7, y + 88, 10 + random() * 12, 3, '#3458')
            )
          })
        )
      }),
      times(9, (i) => {
        const x = 290 + i * 50
        const colour = pick(random, ['#b33', '#222', '#2a5db0', '#3a8a3f'])
        return `<path d="M${x} 700C${x} 640 ${x - 60 + random() * 120} 660 ${x - 20 + random() * 40} 610" fill="none" stroke="${colour}" stroke-width="7"/>`
      }),
      rect(820, 120, 70, 100, '#f2d648') + `<path d="M855 138l24 60h-48z" fill="#222"/>`,
    ].join(''),

  roof: (random: Random) => {
    const iron = pick(random, ['#5d6d66', '#8a4a3c', '#59646e'])
    return [
      rect(-200, -200, 1424, 700, 'url(#sky)'),
      times(
        5,
        () =>
          `<ellipse cx="${random() * 1024}" cy="${40 + random() * 180}" rx="${90 + random() * 120}" ry="22" fill="#fff9" filter="url(#soft)"/>`,
      ),
      `<path d="M-200 330Q120 250 380 320T760 280T1224 330V520H-200z" fill="#5f7a5a"/>`,
      `<path d="M-200 420L1224 330V1100H-200z" fill="${iron}"/>`,
      times(
        34,
        (i) =>
          `<path d="M${-160 + i * 40} ${418 - i * 2.5}L${-420 + i * 62} 1000" stroke="#0003" stroke-width="9"/><path d="M${-152 + i * 40} ${418 - i * 2.5}L${-408 + i * 62} 1000" stroke="#fff3" stroke-width="5"/>`,
      ),
      times(60, () => circle(random() * 1024, 470 + random() * 300, 2.5, '#2228')),
      `<path d="M-200 700L1224 600V660L-200 764z" fill="#c9cdcc"/><path d="M-200 716L1224 616V640L-200 742z" fill="#3a3f3c"/>`,
      times(70, () => {
        const x = random() * 1024
        return `<ellipse cx="${x}" cy="${717 - x * 0.07 + random() * 18}" rx="${5 + random() * 9}" ry="4" fill="${pick(random, ['#7a5a2a', '#5b6b2e', '#94702f'])}" transform="rotate(${random() * 90} ${x} 700)"/>`
      }),
      rect(690, 190, 90, 190, '#96604d') +
        times(6, (i) => rect(690, 205 + i * 30, 90, 3, '#0003')) +
        rect(680, 176, 110, 20, '#7d7f80'),
    ].join('')
  },
}

const seedOf = (text: string) => [...text].reduce((sum, letter) => Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0), 7)
