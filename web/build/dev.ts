/** `npm run dev`: the client from its source, reloading as it changes, in front of the Muster of MUSTER_BASE_URL. */
import { installPackages } from './packages.ts'

installPackages()
const { createServer } = await import('vite')
const server = await createServer({ configFile: `${import.meta.dirname}/../vite.config.ts` })
await server.listen()
server.printUrls()
