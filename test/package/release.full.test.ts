import { execFile } from 'node:child_process'
import { accessSync, constants, mkdtempSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

// A release that is built twice, in two clones, is identical, so that anybody can verify one by building it again.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
/** On the disk of this project's packages: a gate's temporary directory is in memory, which has no room for three gigabytes. */
const directory = mkdtempSync(
  join(
    [tmpdir(), '/tmp', dirname(ROOT)].find((path) => isWritable(path) && statSync(path).dev === statSync(ROOT).dev) ??
      tmpdir(),
    'shelfwire-release-',
  ),
)
// slow: removes two hard-linked copies of all packages, on a busy disk
afterAll(() => rm(directory, { recursive: true, force: true }), 180_000)

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The environment without npm's variables, with Node 24 first, and with a fixed author, so that commits are equal. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(?:registry|cafile))/i.test(name)),
  ),
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Somebody'],
      [`GIT_${who}_EMAIL`, 'somebody@example.com'],
      [`GIT_${who}_DATE`, '2026-11-27T10:00:00Z'],
    ]),
  ),
}
/** Runs a shell script. @param umask the umask of the user */
const sh = (cwd: string, umask: string, script: string) =>
  run('sh', ['-ec', `umask ${umask}; ${script}`], { cwd, env, maxBuffer: 1e8 })

/** A clone of the current files, committed or not, with this project's packages. */
async function clone(umask: string, name: string): Promise<string> {
  const path = join(directory, name)
  await mkdir(dirname(path), { recursive: true })
  await sh(directory, umask, `git clone -q origin '${path}'; cp -al '${join(ROOT, 'node_modules')}' '${path}/'`)
  return path
}

test(
  'the same commit gives the same release, whatever the clone is called and the umask is',
  { timeout: 300_000 },
  async () => {
    const origin = join(directory, 'origin')
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      maxBuffer: 1e8,
    })
    for (const file of stdout.split('\0').filter((name) => name !== ''))
      await cp(join(ROOT, file), join(origin, file), { verbatimSymlinks: true })
    await sh(origin, '022', 'git init -q; git add -A; git commit -q -m all')

    const [one, other] = [await clone('022', 'one'), await clone('022', 'of somebody else/another')]
    await sh(one, '022', 'node bin/release.mjs ../made-by-one')
    // the result does not depend on the caller
    await sh(other, '077', `node bin/release.mjs '${join(directory, 'made-by-other')}'`)
    const sums = await readFile(join(directory, 'made-by-one/SHA256SUMS'), 'utf8')
    expect(sums.match(/ {2}\S+$/gm)).toHaveLength(6)
    expect(await readFile(join(directory, 'made-by-other/SHA256SUMS'), 'utf8')).toBe(sums)
    expect((await readdir(join(directory, 'made-by-one'))).filter((name) => name.endsWith('.tgz'))).toHaveLength(4)

    const closed = await clone('077', 'closed')
    await expect(sh(closed, '022', 'node bin/release.mjs ../of-closed')).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /^release: \d+ files have other modes than a clone with umask 022, .*clone it anew/,
      ),
    })
  },
)
