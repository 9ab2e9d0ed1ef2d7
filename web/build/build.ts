/** `npm run build:web`: writes web/dist, which is committed. */
import { installPackages } from './packages.ts'

installPackages()
const { build } = await import('vite')
await build({ configFile: `${import.meta.dirname}/../vite.config.ts`, logLevel: 'warn' })
