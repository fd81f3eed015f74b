import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '../../src/service.ts'
import { createAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'

/** A service for uploads, with a database and a DATA_DIR of its own. */
export interface ImportService extends AsyncDisposable {
  database: TestDatabase
  service: TestService
  /** DATA_DIR. */
  directory: string
  /** Creates an account with the suppliers north, south and acme. @returns functions that call the API for it */
  enter(): Promise<ImportAccount>
}

export interface ImportAccount {
  accountId: number
  /** A token with full access. */
  token: string
  http: ReturnType<typeof client>
}

export async function startImportService(roles: readonly Role[] = ['api']): Promise<ImportService> {
  const database = await createDatabase()
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-imports-'))
  const service = await startTestService(database, { roles, env: { DATA_DIR: directory } })
  return {
    database,
    service,
    directory,
    async enter() {
      const { accountId } = await createAccount(service.runtime)
      const token = await tokenFor(service.runtime, accountId, 'full')
      const http = client(service.url, token)
      const made = await http('/v1/account/suppliers', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: 'acme', name: 'Acme', currency: 'EUR' }),
      })
      if (made.status !== 201) throw new Error(made.text)
      return { accountId, token, http }
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}
