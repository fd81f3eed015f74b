import { runImport, type ImportReport } from '../../src/imports/run.ts'
import type { Mapping } from '../../src/supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import { openBench, type Bench, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { client, startTestService, tokenFor } from '../harness/service.ts'

/** For tests that import the files of suppliers and compare what stores read. */
export interface StoreBench extends AsyncDisposable {
  database: TestDatabase
  bench: Bench
  /** Imports a full file of one of the account's suppliers, and shelves what it changed. */
  bring(account: TestAccount, from: 0 | 1, bytes: AsyncIterable<Uint8Array>, mapping: Mapping): Promise<ImportReport>
  /** Reads as a store of the account does. */
  reader(account: TestAccount): Promise<ReturnType<typeof client>>
}

export async function openStoreBench(): Promise<StoreBench> {
  const database = await createDatabase()
  const bench = openBench(database.db)
  const service = await startTestService(database)
  return {
    database,
    bench,
    async bring({ accountId, suppliers }, from, bytes, mapping) {
      const supplier = suppliers[from]
      if (supplier === undefined) throw new Error('no such supplier')
      const request = { accountId, supplier, mode: 'full' as const }
      const report = await runImport(database.db, bench.wake, request, readOfferPages(bytes, mapping))
      await bench.shelf.drain(accountId)
      return report
    },
    reader: async ({ accountId }) => client(service.url, await tokenFor(service.runtime, accountId)),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
