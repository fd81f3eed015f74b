import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { BUNDLES } from './child-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUNDLER = join(ROOT, 'bin/bundle.mjs')

/**
 * Bundles a program that the tests of a file start again and again, as the service is bundled for its operator. A start of the bundle takes 0.4
 * seconds of processor time, and one from hundreds of sources 1.1, even with a compile cache. Making the bundle takes 1 second.
 * docs/decisions/251-a-gate-does-once-what-it-did-twice.md says why.
 * @param source path of the program
 */
export function bundleOfFile(source: string): void {
  let directory = ''
  beforeAll(async () => {
    // below the project, because the program finds the project's folder and packages from its own place; not in node_modules, which copies of the project share
    await mkdir(join(ROOT, 'tmp'), { recursive: true })
    directory = await mkdtemp(join(ROOT, 'tmp', 'children-'))
    const name = basename(source, '.ts')
    await promisify(execFile)(process.execPath, [BUNDLER, directory, JSON.stringify({ [name]: source })], { cwd: ROOT })
    BUNDLES.set(source, join(directory, `${name}.mjs`))
  }, 120_000)
  afterAll(async () => {
    BUNDLES.delete(source)
    await rm(directory, { recursive: true, force: true })
  })
}
