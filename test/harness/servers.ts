import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/embedded/embedded.ts'
import { distribute } from '../../src/db/distribution/distribute.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createClusterDatabase, freeze, startCitusCluster, loggedErrors, type CitusCluster } from './citus-cluster.ts'
import { startDebianServer } from './debian-server.ts'
import { onEvery, withDatabase } from './every-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string
    /** URLs of the workers if the server is the coordinator of a Citus cluster; else none. */
    workerUrls: string[]
    /** The path of the server's log; null for the embedded server. */
    serverLog: string | null
    /** Name of the migrated template database, of which every test database is a copy. */
    template: string
  }
}

/** The variable by which an outer test run passes its server to nested ones (test/mutations), as JSON; with the template, unless the schema differs. */
export const LENT_SERVER = 'SHELFWIRE_TEST_SERVER_LENT'

export interface LentServer {
  serverUrl: string
  workerUrls: string[]
  serverLog: string | null
  template?: string
}

interface StartedServer extends LentServer {
  /** Makes a new, empty database. */
  create(name: string): Promise<void>
  /** Prepares a migrated database as a template. */
  finish(name: string): Promise<void>
  stop(): Promise<void>
}

/** Starts the server of a vitest project and migrates the template; runs once, before the project's files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = project.config.env['SHELFWIRE_TEST_SERVER']
  const lentText = process.env[LENT_SERVER]
  const lent = lentText === undefined ? undefined : (JSON.parse(lentText) as LentServer)
  const server: StartedServer =
    lent === undefined
      ? await (kind === 'citus' ? startCluster() : startOne(kind))
      : {
          ...lent,
          create: (name) => onEvery([lent.serverUrl], `create database ${name}`),
          finish: async () => {},
          stop: async () => {},
        }
  const template = lent?.template ?? `shelfwire_template_${process.pid}`
  if (lent?.template === undefined) {
    await server.create(template)
    const db = openDb({ url: withDatabase(server.serverUrl, template), connectionsMax: 2 })
    await migrate(db, silentLog)
    if (kind === 'citus') await distribute(db, { shards: null })
    await db.end()
    await server.finish(template)
  }
  project.provide('serverUrl', server.serverUrl)
  project.provide('workerUrls', server.workerUrls)
  project.provide('serverLog', server.serverLog)
  project.provide('template', template)
  return async () => {
    if (lent !== undefined && lent.template === undefined)
      await onEvery([server.serverUrl, ...server.workerUrls], `drop database ${template}`)
    await server.stop()
  }
}

const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', timezone: 'Asia/Kolkata' }

async function startOne(kind: string | undefined): Promise<StartedServer> {
  const directory = await newDirectory()
  const server =
    kind === 'debian-15'
      ? await startDebianServer(15, directory, SETTINGS)
      : await startEmbedded({ dataDir: directory, log: silentLog, settings: SETTINGS })
  return {
    serverUrl: server.url,
    workerUrls: [],
    serverLog: 'log' in server ? server.log : null,
    create: (name) => onEvery([server.url], `create database ${name}`),
    finish: async () => {},
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function startCluster(): Promise<StartedServer> {
  const directory = await newDirectory()
  const cluster: CitusCluster = await startCitusCluster(directory, SETTINGS)
  const workerUrls = cluster.workers.map((worker) => worker.url)
  return {
    serverUrl: cluster.coordinator.url,
    workerUrls,
    serverLog: cluster.coordinator.log,
    create: (name) => createClusterDatabase([cluster.coordinator.url, ...workerUrls], name),
    finish: (name) => freeze([cluster.coordinator.url, ...workerUrls], name),
    async stop() {
      for (const node of [cluster.coordinator, ...cluster.workers]) await node.stop()
      const { errors, deadlocks } = loggedErrors(await readFile(cluster.coordinator.log, 'utf8'))
      // only the logs of the workers have the statements of a deadlock
      if (deadlocks.length > 0) {
        console.warn(`transactions that met and ran again:\n${deadlocks.join('\n')}`)
        for (const worker of cluster.workers)
          for (const [met] of (await readFile(worker.log, 'utf8')).matchAll(
            /^.*ERROR: +deadlock detected\n(?:.*\n){12}/gm,
          ))
            console.warn(met)
      }
      await rm(directory, { recursive: true, force: true })
      // vitest then ends with an error
      if (errors.length > 0) throw new Error(`the coordinator has logged errors:\n${errors.join('\n')}`)
    },
  }
}

/** Makes a temporary directory that all users can enter, because the server may run as another one. */
async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-test-'))
  await chmod(directory, 0o755)
  return directory
}
