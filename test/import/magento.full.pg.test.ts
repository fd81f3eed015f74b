import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { createStore } from '../../src/catalog/settings/stores/stores.ts'
import { createSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { runImport, type ImportMode, type ImportReport } from '../../src/imports/run.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { openAccount } from '../../src/shelf/account.ts'
import { openLookup } from '../../src/shelf/reads/payload-lookup.ts'
import { pageAfter } from '../../src/shelf/reads/payload-pages.sql.ts'
import { presetMapping } from '../../src/supplier-files/presets/preset-mapping.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'

import { worldOfFile } from '../harness/world.ts'

// A real product export of a third party, described in its README. It is not part of this repository.
const FILE = fileURLToPath(new URL('../../../shared/data/magento-products.csv', import.meta.url))
const isThere = existsSync(FILE)
if (!isThere) process.stdout.write(`magento.pg.test.ts: skipped, ${FILE} is not here\n`)

const MEDIA = 'https://shop.example/media/catalog/product'
const MAPPING = presetMapping('magento2', { imageBaseUrl: `${MEDIA}/` })

type Row = Record<string, string>

/** The export, parsed by csv-parse instead of our own code. */
const text = isThere ? readFileSync(FILE, 'utf8') : 'sku'
const columns = parse(text, { to: 1 })[0] ?? []
const original: Row[] = parse(text, { columns: true })

/** Writes rows as a CSV of the same columns, every cell quoted. */
function toCsv(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
  return line(columns) + rows.map((row) => line(columns.map((name) => row[name] ?? ''))).join('')
}

interface PriceEntry {
  customer_group: string
  base_cost: number
  computed_price: number
  currency: string
  applied_rule_id: number
}
interface Product {
  id: number
  sku: string
  title: string
  description: string | null
  images: string[]
  stock: number
  excluded: boolean
  attributes: { key: string; label: string; value: string }[]
  prices: PriceEntry[]
}

const { database, bench } = worldOfFile()
let accountId: number
/** The ids of three stores: en/EUR, de/EUR, pl/PLN. */
let stores: number[]
let supplier: { supplierId: number; currency: string }
let rules: { retail: number; wholesale: number; polish: number }

beforeAll(async () => {
  await inTransaction(database.db, async (tx) => {
    const store = { slug: 'en', name: 'English', locale: 'en', currency: 'EUR' }
    const opened = await openAccount(tx, {
      name: 'Magento',
      currency: 'EUR',
      locale: 'en',
      store,
      markupPercent: '37.5',
    })
    accountId = opened.accountId
    const german = (await createStore(tx, accountId, { slug: 'de', name: 'Deutsch', locale: 'de', currency: 'EUR' }))
      .value
    const polish = (await createStore(tx, accountId, { slug: 'pl', name: 'Polski', locale: 'pl', currency: 'PLN' }))
      .value
    stores = [opened.storeId, german, polish]
    await setRates(tx, accountId, [
      { currency: 'PLN', rate: '4.2875' },
      { currency: 'USD', rate: '1.0832' },
    ])
    const groupId = (await createGroup(tx, accountId, 'Wholesale')).value
    const wholesale = (
      await createRule(tx, accountId, {
        name: 'Wholesale',
        percent: '12.25',
        groupIds: [groupId],
        priority: 10,
      })
    ).value
    const polishRule = (
      await createRule(tx, accountId, {
        name: 'Poland',
        percent: '-3.3333',
        storeIds: [polish],
        priority: 20,
      })
    ).value
    const [row] = await tx<
      { id: number }[]
    >`select rule_id as id from pricing_rule where account_id = ${accountId} and is_default`
    rules = { retail: row!.id, wholesale, polish: polishRule }
    supplier = {
      supplierId: (await createSupplier(tx, accountId, { code: 'magento', name: 'Magento', currency: 'USD' })).value,
      currency: 'USD',
    }
  })
  await bench.shelf.drain(accountId)
})

async function* chunks(content: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

async function bring(content: string, mode: ImportMode): Promise<ImportReport> {
  const report = await runImport(
    database.db,
    bench.wake,
    { accountId, supplier, mode },
    readOfferPages(chunks(content), MAPPING),
  )
  await bench.shelf.drain(accountId)
  return report
}

/** Every product of a store by sku, read page by page the way the API does. */
async function shelf(storeId: number): Promise<Map<string, Product>> {
  const products: Product[] = []
  for (let after: number | null = 0; after !== null;) {
    const page = await pageAfter(database.db, accountId, storeId, { shape: 'products', seesCosts: true }, after, 200)
    products.push(...page.members.map((member) => JSON.parse(member) as Product))
    after = page.nextAfterId
  }
  return new Map(products.map((product) => [product.sku, product]))
}

/** price / USD rate × rate × (100 + percent) %, rounded half up to cents, in integer arithmetic. */
function expected(price: string, rate: bigint, percent: bigint): number {
  const [whole = '', fraction = ''] = price.split('.')
  const cents = BigInt(whole + fraction.padEnd(2, '0'))
  // rates in ten-thousandths (1 USD = 1 / 1.0832 EUR), the percentage in ten-thousandths of a percent
  const numerator = cents * rate * (1_000_000n + percent)
  const denominator = 10_832n * 1_000_000n
  return Number((2n * numerator + denominator) / (2n * denominator)) / 100
}
const RATES = [10_000n, 10_000n, 42_875n]

function expectPrices(product: Product | undefined, price: string, store: number): void {
  const rate = RATES[store]!
  const retail = store === 2 ? { percent: -33_333n, rule: rules.polish } : { percent: 375_000n, rule: rules.retail }
  const base = { base_cost: expected(price, rate, 0n), currency: store === 2 ? 'PLN' : 'EUR' }
  expect(product?.prices).toMatchObject([
    {
      customer_group: 'Retail',
      ...base,
      computed_price: expected(price, rate, retail.percent),
      applied_rule_id: retail.rule,
    },
    {
      customer_group: 'Wholesale',
      ...base,
      computed_price: expected(price, rate, 122_500n),
      applied_rule_id: rules.wholesale,
    },
  ])
}

/** xmin identifies the transaction that wrote a row version: equal lists mean that no row was written. */
async function versions(): Promise<string[]> {
  const rows = await database.db<{ version: string }[]>`
    select 'offer ' || supplier_sku || ' ' || xmin as version from offer where account_id = ${accountId}
    union all select 'content ' || supplier_sku || ' ' || xmin from offer_content where account_id = ${accountId}
    union all select 'payload c ' || store_id || ' ' || product_id || ' ' || xmin from payload_content where account_id = ${accountId}
    union all select 'payload p ' || store_id || ' ' || product_id || ' ' || xmin from payload_price where account_id = ${accountId}
    union all select 'change ' || store_id || ' ' || product_id || ' ' || xmin from change where account_id = ${accountId}
    union all select 'counter ' || last_id || ' ' || xmin from change_counter where account_id = ${accountId}
    union all select 'block ' || store_id || ' ' || block || ' ' || xmin from payload_block where account_id = ${accountId}
    order by 1`
  return rows.map((row) => row.version)
}

/** `sku store kinds` of everything numbered after `head`. */
async function changesAfter(head: number): Promise<string[]> {
  const rows = await database.db<
    { sku: string; storeId: number; price: boolean; content: boolean; removed: boolean }[]
  >`
    select p.sku, c.store_id as "storeId", coalesce(price_id, 0) > ${head} as price, coalesce(content_id, 0) > ${head} as content,
      removed_id is not null as removed
    from change c join product p on p.account_id = c.account_id and p.product_id = c.product_id
    where c.account_id = ${accountId} and c.change_id > ${head}`
  return rows
    .map(
      (row) =>
        `${row.sku} ${stores.indexOf(row.storeId)} ${[row.price && 'price', row.content && 'content', row.removed && 'removed'].filter(Boolean).join('+')}`,
    )
    .sort()
}
const inEveryStore = (kinds: Record<string, string>) =>
  Object.entries(kinds)
    .flatMap(([sku, kind]) => [0, 1, 2].map((store) => `${sku} ${store} ${kind}`))
    .sort()
const head = async () => (await counterGet(database.db, accountId))!.lastId
const fault = (report: ImportReport) => report.refused.map((row) => `${row.line} ${row.faults[0]?.reason}`)

/** The rows with 20 of them edited, and the changes to expect; `round` makes the values differ between rounds. */
function edited(round: number): { rows: Row[]; kinds: Record<string, string>; touched: Row[] } {
  const rows = original.map((row) => ({ ...row }))
  const kinds: Record<string, string> = {}
  const touched = rows
    .filter((row) => row['qty'] === '100')
    .filter((_, i) => i % 90 === round)
    .slice(0, 20)
  touched.forEach((row, i) => {
    const sku = row['sku']!
    const what = ['price', 'quantity', 'title', 'both', 'blanks'][i % 5]
    if (what === 'price' || what === 'both') row['price'] = `${Number(row['price']) + 1}.10`
    if (what === 'quantity') row['qty'] = String(7 + i)
    if (what === 'title' || what === 'both') row['name'] = `${row['name']} (${i}, «${round}»)`
    if (what === 'blanks')
      Object.assign(row, {
        name: `  ${row['name']}\t`,
        price: ` ${row['price']}`,
        qty: `${row['qty']} `,
        description: `\n${row['description']} `,
      })
    if (what !== 'blanks') kinds[sku] = what === 'title' ? 'content' : what === 'both' ? 'price+content' : 'price'
  })
  return { rows, kinds, touched }
}

describe.skipIf(!isThere)('a Magento 2 export of 1,994 products', { timeout: 180_000 }, () => {
  it('is imported completely, and each store shows every product as in the file', async () => {
    expect(original).toHaveLength(1_994)
    const report = await bring(text, 'full')
    expect(fault(report)).toEqual([])
    expect(report).toMatchObject({
      rows: 1_994,
      created: 1_994,
      changed: 0,
      unchanged: 0,
      zeroed: 0,
      skipped: 0,
      refusedTotal: 0,
      products: 1_994,
    })
    const lookup = openLookup(database.db)
    for (const [i, storeId] of stores.entries()) {
      const products = await shelf(storeId)
      expect(products.size).toBe(1_994)
      for (const row of original) {
        const product = products.get(row['sku']!)!
        expect(product).toMatchObject({ title: row['name']!.trim(), stock: Number(row['qty']), excluded: false })
        // not trimmed here, because the export has no white space around descriptions
        expect(product.description).toBe(row['description'])
        expectPrices(product, row['price']!, i)
      }
      const some = products.get('MH01-XS-Gray')!
      const alone = await lookup.payload(accountId, storeId, some.id)
      expect(JSON.parse(`{${alone?.content},${alone?.price}}`)).toEqual(some)
    }
  })

  it('has its packed attributes unpacked and its images absolute and in order', async () => {
    const products = await shelf(stores[0]!)
    for (const row of original) {
      const wanted = new Map(row['weight'] === '' ? [] : [['weight', row['weight']!]])
      for (const pair of row['additional_attributes']!.split(',')) {
        const [key = '', value = ''] = pair.split('=')
        if (key !== 'has_options' && key !== 'required_options') wanted.set(key, value)
      }
      const product = products.get(row['sku']!)!
      expect(Object.fromEntries(product.attributes.map(({ key, value }) => [key, value]))).toEqual(
        Object.fromEntries(wanted),
      )
      const paths = [row['base_image']!, ...row['additional_images']!.split(',')]
        .map((path) => path.trim())
        .filter((path) => path !== '')
      expect(product.images).toEqual([...new Set(paths)].map((path) => MEDIA + path))
    }
    expect(products.get('MH01-XS-Black')!.attributes).toEqual([
      { key: 'color', label: 'color', value: 'Black' },
      { key: 'size', label: 'size', value: 'XS' },
      { key: 'weight', label: 'weight', value: '1' },
    ])
    expect(products.get('MH01-XS-Gray')!.images).toEqual(
      ['gray_main', 'gray_alt1', 'gray_back'].map((name) => `${MEDIA}/m/h/mh01-${name}.jpg`),
    )
  })

  it('imported again writes no row version and uses no change number, in either mode', async () => {
    const before = await versions()
    expect(before.length).toBeGreaterThan(1_994 * (2 + 3 * 3))
    expect(await bring(text, 'full')).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 1_994,
      zeroed: 0,
      products: 0,
    })
    expect(await bring(toCsv(original.toReversed()), 'delta')).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 1_994,
      zeroed: 0,
      products: 0,
    })
    expect(await versions()).toEqual(before)
  })

  it('with 20 rows edited and 3 removed makes exactly the expected changes in full mode', async () => {
    const { rows, kinds, touched } = edited(0)
    expect(touched).toHaveLength(20)
    // two products that were in stock, and one that was not, whose payload does not change
    const spare = rows.filter((row) => !touched.includes(row))
    const gone = [
      ...spare.filter((row) => row['qty'] === '100').slice(-2),
      spare.find((row) => row['qty'] === '0')!,
    ].map((row) => row['sku']!)
    const before = await head()
    const report = await bring(toCsv(rows.filter((row) => !gone.includes(row['sku']!))), 'full')
    expect(report).toMatchObject({ rows: 1_991, created: 0, changed: 16, unchanged: 1_975, zeroed: 3, refusedTotal: 0 })
    expect(await changesAfter(before)).toEqual(inEveryStore({ ...kinds, [gone[0]!]: 'price', [gone[1]!]: 'price' }))
    // 4 × price, quantity and title, 4 × both as two numbers, 2 gone, in three stores
    expect((await head()) - before).toBe((4 + 4 + 4 + 8 + 2) * 3)
    for (const [i, storeId] of stores.entries()) {
      const products = await shelf(storeId)
      expect(products.size).toBe(1_994)
      for (const row of touched) {
        expect(products.get(row['sku']!)).toMatchObject({ title: row['name']!.trim(), stock: Number(row['qty']) })
        expectPrices(products.get(row['sku']!), row['price']!.trim(), i)
      }
      expect(gone.map((sku) => products.get(sku)?.stock)).toEqual([0, 0, 0])
    }
  })

  it('with only the edited rows makes exactly the expected changes in delta mode', async () => {
    // first back to the original: the edited rows and the two that were in stock; the third comes back with 0, as before
    expect(await bring(text, 'full')).toMatchObject({ changed: 18, unchanged: 1_976, zeroed: 0 })
    const { rows, kinds, touched } = edited(1)
    const before = await head()
    const report = await bring(toCsv(rows.filter((row) => touched.includes(row))), 'delta')
    expect(report).toMatchObject({
      rows: 20,
      created: 0,
      changed: 16,
      unchanged: 4,
      zeroed: 0,
      refusedTotal: 0,
      products: 16,
    })
    expect(await changesAfter(before)).toEqual(inEveryStore(kinds))
    expect((await head()) - before).toBe((4 + 4 + 4 + 8) * 3)
    const products = await shelf(stores[0]!)
    const editedSkus = new Set(touched.map((row) => row['sku']))
    for (const row of original)
      if (!editedSkus.has(row['sku'])) expect(products.get(row['sku']!)?.stock).toBe(Number(row['qty']))
  })

  it('leaves payloads that the audit confirms', async () => {
    expect(await auditAccount(database.db, accountId)).toMatchObject({
      products: 1_994,
      payloads: 5_982,
      isStale: false,
      differencesTotal: 0,
    })
  })
})
