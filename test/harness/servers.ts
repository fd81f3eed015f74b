import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDb } from '../../src/db/sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { startDebianServer } from './debian-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string
    /** Name of the migrated template database, of which every test database is a copy. */
    template: string
  }
}

/** Server and template of an outer test run, as `URL template`; used by nested runs (test/mutations). */
export const LENT_SERVER = 'SHELFWIRE_TEST_SERVER_LENT'

/** Starts the server of a vitest project and migrates the template; runs once, before the project's files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [lent, lentTemplate] = process.env[LENT_SERVER]?.split(' ') ?? []
  const server =
    lent === undefined
      ? await startServer(project.config.env['SHELFWIRE_TEST_SERVER'])
      : { url: lent, stop: async () => {} }
  const template = lentTemplate ?? `shelfwire_template_${process.pid}`
  const asAdmin = async (statement: string) => {
    const admin = openDb({ url: server.url, connectionsMax: 1 })
    await admin.unsafe(statement)
    await admin.end()
  }
  if (lentTemplate === undefined) {
    await asAdmin(`create database ${template}`)
    const db = openDb({ url: withDatabase(server.url, template), connectionsMax: 2 })
    await migrate(db, silentLog)
    await db.end()
  }
  project.provide('serverUrl', server.url)
  project.provide('template', template)
  return async () => {
    if (lent !== undefined && lentTemplate === undefined) await asAdmin(`drop database ${template}`)
    await server.stop()
  }
}

async function startServer(kind: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  // in the system's temporary directory and accessible to all, because the server may run as another user
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-test-'))
  await chmod(directory, 0o755)
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', timezone: 'Asia/Kolkata' }
  const server =
    kind === 'debian-15'
      ? await startDebianServer(15, directory, settings)
      : await startEmbedded({ dataDir: directory, log: silentLog, settings })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The URL of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
