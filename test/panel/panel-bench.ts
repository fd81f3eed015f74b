import { afterAll, beforeAll } from 'vitest'
import { openBench, type Bench } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startTestService, type TestService } from '../harness/service.ts'

export interface PanelBench {
  database: TestDatabase
  bench: Bench
  service: TestService
}

/** A database and a service on it for all tests of a file, given to `use` before the first and closed after the last. */
export function withPanelBench(use: (opened: PanelBench) => void, env: Record<string, string> = {}): void {
  let opened: PanelBench
  beforeAll(async () => {
    const database = await createDatabase()
    opened = { database, bench: openBench(database.db), service: await startTestService(database, { env }) }
    use(opened)
  })
  afterAll(async () => {
    await opened.service[Symbol.asyncDispose]()
    await opened.database[Symbol.asyncDispose]()
  })
}
