import sharp from 'sharp'
import { pick, type Random, randomFrom, seedOf } from './rows.ts'

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
const repeat = (count: number, draw: (i: number) => string) => Array.from({ length: count }, (_, i) => draw(i)).join('')

const scenes = {
  boiler: (random: Random) => {
    const wall = pick(random, ['#c9c2b4', '#bcc6c4', '#cfc9c0'])
    const needle = -60 + random() * 120
    return [
      rect(-200, -200, 1424, 1200, wall),
      repeat(9, (i) => rect(-200, -120 + i * 118, 1424, 3, '#0002')),
      rect(-200, 690, 1424, 400, '#6f665c'),
      rect(330, 110, 420, 560, '#0006', 'filter="url(#soft)"'),
      repeat(
        4,
        (i) => rect(372 + i * 96, 560, 22, 260, 'url(#copper)') + rect(366 + i * 96, 640, 34, 26, '#b98a3c', 'rx="4"'),
      ),
      rect(310, 90, 410, 500, 'url(#metal)', 'rx="18"'),
      rect(310, 440, 410, 4, '#0003') +
        rect(440, -200, 130, 292, 'url(#metal)') +
        rect(428, 60, 154, 32, '#aeb3b4', 'rx="6"'),
      rect(350, 470, 190, 84, '#20262b', 'rx="6"') + rect(364, 484, 110, 40, '#9fd08a', 'rx="3"'),
      repeat(3, (i) => circle(500, 494 + i * 20, 6, ['#d33', '#db3', '#3a5'][i] ?? '#333')),
      circle(628, 512, 44, '#efefea', 'stroke="#444" stroke-width="7"'),
      `<path d="M628 512l0 -34" stroke="#c22" stroke-width="4" transform="rotate(${needle} 628 512)"/>`,
      rect(350, 130, 120, 26, '#c0392b', 'rx="3"') +
        rect(640, 130, 50, 70, '#f3e9a8') +
        repeat(4, (i) => rect(646, 140 + i * 13, 38, 3, '#5558')),
    ].join('')
  },

  switchboard: (random: Random) =>
    [
      rect(-200, -200, 1424, 1200, pick(random, ['#8b8f8c', '#a3998c', '#7f8a91'])),
      repeat(14, (i) => rect(-200, -180 + i * 74, 1424, 4, '#0002')),
      rect(230, 70, 580, 660, '#0007', 'filter="url(#soft)"'),
      rect(205, 50, 580, 650, 'url(#metal)', 'rx="8"') + rect(235, 80, 520, 590, '#3b4044'),
      repeat(3, (row) => {
        const y = 120 + row * 180
        return (
          rect(250, y - 14, 490, 128, '#cfd3d3', 'rx="4"') +
          repeat(12, (i) => {
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
      repeat(9, (i) => {
        const x = 290 + i * 50
        const colour = pick(random, ['#b33', '#222', '#2a5db0', '#3a8a3f'])
        return `<path d="M${x} 700C${x} 640 ${x - 60 + random() * 120} 660 ${x - 20 + random() * 40} 610" fill="none" stroke="${colour}" stroke-width="7"/>`
      }),
      `${rect(820, 120, 70, 100, '#f2d648')}<path d="M855 138l24 60h-48z" fill="#222"/>`,
    ].join(''),

  roof: (random: Random) => {
    const iron = pick(random, ['#5d6d66', '#8a4a3c', '#59646e'])
    return [
      rect(-200, -200, 1424, 700, 'url(#sky)'),
      repeat(
        5,
        () =>
          `<ellipse cx="${random() * 1024}" cy="${40 + random() * 180}" rx="${90 + random() * 120}" ry="22" fill="#fff9" filter="url(#soft)"/>`,
      ),
      `<path d="M-200 330Q120 250 380 320T760 280T1224 330V520H-200z" fill="#5f7a5a"/>`,
      `<path d="M-200 420L1224 330V1100H-200z" fill="${iron}"/>`,
      repeat(
        34,
        (i) =>
          `<path d="M${-160 + i * 40} ${418 - i * 2.5}L${-420 + i * 62} 1000" stroke="#0003" stroke-width="9"/><path d="M${-152 + i * 40} ${418 - i * 2.5}L${-408 + i * 62} 1000" stroke="#fff3" stroke-width="5"/>`,
      ),
      repeat(60, () => circle(random() * 1024, 470 + random() * 300, 2.5, '#2228')),
      `<path d="M-200 700L1224 600V660L-200 764z" fill="#c9cdcc"/><path d="M-200 716L1224 616V640L-200 742z" fill="#3a3f3c"/>`,
      repeat(70, () => {
        const x = random() * 1024
        return `<ellipse cx="${x}" cy="${717 - x * 0.07 + random() * 18}" rx="${5 + random() * 9}" ry="4" fill="${pick(random, ['#7a5a2a', '#5b6b2e', '#94702f'])}" transform="rotate(${random() * 90} ${x} 700)"/>`
      }),
      rect(690, 190, 90, 190, '#96604d') +
        repeat(6, (i) => rect(690, 205 + i * 30, 90, 3, '#0003')) +
        rect(680, 176, 110, 20, '#7d7f80'),
    ].join('')
  },
}
