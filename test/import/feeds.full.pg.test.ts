import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runImport, type ImportReport, type ImportRequest } from '../../src/imports/run.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { readMappingDocument } from '../../src/supplier-files/mapping-document.ts'
import { previewRows } from '../../src/supplier-files/preview.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { defaultLimits, type ReadLimits } from '../../src/supplier-files/rows.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { BROKEN, EXPECTED, PARTLY, WHOLE, type Feed } from './feeds.ts'
import { worldOfFile } from '../harness/world.ts'

// Suppliers' files, valid and broken, read from a server in network-sized pieces and imported into a database.

const { database, bench } = worldOfFile()
let server: Server
let url: string
const served: (Feed | (typeof BROKEN)[number])[] = [...WHOLE, ...BROKEN, PARTLY]

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      const bytes = (await served[Number(request.url?.slice(1))]?.bytes()) ?? Buffer.from('no such feed')
      // without a length, so that a file that is cut off looks complete
      for (let at = 0; at < bytes.length; at += 50_021)
        if (!response.write(bytes.subarray(at, at + 50_021))) await once(response, 'drain')
      response.end()
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
})

async function* fetched(feed: Feed): AsyncGenerator<Uint8Array> {
  const { body } = await fetch(`${url}/${served.indexOf(feed)}`)
  if (body !== null) yield* body as AsyncIterable<Uint8Array>
}

/** Smaller limits for compression bombs, so that the tests are fast. */
const limitsOf = (feed: Feed): ReadLimits => ({
  ...defaultLimits,
  ...('limits' in feed ? (feed.limits as object) : {}),
})

async function bring(account: TestAccount, feed: Feed, options: Partial<ImportRequest> = {}): Promise<ImportReport> {
  const [supplier] = account.suppliers
  if (supplier === undefined) throw new Error('no supplier')
  const warnings: string[] = []
  const pages = readOfferPages(fetched(feed), readMappingDocument(feed.mapping), limitsOf(feed), (warning) =>
    warnings.push(warning),
  )
  const request = { accountId: account.accountId, supplier, mode: 'full' as const, ...options }
  const report = await runImport(database.db, bench.wake, request, pages, () => {}, warnings)
  await bench.shelf.drain(account.accountId)
  return report
}

/** The stored offers, with the products that stores read. */
async function stored(account: TestAccount): Promise<unknown[][]> {
  const rows = await database.db<{ row: unknown[] }[]>`
    select array_to_json(array[to_json(o.supplier_sku), to_json(o.cost::float8), to_json(o.quantity),
      (select to_json(min(e.ean)) from product_ean e where e.account_id = ${account.accountId} and e.product_id = o.product_id),
      c.body::json -> 'title', to_json(json_array_length(c.body::json -> 'images'))]) as row
    from offer o join (select account_id, product_id, store_id, '{' || body || '}' as body from payload_content
      where account_id = ${account.accountId}) c using (account_id, product_id)
    where o.account_id = ${account.accountId} and c.store_id = ${account.storeIds[1]} order by o.supplier_sku`
  return rows.map(({ row }) => row)
}

/** All rows that an import may write, with their row versions, as one string. */
async function everything(account: TestAccount): Promise<string> {
  const tables = [
    'offer',
    'offer_content',
    'product',
    'product_ean',
    'mark',
    'sweep',
    'payload_content',
    'payload_price',
    'change',
  ]
  const texts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await database.db<{ text: string | null }[]>`
        select string_agg(t::text || xmin, e'\n' order by t::text) as text from ${database.db(table)} t where account_id = ${account.accountId}`
      return `${table}:${row?.text}`
    }),
  )
  return texts.join('\n')
}

const first = WHOLE[0] as Feed

describe('a whole file', () => {
  it.each(WHOLE)('$name gives the right offers, and the same in preview, dry run and run', async (feed) => {
    const account = await createAccount(bench)
    const read: ReadRow[] = []
    for await (const page of readOfferPages(fetched(feed), readMappingDocument(feed.mapping))) read.push(...page)
    const previewed = await previewRows(fetched(feed), readMappingDocument(feed.mapping), 100)
    expect(previewed.map((row) => row.read)).toEqual(read)
    const counts = { rows: 3, created: 3, changed: 0, unchanged: 0, refusedTotal: 0 }
    expect(await bring(account, feed, { isDryRun: true })).toMatchObject(counts)
    expect(await bring(account, feed)).toMatchObject(counts)
    const expected = EXPECTED.map(([sku, cost, ...rest]) => [sku, Number(cost), ...rest])
    expect(await stored(account)).toEqual(expected)
    const before = await everything(account)
    expect(await bring(account, feed)).toMatchObject({ ...counts, created: 0, unchanged: 3 })
    expect(await everything(account)).toBe(before)
    // every format gives the same offers: a file in another format changes nothing that a store reads
    const other = feed === first ? (WHOLE[10] as Feed) : first
    expect(await bring(account, other, { isDryRun: true })).toMatchObject({ created: 0, zeroed: 0, refusedTotal: 0 })
    await bring(account, other)
    expect(await stored(account)).toEqual(expected)
  })
})

describe('a broken file', () => {
  it.each(BROKEN)(
    '$name changes nothing, and the report says what to do',
    async (feed) => {
      const account = await createAccount(bench)
      await bring(account, first)
      const before = await everything(account)
      for (const options of [{}, { isDryRun: true }, { mode: 'delta' as const }]) {
        // a delta may be empty
        if (feed.code === 'import-refused' && 'mode' in options) continue
        const error: unknown = await bring(account, feed, options).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        expect(error).toBeInstanceOf(ShelfwireError)
        expect(error).toMatchObject({
          code: feed.code ?? 'source-unreadable',
          message: expect.stringMatching(feed.says),
        })
        expect(await everything(account)).toBe(before)
      }
    },
    180_000,
  )
})

it('rows that cannot be used are reported one by one, and once they are confirmed the others are imported', async () => {
  const account = await createAccount(bench)
  await bring(account, first)
  await expect(bring(account, PARTLY)).rejects.toThrow('3 of 5 rows cannot be read')
  const report = await bring(account, PARTLY, { isConfirmed: true })
  expect(report).toMatchObject({ rows: 5, created: 1, changed: 1, zeroed: 0, stale: 2, refusedTotal: 3 })
  expect(
    report.refused.map(({ line, sku, faults }) => [line, sku, faults.map(({ name, reason }) => `${name} ${reason}`)]),
  ).toEqual([
    [3, 'A-1', [expect.stringMatching(/^sku "A-1" is a duplicate of line 2, which is used$/)]],
    [4, 'A-2', [expect.stringMatching(/^cost must be a decimal .*not "neun Euro"/)]],
    [5, 'A-3', [expect.stringMatching(/^quantity must be a quantity.*"vielleicht"/)]],
  ])
  expect((await stored(account)).map(([sku, cost, quantity]) => [sku, cost, quantity])).toEqual([
    ['A-1', 1, 1],
    ['A-2', 12.5, 0],
    ['A-3', 0.99, 12],
    ['A-4', 4, 10],
  ])
})

it('two suppliers may write numbers in two styles', async () => {
  const account = await createAccount(bench)
  const csv = (name: string, cost: string, decimal: string): Feed => {
    const feed = {
      name,
      bytes: () => Buffer.from(`sku;cost\nX;${cost}\n`),
      mapping: { decimal, fields: { sku: 'sku', cost: 'cost' } },
    }
    served.push(feed)
    return feed
  }
  const [, second] = account.suppliers
  if (second === undefined) throw new Error('no second supplier')
  await bring(account, csv('point', '1,234.567', '.'))
  await bring(account, csv('comma', '1.234,567', ','), { supplier: second })
  const costs = await database.db<{ cost: string }[]>`
    select cost::float8::text as cost from offer where account_id = ${account.accountId}`
  expect(costs.map(({ cost }) => cost)).toEqual(['1234.567', '1234.567'])
})
