import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { CONTEXT, pairsOf, stagesOf, textsOf } from './dockerfile.ts'

// The files in deploy/ that operators copy match the project: settings, files, paths and ports are compared with the sources.

const DEPLOY = join(CONTEXT, 'deploy')
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')
const settingsSource = readFileSync(join(CONTEXT, 'src/platform/settings/settings.ts'), 'utf8')
const SETTINGS = new Set([...settingsSource.matchAll(/'([A-Z][A-Z_\d]+)'/g)].map(([, name]) => name))
/** Environment variables of Node itself. */
const OF_NODE = new Set(['NODE_COMPILE_CACHE', 'NODE_ENV'])
const unknownOf = (names: Iterable<string>) => [...names].filter((name) => !SETTINGS.has(name) && !OF_NODE.has(name))

test('the image’s last stage runs as a number that is not root, answers a health check, and has settings that exist', () => {
  const stages = stagesOf(join(DEPLOY, 'Dockerfile'))
  expect(stages.map(({ base }) => base)).toEqual(Array.from(stages, () => 'node:24-bookworm-slim'))
  const last = stages.at(-1)!
  // Kubernetes' runAsNonRoot knows numbers only
  expect(textsOf(last, 'USER')).toEqual(['65534:65534'])
  expect(textsOf(last, 'HEALTHCHECK')).toHaveLength(1)
  const env = pairsOf(last, 'ENV')
  expect(unknownOf(Object.keys(env))).toEqual([])
  expect(() => readSettings(env)).not.toThrow()
  // the exec form starts the process without a shell, so that signals reach it
  for (const keyword of ['ENTRYPOINT', 'CMD'])
    for (const text of textsOf(last, keyword)) expect(JSON.parse(text)).toBeInstanceOf(Array)
})

test('what the image copies from the clone exists, is not ignored, and is what the npm package has', () => {
  const last = stagesOf(join(DEPLOY, 'Dockerfile')).at(-1)!
  const copied = textsOf(last, 'COPY')
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(/\s+/).slice(0, -1))
  const ignored = read('Dockerfile.dockerignore').split('\n')
  for (const path of copied) expect(ignored).toContain(`!${path}`)
  const { files } = JSON.parse(readFileSync(join(CONTEXT, 'package.json'), 'utf8')) as { files: string[] }
  const built = ['dist', 'panel/dist', 'deploy']
  expect(copied.toSorted()).toEqual([...files.filter((file) => !built.includes(file)), 'package.json'].toSorted())
  expect(ignored[1]).toBe('*')
})

interface Compose {
  services: Record<
    string,
    {
      command?: string[]
      environment?: Record<string, string>
      secrets?: (string | { source: string })[]
      volumes?: string[]
      networks?: string[]
      read_only?: boolean
      depends_on?: string[] | Record<string, object>
    }
  >
  secrets: Record<string, { file: string }>
  volumes: Record<string, object>
  networks: Record<string, object>
}

test('compose.yaml names settings, secrets, volumes, networks and files that there are', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as Compose
  expect(Object.keys(compose.services).sort()).toEqual(['api', 'database', 'nginx', 'pgbouncer', 'work'])
  const made = read('make-secrets.sh')
  for (const { file } of Object.values(compose.secrets)) expect(made).toContain(file.split('/').at(-1))
  for (const [name, service] of Object.entries(compose.services)) {
    for (const secret of service.secrets ?? [])
      expect(Object.keys(compose.secrets), name).toContain(typeof secret === 'string' ? secret : secret.source)
    for (const network of service.networks ?? []) expect(Object.keys(compose.networks), name).toContain(network)
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('./')) expect(() => read(source), name).not.toThrow()
      else expect(Object.keys(compose.volumes), name).toContain(source)
    }
    const others = service.depends_on ?? []
    for (const other of Array.isArray(others) ? others : Object.keys(others))
      expect(Object.keys(compose.services), name).toContain(other)
  }
  for (const name of ['api', 'work'] as const) {
    const { environment = {}, secrets = [], read_only: isReadOnly } = compose.services[name]!
    expect(isReadOnly).toBe(true)
    expect(unknownOf(Object.keys(environment))).toEqual([])
    for (const [setting, file] of Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE')))
      expect(secrets, setting).toContain(file.replace('/run/secrets/', ''))
    const plain = Object.entries(environment).filter(([setting]) => !setting.endsWith('_FILE'))
    expect(() => readSettings({ ...Object.fromEntries(plain), PUBLIC_URL: 'https://localhost' })).not.toThrow()
  }
})

test('PgBouncer ignores what the service sends when it connects, and its role has it instead', () => {
  const operations = readFileSync(join(CONTEXT, 'docs/operations.md'), 'utf8')
  const [ignored = ''] = /ignore_startup_parameters = [\w,]+/.exec(operations) ?? []
  expect(read('compose/pgbouncer.ini')).toContain(ignored)
  const alterations = [...operations.matchAll(/^alter role shelfwire set (?!citus)[^;]+;$/gm)].map(([text]) => text)
  expect(alterations.length).toBeGreaterThan(2)
  for (const text of alterations) expect(read('compose/create-database.sh')).toContain(text)
})

test('nginx of compose.yaml has the server of nginx/shelfwire.conf', () => {
  const server = (file: string) =>
    read(file)
      .slice(read(file).indexOf('server {\n  listen 80'))
      .replaceAll(/server_name .*/g, '')
  expect(server('compose/nginx.conf')).toBe(server('nginx/shelfwire.conf'))
})

test('both units of systemd are hardened alike, and set settings that exist', () => {
  const units = readdirSync(join(DEPLOY, 'systemd')).map((name) => read(join('systemd', name)))
  expect(units).toHaveLength(2)
  const hardening = (unit: string) => /^DynamicUser[^]*?(?=\n\n\[Install)/m.exec(unit)?.[0]
  expect(hardening(units[0]!)).toBeDefined()
  expect(hardening(units[0]!)).toBe(hardening(units[1]!))
  for (const unit of units) {
    const names = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text = '']) => text.match(/\w+(?==)/g) ?? [])
    expect(names).toContain('SECRET_KEY_FILE')
    expect(unknownOf(names)).toEqual([])
  }
})

test('the values of the chart name settings that exist', () => {
  const values = parse(read('helm/shelfwire/values.yaml')) as {
    settings: Record<string, string>
    secret: { keys: Record<string, string> }
    api: { settings: Record<string, string> }
    work: { settings: Record<string, string> }
  }
  const names = [values.settings, values.api.settings, values.work.settings].flatMap((settings) =>
    Object.keys(settings),
  )
  const commented = [...read('helm/shelfwire/values.yaml').matchAll(/# [a-z\d-]+: (\w+_FILE)$/gm)].map(
    ([, name = '']) => name,
  )
  expect(commented.length).toBeGreaterThan(3)
  expect(unknownOf([...names, ...Object.values(values.secret.keys), ...commented])).toEqual([])
})
