import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../src/accounts/create-token.ts'
import { createRule } from '../src/catalog/settings/rules/pricing-rules.ts'
import { createGroup } from '../src/catalog/settings/stores/groups.ts'
import { setRates } from '../src/catalog/settings/prices/rates.ts'
import { createStore } from '../src/catalog/settings/stores/stores.ts'
import { createSupplier } from '../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../src/db/sql.ts'
import { demoSupplierFiles } from '../src/demo/catalog/supplier-files.ts'
import { runImport } from '../src/imports/run.ts'
import { auditAccount } from '../src/shelf/audit.ts'
import { openAccount } from '../src/shelf/account.ts'
import { parseMapping } from '../src/supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../src/supplier-files/read-offers.ts'
import { maintain, openEnvironment, startService } from './environment.ts'
import { firstLine, load, median, memoryOf, start } from './processes.ts'
import type { Report } from './report.ts'

// A catalog of the size of a small shop: import and reads, compared with baselines that are measured in the same run.

const PRODUCTS = 10_000
const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 64

/** The benchmark with 10,000 products in three stores; takes about a minute. */
export async function small(report: Report): Promise<void> {
  await using environment = await openEnvironment()
  const { db, wake, shelf } = environment.runtime

  // --- import ---------------------------------------------------------------------------------------------------------
  const [supplierFile] = demoSupplierFiles(Math.ceil(PRODUCTS / 0.7))
  if (supplierFile === undefined) throw new Error('the demo has no supplier file')
  const account = await inTransaction(db, async (tx) => {
    const { accountId, storeId } = await openAccount(tx, {
      name: 'bench',
      currency: 'EUR',
      locale: 'de',
      store: { slug: 'main', name: 'Main', locale: 'de', currency: 'EUR' },
    })
    await createStore(tx, accountId, { slug: 'uk', name: 'UK', locale: 'en-GB', currency: 'GBP' })
    await createStore(tx, accountId, { slug: 'pl', name: 'Polska', locale: 'pl-PL', currency: 'PLN' })
    const groupId = (await createGroup(tx, accountId, 'Wholesale')).value
    await createRule(tx, accountId, { name: 'Wholesale', percent: '12', groupIds: [groupId] })
    await setRates(tx, accountId, [
      { currency: 'GBP', rate: '0.8521' },
      { currency: 'PLN', rate: '4.2875' },
    ])
    const supplierId = (await createSupplier(tx, accountId, supplierFile.supplier)).value
    const { token } = await createToken(tx, { accountId, access: 'connector' })
    return { accountId, storeId, supplier: { supplierId, currency: supplierFile.supplier.currency }, token }
  })
  const { accountId } = account
  await shelf.drain(accountId)
  const file = Buffer.from([...supplierFile.text()].join(''))
  const mapping = parseMapping(supplierFile.mapping)
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < file.length; at += 1_048_576) yield file.subarray(at, at + 1_048_576)
  }
  const importFile = async () => {
    // two workers, as in the service
    const workers = [shelf.startWorker('bench-1'), shelf.startWorker('bench-2')]
    const from = performance.now()
    const result = await runImport(
      db,
      wake,
      { accountId, supplier: account.supplier, mode: 'full' },
      readOfferPages(bytes(), mapping),
    )
    await shelf.drain(accountId)
    await Promise.all(workers.map((worker) => worker.stop()))
    return { result, perSecond: result.rows / ((performance.now() - from) / 1_000) }
  }
  const first = await importFile()
  report.goal(
    `import of ${first.result.created} new products into 3 stores, shelved`,
    `${Math.round(first.perSecond)} products/s`,
    '5,000/s',
    first.perSecond >= 5_000,
  )
  const again: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const run = await importFile()
    if (run.result.unchanged !== run.result.rows) throw new Error('the second import changed something')
    again.push(run.perSecond)
  }
  report.goal(
    'the same file again, unchanged',
    `${Math.round(median(again))} offers/s`,
    '30,000/s',
    median(again) >= 30_000,
  )
  const audit = await auditAccount(db, accountId)
  if (audit.differencesTotal > 0) throw new Error(`the audit finds ${audit.differencesTotal} differences`)
  await maintain(environment, ['vacuum analyze'])

  // --- reads ----------------------------------------------------------------------------------------------------------
  const service = await startService(environment)
  const { url } = service
  // by then it has given back the memory that its start used
  await sleep(6_000)
  const idle = await memoryOf(service.pid)
  const ids = (
    await db<
      { id: number }[]
    >`select product_id as id from payload_price where account_id = ${accountId} and store_id = ${account.storeId} order by 1`
  ).map((row) => row.id)
  const sampled = Array.from({ length: 1_000 }, (_, i) => ids[(i * 7_919) % ids.length] ?? 0)
  const one = await (
    await fetch(`${url}/v1/products/${sampled[0]}`, {
      headers: { authorization: `Bearer ${account.token}`, 'accept-encoding': 'identity' },
    })
  ).text()
  const memory = start(['bench/baselines.ts', 'memory', Buffer.from(one).toString('base64')], {})
  const memoryUrl = `http://127.0.0.1:${await firstLine(memory, (line) => /^\d+$/.test(line))}`
  const query = start(
    ['bench/baselines.ts', 'query', environment.databaseUrl, String(accountId), String(account.storeId)],
    {},
  )
  const queryUrl = `http://127.0.0.1:${await firstLine(query, (line) => /^\d+$/.test(line))}`

  /**
   * Measures the service and its baseline alternately, under the same conditions, and reports the median of the ratios.
   */
  async function compare(
    what: string,
    goal: number,
    paths: readonly string[],
    limitUrl: string,
    connections: number,
  ): Promise<void> {
    const ratios: number[] = []
    const ours: number[] = []
    const theirs: number[] = []
    await load(url, account.token, connections, 1, paths)
    await load(limitUrl, account.token, connections, 1, paths)
    for (let i = 0; i < ROUNDS; i++) {
      const own = await load(url, account.token, connections, SECONDS, paths)
      const limit = await load(limitUrl, account.token, connections, SECONDS, paths)
      if (own.failures + limit.failures > 0) throw new Error(`${what}: requests failed`)
      ratios.push(own.perSecond / limit.perSecond)
      ours.push(own.perSecond)
      theirs.push(limit.perSecond)
    }
    report.goal(
      what,
      `${median(ratios).toFixed(2)}x (${Math.round(median(ours))}/s against ${Math.round(median(theirs))}/s)`,
      `${goal}x`,
      median(ratios) >= goal,
    )
  }
  await compare(
    `single read with a token (${Buffer.byteLength(one)} bytes) against node:http sending the same bytes from memory`,
    0.6,
    sampled.map((id) => `/v1/products/${id}`),
    memoryUrl,
    CONNECTIONS,
  )
  await compare(
    'page of 200 against a bare query of 200 payloads plus send',
    0.5,
    Array.from({ length: 40 }, (_, i) => `/v1/products?per_page=200&page=${i + 1}`),
    queryUrl,
    8,
  )
  const busy = await memoryOf(service.pid)
  report.goal(
    'memory of the service process without PostgreSQL',
    `${idle.nowMb} MB after start, ${busy.nowMb} MB after the load, peak ${busy.peakMb} MB`,
    '150 MB',
    busy.nowMb <= 150,
  )

  memory.kill()
  query.kill()
  await service.stop()
  report.print(environment.server)
}
