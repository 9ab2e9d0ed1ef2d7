import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const smallestBytes = 512
const compressible = /\.(js|css|svg|json|webmanifest)$/

/** Beside each file that gets smaller by it, the same by Brotli and by gzip: the server only chooses. */
export const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((name) => compressible.test(name))) {
      const source = readFileSync(join(dir, name))
      if (source.length < smallestBytes) continue
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: source.length }
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(source, { params }))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(source, { level: 9 }))
    }
  },
})
