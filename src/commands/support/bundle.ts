import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { tarEnd, tarHeader, tarPadding } from '../../archive/tar.ts'
import { serverState } from '../../db/checks/server-state.ts'
import type { Db } from '../../db/sql.ts'
import {
  failingEndpoints,
  failingSources,
  openImports,
  openOperations,
  waitingMarks,
  waitingSweeps,
} from '../../overview/installation.sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { packageVersion } from '../../platform/process/package.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import {
  accountUses,
  activity,
  extensions,
  migrationsApplied,
  serverSettings,
  slowStatements,
  tableSizes,
  totals,
} from './figures.sql.ts'
import { lastLines } from './log-lines.ts'
import { shownMetrics } from './metrics.ts'
import { shownSettings } from './settings.ts'

// What maintainers need to know about an installation, without secrets. Each file contains only what is listed here, as opposed to everything minus
// secrets. docs/decisions/192-a-support-bundle-is-a-list-of-what-is-told.md says why.

export interface BundleContents {
  settings: Settings
  /** Null if the database does not answer. */
  db: Db | null
  /** The results of `doctor` that may be included. */
  checks: readonly Record<string, unknown>[]
  /** A file of log lines; null: none. */
  logFile: string | null
}

/** A file of the bundle. */
export interface BundledFile {
  name: string
  text: string
}

/** Why a part is missing: only the code of the error, because its text may contain hosts and values. */
const absent = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return { missing: /^[\w-]{1,60}$/.test(code) ? code : 'it could not be read' }
}

/** Gathers the files, each within LIMITS.supportFileBytesMax. */
export async function gather({ settings, db, checks, logFile }: BundleContents): Promise<BundledFile[]> {
  const parts: Record<string, () => unknown> = {
    'machine.json': machine,
    'settings.json': () => shownSettings(settings),
    'doctor.json': () => checks,
    ...(db === null ? {} : ofDatabase(db)),
    ...(logFile === null ? {} : { 'log.json': () => lastLines(logFile, ourMessages()) }),
  }
  const files: BundledFile[] = []
  for (const [name, read] of Object.entries(parts)) {
    let found: unknown
    try {
      found = await read()
    } catch (error) {
      found = absent(error)
    }
    files.push({ name, text: `${JSON.stringify(found, null, 1)}\n` })
  }
  files.push({ name: 'metrics.txt', text: await metricsOf(settings) })
  const secrets = secretsOf(settings)
  return [{ name: 'README.txt', text: README }, ...files].map(({ name, text }) => {
    const bytes = Buffer.byteLength(text)
    if (bytes > LIMITS.supportFileBytesMax) return { name, text: `left out: it has ${bytes} bytes\n` }
    // there should be no secrets here; this limits the damage of a mistake above
    return { name, text: secrets.reduce((told, secret) => told.replaceAll(secret, '(left out)'), text) }
  })
}

const README = `What Shelfwire knows of this installation, for its maintainers: "shelfwire support-bundle" made it.
No names, texts, addresses, files or secrets of accounts are in it: accounts are numbers.
Look through it before you send it. docs/operations.md, "A bundle for the maintainers", says what each file is.
`

const machine = () => ({
  madeAt: new Date().toISOString(),
  shelfwire: packageVersion(),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  kernel: os.release(),
  processors: os.availableParallelism(),
  load: os.loadavg(),
  memoryBytes: os.totalmem(),
  memoryFreeBytes: os.freemem(),
  memoryLimitBytes: process.constrainedMemory(),
  uptimeSeconds: os.uptime(),
  isRoot: process.getuid?.() === 0,
})

function ofDatabase(db: Db): Record<string, () => unknown> {
  const rows = LIMITS.supportRowsMax
  return {
    'schema.json': async () => ({ ...(await serverState(db)), applied: await migrationsApplied(db, rows) }),
    'tables.json': () => tableSizes(db, rows),
    'database.json': async () => ({
      totals: await totals(db),
      settings: await serverSettings(db),
      extensions: await extensions(db),
      activity: await activity(db),
    }),
    'statements.json': async () => {
      const isThere = (await extensions(db)).some(({ name }) => name === 'pg_stat_statements')
      return isThere
        ? slowStatements(db, LIMITS.supportStatementsMax, LIMITS.supportStatementCharactersMax)
        : { missing: 'the extension pg_stat_statements' }
    },
    'accounts.json': () => accountUses(db, rows),
    'waiting.json': async () => {
      const [marks, sweeps, operations, imports, sources, endpoints] = [
        await waitingMarks(db),
        await waitingSweeps(db),
        await openOperations(db),
        await openImports(db),
        await failingSources(db),
        await failingEndpoints(db),
      ]
      const most = <Row>(found: readonly Row[]) => ({ accounts: found.length, first: found.slice(0, rows) })
      return {
        marks: most(marks),
        sweeps: most(sweeps),
        operations: most(operations),
        imports: most(imports),
        sourcesFailing: most(sources),
        endpointsFailing: most(endpoints),
      }
    },
  }
}

/** The metrics of the service, if it runs on this machine. */
async function metricsOf({ host, port, metricsHost, metricsPort, metricsToken }: Settings): Promise<string> {
  const given = metricsPort === null ? host : metricsHost
  const address = given === '0.0.0.0' || given === '::' ? '127.0.0.1' : given.includes(':') ? `[${given}]` : given
  try {
    const response = await fetch(`http://${address}:${metricsPort ?? port}/metrics`, {
      headers: metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` },
      signal: AbortSignal.timeout(LIMITS.supportMetricsMs),
      redirect: 'error',
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return `the service answered ${response.status}\n`
    }
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of response.body ?? []) {
      parts.push(part)
      if ((bytes += part.length) > LIMITS.supportFileBytesMax) break
    }
    return shownMetrics(Buffer.concat(parts).toString())
  } catch {
    return 'no service answers at METRICS_PORT or PORT of this machine: run the command with the settings of the service\n'
  }
}

/** Recognizes messages from our own code: the log's messages are literals in it. */
function ourMessages(): { has(text: string): boolean } {
  // in a bundle, all code is in one folder, and two folders up are packages of others
  const root = import.meta.url.endsWith('.ts') ? join(import.meta.dirname, '..', '..') : import.meta.dirname
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mjs)$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .map((name) => readFileSync(join(root, name), 'utf8'))
  const known = new Map<string, boolean>()
  return {
    has(text) {
      const isOurs =
        known.get(text) ??
        (text.length > 3 && sources.some((source) => ["'", '"'].some((quote) => source.includes(quote + text + quote))))
      if (known.size < LIMITS.supportLogLinesMax) known.set(text, isOurs)
      return isOurs
    },
  }
}

const SHORTEST_SECRET = 6

/** Every secret of the settings, as it was given and as it appears in a URL. */
function secretsOf(settings: Settings): string[] {
  const { databaseUrl, databaseDirectUrl, smtpUrl, publicUrl, imageUrl, tracing, s3 } = settings
  const ofUrls = [databaseUrl, databaseDirectUrl, smtpUrl, publicUrl, imageUrl, tracing?.endpoint ?? null].flatMap(
    (url) => {
      // the URL may name several hosts, so it is not parsed as a URL
      const [, user = '', password = ''] = /^\w+:\/\/([^:/@]*):([^@]*)@/.exec(url ?? '') ?? []
      return password === '' ? [] : [password, decoded(password), `${user}:${password}`]
    },
  )
  return [
    ...ofUrls,
    ...settings.secretKeys,
    settings.metricsToken,
    settings.operatorToken,
    settings.provider?.clientSecret,
    s3?.accessKeyId,
    s3?.secretAccessKey,
    ...Object.values(tracing?.headers ?? {}),
  ].filter((secret): secret is string => typeof secret === 'string' && secret.length >= SHORTEST_SECRET)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Writes the files as a .tar.gz with mode 0600. @returns its size in bytes. @throws if the file exists */
export async function writeBundle(path: string, files: readonly BundledFile[]): Promise<number> {
  const now = new Date()
  const packed = gzipSync(
    Buffer.concat([
      ...files.flatMap(({ name, text }) => {
        const bytes = Buffer.from(text)
        return [tarHeader(`shelfwire-support/${name}`, bytes.length, now), bytes, tarPadding(bytes.length)]
      }),
      tarEnd(),
    ]),
  )
  await writeFile(path, packed, { flag: 'wx', mode: 0o600 })
  return packed.length
}
