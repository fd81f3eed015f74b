import { execFileSync } from 'node:child_process'
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

// A copy of the sources in a folder of its own, with this project's packages.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
let directory: string
let bundles: string

/** Calls the function as the launcher does, in a new process without cached results. */
const ask = (what: 'currentBundle' | 'ensureBundle'): string => {
  const script = `const bundler = await import(${JSON.stringify(join(directory, 'bin/bundle.mjs'))}); console.log(bundler.${what}() ?? '')`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim()
}
const versionOf = (program: string) => execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shelfwire-bundle-'))
  bundles = join(directory, 'node_modules', '.cache', 'shelfwire')
  for (const entry of ['bin', 'contract', 'src', 'package.json', 'package-lock.json'])
    await cp(join(ROOT, entry), join(directory, entry), { recursive: true })
  await mkdir(join(directory, 'node_modules'))
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) await symlink(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('the bundle of a clone', { timeout: 60_000 }, () => {
  it('is there once it has been built, and runs', () => {
    expect(ask('currentBundle')).toBe('')
    const built = ask('ensureBundle')
    expect(built.startsWith(bundles)).toBe(true)
    expect(ask('currentBundle')).toBe(built)
    expect(versionOf(built)).toBe(`${packageJson.version}\n`)
  })

  it('knows the messages of its log, which a support bundle tells', async () => {
    const program = ask('ensureBundle')
    const log = join(directory, 'service.log')
    const time = '2026-11-28T20:58:28.977Z'
    await writeFile(
      log,
      ['shelfwire is running', 'Anna is'].map((msg) => `${JSON.stringify({ time, msg })}\n`).join(''),
    )
    const archive = join(directory, 'support.tar.gz')
    const env = {
      ...process.env,
      DATA_DIR: join(directory, 'data'),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    }
    execFileSync(process.execPath, [program, 'support-bundle', archive, '--log', log], { env, stdio: 'pipe' })
    const told = execFileSync('tar', ['-xzOf', archive, 'shelfwire-support/log.json'], { encoding: 'utf8' })
    const lines = [
      { time, msg: 'shelfwire is running' },
      { time, msg: '(left out)' },
    ]
    expect(JSON.parse(told)).toEqual({ lines, leftOut: 0 })
  })

  it('is another one as soon as a source is, and the older ones of many go', async () => {
    const first = ask('ensureBundle')
    await appendFile(join(directory, 'src/main.ts'), "\nprocess.stdout.write('changed\\n')\n")
    expect(ask('currentBundle')).toBe('')
    const second = ask('ensureBundle')
    expect(versionOf(second)).toBe(`${packageJson.version}\nchanged\n`)
    expect(versionOf(first)).toBe(`${packageJson.version}\n`)
    for (const n of [1, 2, 3, 4]) {
      await mkdir(join(bundles, `old${n}`))
      await utimes(join(bundles, `old${n}`), n, n)
    }
    await appendFile(join(directory, 'src/main.ts'), '// again\n')
    ask('ensureBundle')
    expect((await readdir(bundles)).filter((name) => name.startsWith('old')).sort()).toEqual(['old3', 'old4'])
  })

  it('is not needed: what cannot be written is left', async () => {
    await appendFile(join(directory, 'src/main.ts'), '// of another user\n')
    await rm(bundles, { recursive: true })
    // root may write into every folder, so a file is put in its place
    await cp(join(directory, 'package.json'), bundles)
    expect(ask('ensureBundle')).toBe('')
    await chmod(bundles, 0o644)
    expect(JSON.parse(await readFile(bundles, 'utf8'))).toMatchObject({ name: 'shelfwire' })
  })
})
