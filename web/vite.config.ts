import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { catalogues } from './build/catalogues.ts'
import { compressed } from './build/compressed.ts'
import { phoneFiles } from './build/phone-files.ts'
import { scoped } from './build/scoped.ts'

/** Where `npm run dev` finds the API; bin/muster serve listens there by itself. */
const server = process.env.MUSTER_BASE_URL ?? 'http://127.0.0.1:8080'

/** While developing Vite serves the page, and says where it begins in place of Muster. */
const base: Plugin = {
  name: 'base',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/' }, injectTo: 'head-prepend' }],
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), catalogues(), phoneFiles(), compressed(), base],
  css: { postcss: { plugins: [scoped] } },
  build: {
    outDir: 'dist',
    assetsDir: '.',
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // light-dark() is not rewritten for browsers that lack it: the office needs one of 2024 or newer.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    rolldownOptions: {
      input: {
        index: `${import.meta.dirname}/index.html`,
        phone: `${import.meta.dirname}/phone.html`,
        'phone-worker': `${import.meta.dirname}/phone/worker.ts`,
      },
      output: {
        // Without hashes: the server puts a hash of everything into the address, and a change touches few files.
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: '[name][extname]',
        codeSplitting: {
          groups: [
            { name: 'react', priority: 2, test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\// },
            {
              name: 'aria',
              test: /node_modules\/(react-aria|react-stately|@react-aria|@react-stately|@internationalized|@adobe)/,
            },
            { name: 'lingui', test: /node_modules\/@lingui/ },
            {
              name: 'vendor',
              test: /node_modules\/(@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store))/,
            },
          ],
        },
      },
    },
  },
  // The stream of all tabs: a file of its own, named as the others are.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } } },
  server: { proxy: { '/v5': server, '/docs': server, '/assets': server } },
})
