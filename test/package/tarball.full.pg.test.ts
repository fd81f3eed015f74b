import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { GUIDES } from '../../src/serve/documentation/guides.ts'
import { until } from '../harness/interleave.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The package as `npm install shelfwire` installs it: packed, installed in an empty folder, and run from there.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

const directory = directoryOfFile('package')
const { database } = worldOfFile()
/** The environment without npm's variables, and with Node 24 first. */
let env: Record<string, string>
const npm = (cwd: string, args: readonly string[]) => run('npm', [...args], { cwd, env })
const shelfwire = (...args: string[]) => run('npx', ['--no-install', 'shelfwire', ...args], { cwd: directory, env })

beforeAll(async () => {
  env = {
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: process.env['HOME'] ?? directory,
    // the settings by which this machine reaches the registry
    ...Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value = '']) =>
        /CERT|PROXY|^npm_config_(?:registry|cafile)$/i.test(name) ? [[name, value]] : [],
      ),
    ),
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
    DATABASE_URL: database.url,
    DATA_DIR: join(directory, 'data'),
  }
  await npm(ROOT, ['pack', '--pack-destination', directory])
  await writeFile(join(directory, 'package.json'), '{ "private": true }')
  // with optional packages, because native code of dependencies is installed by those
  const quick = ['--prefer-offline', '--no-audit', '--no-fund']
  await npm(directory, ['install', '--ignore-scripts', ...quick, `./shelfwire-${packageJson.version}.tgz`])
}, 180_000)

describe('the package from its tarball', { timeout: 60_000 }, () => {
  const installed = () => join(directory, 'node_modules', 'shelfwire')

  it('has JavaScript and documents, and neither TypeScript nor tests', async () => {
    expect((await readdir(installed())).sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin',
        'demo',
        'deploy',
        'dist',
        'docs',
        'migrations',
        'package.json',
        'panel',
      ].sort(),
    )
    expect(await readdir(join(installed(), 'panel'))).toEqual(['dist'])
    const files = await readdir(join(installed(), 'dist'), { recursive: true })
    expect(files).toContain('main.mjs')
    expect(files.filter((file) => !/^[\w.-]+\.mjs$/.test(file))).toEqual(['LICENSES.txt'])
    const licences = await readFile(join(installed(), 'dist', 'LICENSES.txt'), 'utf8')
    expect(licences).toMatch(/^typebox \d+\.\d+\.\d+\n[^]*Permission is hereby granted/)
  })

  it('says its version and its commands, and warns of nothing', async () => {
    expect(await shelfwire('--version')).toEqual({ stdout: `${packageJson.version}\n`, stderr: '' })
    const { stdout, stderr } = await shelfwire('--help')
    expect(stderr).toBe('')
    for (const command of ['start', 'serve', 'import', 'migrate']) expect(stdout).toContain(command)
  })

  it('finds its migrations', async () => {
    await database.db.unsafe('drop schema public cascade; create schema public')
    const { stdout, stderr } = await shelfwire('migrate', '--json')
    expect(stderr).toBe('')
    const { applied } = JSON.parse(stdout) as { applied: string[] }
    expect(applied).toEqual((await readdir(join(ROOT, 'migrations'))).filter((name) => name.endsWith('.sql')).sort())
  })

  it('reads a supplier’s file, in a process of its own', async () => {
    const json = async (...args: string[]) =>
      JSON.parse((await shelfwire(...args, '--json')).stdout) as Record<string, number>
    const opened = await json('account', 'create', '--name', 'Packed', '--currency', 'EUR', '--locale', 'en')
    const account = ['--account', String(opened['account_id'])]
    await json('supplier', 'create', ...account, '--code', 'north', '--name', 'North', '--currency', 'EUR')
    const examples = join(installed(), 'docs', 'examples')
    const from = ['--supplier', 'north', '--mapping', join(examples, 'mapping.json')]
    const imported = await json('import', join(examples, 'north.csv'), ...account, ...from)
    expect(imported['created']).toBeGreaterThan(0)
  })

  it('has every program that it starts', async () => {
    const files = await readdir(join(installed(), 'dist'))
    for (const program of ['file-reader.mjs', 'image-decoder.mjs', 'ssh.mjs']) expect(files).toContain(program)
    expect(await readdir(join(installed(), 'demo'), { recursive: true })).toEqual(
      await readdir(join(ROOT, 'demo'), { recursive: true }),
    )
  })

  it('serves the API, its description, its documentation and the panel, and ends when told to', async () => {
    const child = spawn(process.execPath, [join(installed(), 'bin', 'shelfwire.mjs'), 'serve'], {
      cwd: directory,
      env: { ...env, PORT: '0' },
      stdio: 'pipe',
    })
    const ended = once(child, 'exit')
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (log += text.toString()))
    onTestFinished(() => void child.kill('SIGKILL'))
    await until('it listens', async () => log.includes('shelfwire is running'))
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0] ?? ''
    const guides = GUIDES.map(({ name }) => `/docs/guides/${name}`)
    for (const path of ['/healthz', '/readyz', '/docs', '/docs/problems', ...guides])
      expect((await fetch(url + path)).status, path).toBe(200)
    const panel = await (await fetch(`${url}/panel`)).text()
    const script = /src="([^"]+\.js)"/.exec(panel)?.[1] ?? ''
    expect((await fetch(new URL(script, url))).headers.get('content-type'), panel).toContain('javascript')
    const description = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } }
    expect(description.info.version).toBe(packageJson.version)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(log).not.toMatch(/warning/i)
  })
})
