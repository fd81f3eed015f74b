import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type BrowserContext, type BrowserContextOptions } from 'playwright-core'

export interface Chromium extends AsyncDisposable {
  /** Opens a new context, which shares nothing with others. */
  context: (options?: BrowserContextOptions) => Promise<BrowserContext>
  /** Errors of all pages so far: exceptions in scripts, and violations of the pages' own policy. */
  faults: string[]
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The unpacked browser of the package: unpacking its archive takes four seconds of processor time. */
const UNPACKED = join(ROOT, 'node_modules', '.cache', 'shelfwire-browser')
const PROGRAM = 'chromium'

/** Unpacks the browser unless a test has done so before. @returns its program */
async function unpack(): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const directory = join(UNPACKED, devDependencies['@sparticuz/chromium'] ?? 'unknown')
  if (existsSync(directory)) return join(directory, PROGRAM)
  await mkdir(UNPACKED, { recursive: true })
  // another process may unpack at the same time: each uses a folder of its own, and the first one renames it to UNPACKED
  const made = await mkdtemp(join(UNPACKED, 'unfinished-'))
  // the package unpacks into the temporary directory
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = made
  try {
    await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await rename(made, directory).catch(async (error: NodeJS.ErrnoException) => {
    await rm(made, { recursive: true, force: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return join(directory, PROGRAM)
}

/** Starts a real browser, without the package's default arguments, which turn off rules of the web such as the same-origin policy. */
export async function openChromium(): Promise<Chromium> {
  const program = await unpack()
  // the browser's own temporary files, removed with it
  const own = await mkdtemp(join(tmpdir(), 'shelfwire-browser-'))
  const browser = await playwright.launch({
    executablePath: program,
    env: { ...process.env, TMPDIR: own },
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
        // violations of a page's policy are reported only on the console
        page.on('console', (message) => {
          if (/Content[- ]Security[- ]Policy/i.test(message.text())) faults.push(message.text())
        })
      })
      return context
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await rm(own, { recursive: true, force: true })
    },
  }
}
