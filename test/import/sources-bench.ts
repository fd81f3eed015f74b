import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTransaction } from '../../src/db/sql.ts'
import { openFetching, type Fetching, type FetchOptions } from '../../src/imports/fetch/fetch-source.ts'
import { createSource, type NewSource, type SourceRules } from '../../src/imports/sources/edit-sources.ts'
import { prepareSource } from '../../src/imports/sources/prepare-source.ts'
import { openKeys } from '../../src/imports/ssh/keys.ts'
import { sourceGet, type SourceRow } from '../../src/imports/sources/sources.sql.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { openOutbound, type Outbound } from '../../src/outbound/client.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openSeal, type Seal } from '../../src/platform/secrets/seal.ts'
import { createAccount, openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { tlsFile } from '../harness/hostile-receiver.ts'

// Shared by tests of sources: a database, an account, and the context of fetches, with loopback addresses allowed.

export interface SourcesBench extends AsyncDisposable {
  database: TestDatabase
  bench: Bench
  account: TestAccount
  seal: Seal
  outbound: Outbound
  rules: SourceRules
  /** IMPORT_DIR, in which files are also received. */
  importDir: string
  directory: string
  fetching(options?: Partial<FetchOptions>): Fetching
  /** Creates a source of the account's first supplier. */
  add(source: Partial<NewSource>, supplier?: number): Promise<number>
  get(sourceId: number): Promise<SourceRow>
}

export const MAPPING = { format: 'csv', fields: { sku: 'sku', cost: 'cost' } }

export async function openSourcesBench(): Promise<SourcesBench> {
  const database = await createDatabase()
  const bench = openBench(database.db)
  const account = await createAccount(bench)
  const importDir = await mkdtemp(join(tmpdir(), 'shelfwire-import-dir-'))
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-fetched-'))
  const seal = openSeal(['a key for tests, of thirty-two characters'])
  const outbound = openOutbound({ allow: ['127.0.0.1/32'], userAgent: 'Shelfwire/test', ca: tlsFile('ca') })
  const rules = { seal, keys: openKeys(silentLog), isAllowed: (host: string) => outbound.isAllowed(host), importDir }
  let names = 0
  Object.assign(LIMITS, { sourcesPerSupplierMax: 1_000 })
  return {
    database,
    bench,
    account,
    seal,
    outbound,
    rules,
    importDir,
    directory,
    fetching: (options = {}) =>
      openFetching({
        db: database.db,
        log: silentLog,
        seal,
        outbound,
        unfinished: openUnfinished(directory),
        importDir,
        ...options,
      }),
    async add(source, supplier = 0) {
      const { accountId, suppliers } = account
      const blank: NewSource = {
        name: `source-${names++}`,
        kind: 'http',
        url: null,
        path: null,
        credentials: null,
        hostKey: null,
        mapping: MAPPING,
        mode: 'delta',
        cron: null,
        timeZone: null,
        everyMinutes: null,
        isActive: true,
      }
      const prepared = await prepareSource(accountId, source, rules.keys)
      return inTransaction(database.db, (tx) =>
        createSource(tx, accountId, suppliers[supplier]?.supplierId ?? 0, { ...blank, ...source }, rules, prepared),
      )
    },
    async get(sourceId) {
      const row = await sourceGet(database.db, account.accountId, sourceId)
      if (row === undefined) throw new Error(`there is no source ${sourceId}`)
      return row
    },
    async [Symbol.asyncDispose]() {
      await outbound.close()
      await rm(importDir, { recursive: true, force: true })
      await rm(directory, { recursive: true, force: true })
      await database[Symbol.asyncDispose]()
    },
  }
}

export interface FileServer extends AsyncDisposable {
  url: string
  /** The requests so far, oldest first. */
  requests: IncomingMessage[]
}

/** An HTTP server on loopback. */
export async function serveFiles(listener: RequestListener): Promise<FileServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
