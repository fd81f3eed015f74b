import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type BrowserContext, type BrowserContextOptions } from 'playwright-core'

export interface Chromium extends AsyncDisposable {
  /** A context of its own: nothing is shared with others. */
  context: (options?: BrowserContextOptions) => Promise<BrowserContext>
  /** What pages did wrong so far: scripts that failed, and what their own policy refused. */
  faults: string[]
}

/** Starts a real browser. It keeps the rules of the web that the package's own arguments switch off. */
export async function openChromium(): Promise<Chromium> {
  // the package unpacks its browser into the temporary directory, where another user's may lie already
  const unpacked = await mkdtemp(join(tmpdir(), 'shelfwire-browser-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = unpacked
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--font-render-hinting=none',
    ],
    headless: true,
  })
  const faults: string[] = []
  return {
    faults,
    async context(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options })
      context.on('page', (page) => {
        page.on('pageerror', (error) => faults.push(error.message))
        // what a page's policy refuses is told on the console alone
        page.on('console', (message) => {
          if (/Content[- ]Security[- ]Policy/i.test(message.text())) faults.push(message.text())
        })
      })
      return context
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      await rm(unpacked, { recursive: true, force: true })
    },
  }
}
