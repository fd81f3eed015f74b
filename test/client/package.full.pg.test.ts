import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import packageJson from '../../client/package.json' with { type: 'json' }
import { tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The package as users install it: packed, installed into an empty project, and used as its README says.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const directory = directoryOfFile('client-package')
const { service, account } = worldOfFile({ service: {}, account: 'acme', products: ['A', 'B', 'C'] })
let readme: string

beforeAll(async () => {
  readme = await readFile(join(ROOT, 'client/README.md'), 'utf8')
  await run('npm', ['pack', '--workspace', 'client', '--pack-destination', directory], { cwd: ROOT })
  // installed without the registry: the package has no dependencies
  expect(packageJson).not.toHaveProperty('dependencies')
  const installed = join(directory, 'node_modules/@shelfwire/client')
  await mkdir(installed, { recursive: true })
  const tarball = join(directory, `shelfwire-client-${packageJson.version}.tgz`)
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
}, 60_000)

/** PATH without the project's own Node, to find the machine's, which may be older. */
const MACHINE_PATH = (process.env['PATH'] ?? '')
  .split(':')
  .filter((path) => !path.includes('node_modules'))
  .join(':')

const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)

test('the mirror of its README fills a directory, and finds it filled, on the oldest Node that it says and on this one', async () => {
  const [mirror = ''] = blocks('js')
  await writeFile(join(directory, 'mirror.mjs'), mirror)
  const token = await tokenFor(service.runtime, account.accountId, 'connector')
  const env = { ...process.env, PATH: MACHINE_PATH, SHELFWIRE_URL: service.url, SHELFWIRE_TOKEN: token }
  for (const node of ['node', process.execPath]) {
    const { stdout } = await run(node, ['mirror.mjs'], { cwd: directory, env })
    expect(stdout).toBe('main: 3 products\nde: 3 products\npl: 3 products\n')
  }
})

test('the oldest Node that it says reads with it', async () => {
  const code = `import { Shelfwire } from '@shelfwire/client'
    import { webhookHandler } from '@shelfwire/client/webhooks'
    import { MemoryTarget } from '@shelfwire/client/targets/memory'
    const shelf = new Shelfwire({ url: ${JSON.stringify(service.url)}, token: process.env.TOKEN })
    const target = new MemoryTarget()
    await shelf.sync({ stores: ['main'], target }).once()
    const answer = await webhookHandler(['s'], () => {})(new Request('http://x/', { method: 'POST', body: '{}' }))
    console.log(target.products('main').size, answer.status)`
  await writeFile(join(directory, 'old.mjs'), code)
  const TOKEN = await tokenFor(service.runtime, account.accountId, 'connector')
  const { stdout } = await run('node', ['old.mjs'], {
    cwd: directory,
    env: { ...process.env, PATH: MACHINE_PATH, TOKEN },
  })
  expect(stdout).toBe('3 401\n')
})

test('the tests of its README pass against the fake, on the oldest Node that it says and on this one', async () => {
  const [, reading = '', writing = ''] = blocks('js')
  for (const code of [reading, writing]) expect(code).toContain('@shelfwire/client/testing')
  await writeFile(join(directory, 'shop.test.mjs'), reading)
  await writeFile(join(directory, 'writes.test.mjs'), writing)
  const paths = (process.env['PATH'] ?? '').split(delimiter)
  const older = paths.filter((path) => !path.includes('node_modules')).join(delimiter)
  for (const PATH of [older, [dirname(process.execPath), ...paths].join(delimiter)]) {
    const { stdout } = await run('node', ['--test', 'shop.test.mjs', 'writes.test.mjs'], {
      cwd: directory,
      env: { HOME: process.env['HOME'], PATH },
    })
    expect(stdout).toMatch(/pass 2\n/)
  }
})

test('its command line runs by npx in an empty directory, on the oldest Node that it says and on this one', async () => {
  const empty = join(directory, 'empty')
  await mkdir(empty)
  await writeFile(join(empty, 'package.json'), '{ "private": true }')
  const tarball = join(directory, `shelfwire-client-${packageJson.version}.tgz`)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: empty })
  const SHELFWIRE_TOKEN = await tokenFor(service.runtime, account.accountId, 'connector')
  const own = { HOME: process.env['HOME'], SHELFWIRE_URL: service.url, SHELFWIRE_TOKEN }
  const paths = (process.env['PATH'] ?? '').split(delimiter)
  const older = paths.filter((path) => !path.includes('node_modules')).join(delimiter)
  const newer = [dirname(process.execPath), ...paths].join(delimiter)
  for (const PATH of [older, newer]) {
    const client = (...args: string[]) =>
      run('npx', ['--no-install', '@shelfwire/client', ...args], { cwd: empty, env: { ...own, PATH } })
    const { stdout: version } = await run('node', ['-p', 'process.versions.node'], { env: { PATH } })
    expect((await client('--version')).stdout).toBe(`${packageJson.version}\n`)
    const { stdout: filled } = await client('mirror', '--once', '--dir', `mirror-${version.trim()}`)
    expect(filled.trim().split('\n').sort()).toEqual(
      ['de', 'main', 'pl'].map((store) => `${store}: filled with 3 products, up to date`),
    )
    expect((await client('verify', '--dir', `mirror-${version.trim()}`)).stdout.match(/equal as of/g)).toHaveLength(3)
    const inSqlite = client('mirror', '--once', '--sqlite', `mirror-${version.trim()}.db`)
    if (Number.parseInt(version, 10) < 22)
      await expect(inSqlite).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/--sqlite needs Node 22.13 or newer.*: use --dir DIRECTORY/) as string,
      })
    else expect((await inSqlite).stderr).not.toContain('Warning')
  }
}, 60_000)

test('the examples of its README compile under strict, with its own declarations', async () => {
  const examples = blocks('ts')
  expect(examples).toHaveLength(5)
  for (const [i, code] of examples.entries()) await writeFile(join(directory, `example-${i}.ts`), code)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  }
  await writeFile(join(directory, 'package.json'), '{ "type": "module", "private": true }')
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['example-*.ts'] }))
  const compiled = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', directory]).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
})

test('what reads is below 12 kB compressed, and the verifier comes without the rest', async () => {
  const bundled = async (code: string) => {
    await writeFile(join(directory, 'entry.mjs'), code)
    const built = await build({
      root: directory,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, lib: { entry: 'entry.mjs', formats: ['es'] }, minify: true },
    })
    const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
    return outputs.map((output) => ('code' in output ? output.code : '')).join('')
  }
  const reading = await bundled("export { Shelfwire } from '@shelfwire/client'")
  expect(gzipSync(reading).length).toBeLessThan(12_000)
  const verifying = await bundled("export { verifyWebhook } from '@shelfwire/client/webhooks'")
  expect(gzipSync(verifying).length).toBeLessThan(1_600)
  expect(verifying).not.toContain('Retry-After')
  expect(reading).not.toContain('sw_fake')
})

test('it has JavaScript, declarations and its README, and no source', async () => {
  const { stdout } = await run('tar', ['-tzf', join(directory, `shelfwire-client-${packageJson.version}.tgz`)])
  const files = stdout.trim().split('\n')
  expect(files.filter((file) => !/\.(?:js|d\.ts)$/.test(file)).sort()).toEqual([
    'package/LICENSE',
    'package/README.md',
    'package/package.json',
  ])
  expect(files).toContain('package/dist/shelfwire.js')
  expect(files.length).toBeGreaterThan(20)
})
