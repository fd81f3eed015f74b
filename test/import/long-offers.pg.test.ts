import { clearImmediate, setImmediate } from 'node:timers'
import { afterEach, expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { runImport } from '../../src/imports/run.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { writeOfferRows } from '../../src/operations/bulk/offers.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { comparedOf } from '../../src/supplier-files/offer-facts.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import type { ReadRow } from '../../src/supplier-files/reading.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Long offers, and small files that would make long offers.

const { database, bench } = worldOfFile()
const usual = { ...LIMITS }
afterEach(() => {
  Object.assign(LIMITS, usual)
  database.db.onStatement = null
})

const FIELDS = { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'title', description: 'description' }

async function bring(account: TestAccount, content: string, mapping: object = {}) {
  const bytes = (async function* () {
    yield Buffer.from(content)
  })()
  const pages = readOfferPages(bytes, parseMapping({ locale: 'en', fields: FIELDS, ...mapping }))
  const request = { accountId: account.accountId, supplier: account.suppliers[0]!, mode: 'delta' as const }
  return runImport(database.db, bench.wake, request, pages)
}

const stored = async ({ accountId }: TestAccount) =>
  await database.db<{ sku: string; cost: string; texts: Record<string, { title?: string }> }[]>`
    select o.supplier_sku as sku, o.cost::float8::text as cost, c.texts from offer o join offer_content c using (account_id, product_id, supplier_id, supplier_sku)
    where account_id = ${accountId} order by 1`

const give = ({ accountId, suppliers }: TestAccount, records: readonly OfferRecord[]) =>
  inTransaction(database.db, (tx) => writeOffers(tx, accountId, suppliers[0]!, records))

const bulk = async ({ accountId }: TestAccount, rows: object[]) =>
  (
    await inTransaction(database.db, (tx) =>
      writeOfferRows(
        tx,
        accountId,
        rows.map((row) => ({ supplier: 'north', ...row })),
      ),
    )
  ).value

test('of a row whose offer is too long the content is left out and named, and what was known stays', async () => {
  Object.assign(LIMITS, { offerCharactersMax: 5_000 })
  const account = await createAccount(bench, 'long rows')
  const header = 'sku,cost,qty,title,description\n'
  await bring(account, `${header}A,1,5,Spade,Of steel\n`)
  const report = await bring(account, `${header}A,2,6,Rake,${'x'.repeat(6_000)}\nB,3,7,Hoe,${'y'.repeat(4_900)}\n`)
  expect(report).toMatchObject({ created: 1, changed: 1, refusedTotal: 0 })
  expect(report.dropped).toEqual([
    expect.objectContaining({
      field: 'row',
      reason:
        'has 6,004 characters of texts, attributes and addresses of pictures, and at most 5,000 are taken: shorten them',
    }),
  ])
  expect(await stored(account)).toMatchObject([
    { sku: 'A', cost: '2', texts: { en: { title: 'Spade' } } },
    { sku: 'B', cost: '3', texts: { en: { title: 'Hoe' } } },
  ])
})

test('a bulk row and a single write of an offer that is too long, or would be with what is known, are refused as a whole', async () => {
  Object.assign(LIMITS, { offerCharactersMax: 5_000 })
  const account = await createAccount(bench, 'long bulks')
  const [whole, good] = await bulk(account, [
    {
      sku: 'A',
      cost: '1',
      attributes: Array.from({ length: 3 }, (_, i) => ({ key: `k${i}`, value: 'x'.repeat(2_000) })),
    },
    { sku: 'B', cost: '1', texts: { en: { title: 'Spade', description: 'y'.repeat(3_000) } } },
  ])
  expect(whole).toMatchObject({ status: 'failed', faults: [{ name: 'row' }] })
  expect(good).toMatchObject({ status: 'created' })
  const [grown] = await bulk(account, [{ sku: 'B', cost: '9', texts: { de: { description: 'z'.repeat(3_000) } } }])
  expect(grown).toMatchObject({
    status: 'failed',
    faults: [{ name: 'row', reason: expect.stringMatching(/^has 6,005 characters/) }],
  })
  expect(await stored(account)).toMatchObject([{ sku: 'B', cost: '1', texts: { en: { title: 'Spade' } } }])
  // an offer that already exceeds a new limit may be shortened, and its price may change
  Object.assign(LIMITS, { offerCharactersMax: 1_000 })
  const [shorter] = await bulk(account, [{ sku: 'B', cost: '8', texts: { en: { description: 'y'.repeat(990) } } }])
  expect(shorter).toMatchObject({ status: 'changed' })
  // an import writes the other fields of such an offer
  await give(account, [{ sku: 'B', cost: '7', texts: { de: { description: 'z'.repeat(990) } } }])
  expect(await stored(account)).toMatchObject([{ cost: '7', texts: { en: { title: 'Spade' } } }])
  expect(Object.keys((await stored(account))[0]?.texts ?? {})).toEqual(['en'])
})

test('what is known of the offers of a page and of a bulk is held a part at a time', async () => {
  const account = await createAccount(bench, 'known')
  const skus = Array.from({ length: 6 }, (_, i) => `K${i}`)
  await give(
    account,
    skus.map((sku) => ({ sku, cost: '1', texts: { en: { title: sku, description: 'x'.repeat(2_000) } } })),
  )
  Object.assign(LIMITS, { importPageCharacters: 5_000, shelveHeavyCharacters: 1_000 })
  const read: number[] = []
  database.db.onStatement = (text, values) => {
    if (/variant_group as "group"\s+from\s+unnest/.test(text))
      read.push(String(values.find((value) => String(value).includes('K'))).split(',').length)
  }
  const rows = skus.map((sku) => `${sku},2,1,New ${sku}\n`).join('')
  const { description: _left, ...fields } = FIELDS
  expect(await bring(account, `sku,cost,qty,title\n${rows}`, { fields })).toMatchObject({ changed: 6 })
  expect(read).toEqual([2, 2, 2])
  read.length = 0
  const results = await bulk(
    account,
    skus.map((sku) => ({ sku, cost: '3', texts: { en: { title: `Newer ${sku}` } } })),
  )
  expect(results.map(({ status }) => status)).toEqual(skus.map(() => 'changed'))
  expect(read).toEqual([2, 2, 2])
  expect(await stored(account)).toMatchObject(
    skus.map((sku) => ({ sku, cost: '3', texts: { en: { title: `Newer ${sku}`, description: 'x'.repeat(2_000) } } })),
  )
})

test('a file is refused whose mapping makes far more of it than it has, at the line', async () => {
  Object.assign(LIMITS, { importSpoolTimes: 2, importSpoolFreeBytes: 20_000, importPageRows: 10 })
  const account = await createAccount(bench, 'many times')
  const content = `sku,cost,qty,d\n${Array.from({ length: 100 }, (_, i) => `S${i},1,1,${'x'.repeat(100)}\n`).join('')}`
  const { title: _title, description: _description, ...fields } = FIELDS
  const once = { fields: { ...fields, description: 'd' } }
  expect(await bring(account, content, once)).toMatchObject({ created: 100 })
  const attributes = Array.from({ length: 40 }, (_, i) => ({ key: `k${i}`, column: 'd' }))
  await expect(
    bring(account, content.replaceAll('S', 'T'), { fields: { ...fields, attributes } }),
  ).rejects.toMatchObject({
    code: 'source-unreadable',
    message: expect.stringMatching(/^line \d+: the offers up to here take/),
  })
  expect(await stored(account)).toHaveLength(100)
})

test('of a row with many faults the first are named, and how many others there are', async () => {
  const mapping = parseMapping({
    locale: 'en',
    fields: {
      sku: 'sku',
      attributes: Array.from({ length: 90 }, (_, i) => ({ key: `k${i}`, column: 'd', number: true })),
    },
  })
  const bytes = (async function* () {
    yield Buffer.from('sku,d\nA,x\n')
  })()
  const rows: ReadRow[] = []
  for await (const page of readOfferPages(bytes, mapping)) rows.push(...page)
  const [row] = rows
  const dropped = row !== undefined && 'dropped' in row ? (row.dropped ?? []) : []
  expect(dropped).toHaveLength(LIMITS.importRowFaultsMax + 1)
  expect(dropped.at(-1)).toEqual({ name: 'row', reason: 'has 70 further faults' })
})

test('a page of rows with many faults leaves turns to others', async () => {
  const account = await createAccount(bench, 'faults')
  const { suppliers, accountId } = account
  let turns = 0
  let next = setImmediate(function tick() {
    turns++
    next = setImmediate(tick)
  })
  const at: number[] = []
  const faults = Array.from({ length: 20 }, (_, i) => ({
    name: `attributes.${i}`,
    reason: `must be a number, not "v ${i}"`,
  }))
  const rows = Array.from({ length: 1_000 }, (_, i) =>
    Object.defineProperty(comparedOf({ line: i + 2, offer: { sku: `F${i}`, quantity: 1 } }), 'dropped', {
      get() {
        at[i] = turns
        return faults
      },
    }),
  )
  const pages = (async function* () {
    yield rows
  })()
  try {
    const report = await runImport(
      database.db,
      bench.wake,
      { accountId, supplier: suppliers[0]!, mode: 'delta', isConfirmed: true },
      pages,
    )
    expect(report.created).toBe(1_000)
  } finally {
    clearImmediate(next)
  }
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThan(0)
})
