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
 * Bundles a program that the tests of a file start again and again, as the service is bundled for its operator: a start takes 0.4 seconds of a
 * processor, and 1.1 from hundreds of sources whose types are stripped, though what was compiled is kept. The bundle takes one.
 * docs/decisions/251-a-gate-does-once-what-it-did-twice.md says why.
 * @param source path of the program
 */
export function bundleOfFile(source: string): void {
  let directory = ''
  beforeAll(async () => {
    // below the package, whose folder and packages the program finds from where it is; not in node_modules, which copies of the project share
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
