import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OnProfile } from '../../web/test/chromium.ts'

/** Loads a page. @returns milliseconds from the navigation until it can be used */
export async function visit({ page }: OnProfile, address: string): Promise<number> {
  await page.addInitScript({
    content: `new MutationObserver((_, one) => {
      if (!document.querySelector('main article a, body > h1')) return
      globalThis.usableAt ??= performance.now()
      one.disconnect()
    }).observe(document, { childList: true, subtree: true })`,
  })
  await page.goto(address, { waitUntil: 'commit', timeout: 60_000 })
  await page.locator('main article a, body > h1').first().waitFor({ state: 'attached', timeout: 60_000 })
  return page.evaluate('globalThis.usableAt') as Promise<number>
}

export async function barePage() {
  const html = '<!doctype html><title>Bare</title><body><script src="bare.js"></script>'
  const server = createServer(({ url }, answer) => {
    const isScript = url?.endsWith('.js')
    answer.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    answer.end(
      isScript ? `document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Today' }))` : html,
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  }
}

export const slower = async ({ context, page }: OnProfile, rate: number) =>
  (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate })
