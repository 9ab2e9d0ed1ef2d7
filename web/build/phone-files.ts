import type { Plugin } from 'vite'

/** `phone-files.json`: what a phone keeps to start without a connection, all that its page leads to. */
export const phoneFiles = (): Plugin => ({
  name: 'phone-files',
  apply: 'build',
  generateBundle: {
    // After Vite has taken away what holds nothing but a style sheet: a file that isn't there keeps the whole app off the phone.
    order: 'post',
    handler(_, bundle) {
      const found = new Set<string>()
      const visit = (name: string) => {
        const file = bundle[name]
        if (!file || found.has(name)) return
        found.add(name)
        if (file.type !== 'chunk') return
        for (const next of [
          ...file.imports,
          ...file.dynamicImports,
          ...(file.viteMetadata?.importedCss ?? []),
          ...(file.viteMetadata?.importedAssets ?? []),
        ])
          visit(next)
      }
      visit('phone.js')
      // What style sheets lead to: the letters.
      for (const name of Object.keys(bundle)) if (name.endsWith('.woff2')) found.add(name)
      this.emitFile({ type: 'asset', fileName: 'phone-files.json', source: JSON.stringify([...found].toSorted()) })
    },
  },
})
