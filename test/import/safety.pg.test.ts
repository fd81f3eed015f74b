import { describe, expect, it } from 'vitest'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { runImport, type ImportReport, type ImportRequest } from '../../src/imports/run.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import { createAccount, type TestAccount, expectAudited } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'
import { refusalText } from '../harness/refusal.ts'

const { database, bench } = worldOfFile()

/** The mapping's columns by field; only those that a file's header has are mapped. */
const COLUMNS = {
  sku: 'sku',
  cost: 'cost',
  currency: 'currency',
  quantity: 'qty',
  title: 'title',
  description: 'text',
  ean: 'ean',
  manufacturer: 'brand',
}

async function* chunks(content: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}

function pages(content: string) {
  const header = content.slice(0, content.indexOf('\n')).split(',')
  const fields = Object.fromEntries(Object.entries(COLUMNS).filter(([, column]) => header.includes(column)))
  return readOfferPages(chunks(content), parseMapping({ format: 'csv', locale: 'en', fields }))
}

type Options = Partial<Pick<ImportRequest, 'mode' | 'isDryRun' | 'isConfirmed'>> & { from?: 0 | 1 }

async function bring(
  account: TestAccount,
  content: string,
  { from = 0, ...options }: Options = {},
): Promise<ImportReport> {
  const request = {
    accountId: account.accountId,
    supplier: account.suppliers[from]!,
    mode: 'full' as const,
    ...options,
  }
  const report = await runImport(database.db, bench.wake, request, pages(content))
  await bench.shelf.drain(account.accountId)
  return report
}

/** The quantities by SKU; absent offers are marked. */
async function quantities(account: TestAccount): Promise<string> {
  const rows = await database.db<{ text: string }[]>`
    select supplier_sku || '=' || quantity || case when absent_since is null then '' else ' absent' end as text
    from offer where account_id = ${account.accountId} order by supplier_sku`
  return rows.map((row) => row.text).join(', ')
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
    'change_counter',
    'product_id_block',
  ]
  const rows = await Promise.all(
    tables.map(
      (table) => database.db<{ text: string | null }[]>`
      select string_agg(t::text || xmin, e'\n' order by t::text) as text from ${database.db(table)} t where account_id = ${account.accountId}`,
    ),
  )
  return rows.map(([row], i) => `${tables[i]}:${row?.text}`).join('\n')
}

/** The payload in the first store of the product with this offer of the first supplier. */
async function shown(account: TestAccount, sku: string): Promise<Record<string, unknown>> {
  const [row] = await database.db<{ body: string }[]>`
    select '{' || c.body || ',' || p.body || '}' as body
    from offer o join payload_content c using (account_id, product_id) join payload_price p using (account_id, store_id, product_id)
    where account_id = ${account.accountId} and supplier_id = ${account.suppliers[0]!.supplierId} and supplier_sku = ${sku} and store_id = ${account.storeIds[0]}`
  return JSON.parse(row!.body) as Record<string, unknown>
}

const rows = (count: number, row: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${row(i)}\n`).join('')
const BASIC = 'sku,cost,qty,title\n'
const article = (sku: string, qty = 5) => `${sku},10,${qty},Article ${sku}`
/** An account whose first supplier has `count` articles in stock: S0, S1 … */
async function stocked(count: number): Promise<TestAccount> {
  const account = await createAccount(bench)
  expect(await bring(account, BASIC + rows(count, (i) => article(`S${i}`)))).toMatchObject({
    created: count,
    refusedTotal: 0,
  })
  return account
}

describe('a full file that is most likely wrong', () => {
  it.each([
    ['that is empty', BASIC, /without a valid offer.*Confirm it/],
    [
      'with only faulty rows',
      `${BASIC}S0,ten,5,x\nS1,1,some,x\n`,
      /the first of 2 refused rows: line 2, cost must be a decimal such as "12.50", not "ten"/,
    ],
    ['that zeroes more than half', BASIC + article('S0') + '\n', /would set 3 of 4 offers in stock to 0/],
  ])('%s is refused and writes nothing, and is imported once confirmed', async (_name, content, message) => {
    const account = await stocked(4)
    const before = await everything(account)
    expect(await refusalText(bring(account, content))).toMatch(/^import-refused: /)
    expect(await refusalText(bring(account, content))).toMatch(message)
    expect(await refusalText(bring(account, content, { isDryRun: true }))).toMatch(message)
    expect(await everything(account)).toBe(before)
    await bring(account, content, { isConfirmed: true })
    expect(await everything(account)).not.toBe(before)
  })

  it('that is empty and confirmed sets all offers to 0; a delta file may be empty', async () => {
    const account = await stocked(3)
    expect(await bring(account, BASIC, { mode: 'delta' })).toMatchObject({ rows: 0, zeroed: 0 })
    expect(await quantities(account)).toBe('S0=5, S1=5, S2=5')
    expect(await bring(account, BASIC, { isConfirmed: true })).toMatchObject({ rows: 0, zeroed: 3 })
    expect(await quantities(account)).toBe('S0=0 absent, S1=0 absent, S2=0 absent')
  })

  it('is accepted when it sets exactly half of the offers to 0; offers out of stock do not count', async () => {
    const account = await stocked(4)
    expect(await bring(account, `${BASIC}${article('S0')}\n${article('S1')}\n`)).toMatchObject({
      zeroed: 2,
      unchanged: 2,
    })
    // two offers are left in stock: one may go to 0, both may not
    expect(await refusalText(bring(account, `${BASIC}${article('S2', 0)}\n`))).toMatch(/2 of 2 offers in stock/)
    expect(await bring(account, `${BASIC}${article('S0')}\n`)).toMatchObject({ zeroed: 1, unchanged: 1 })
  })

  it('is also one whose quantities are all 0', async () => {
    const account = await stocked(4)
    const before = await everything(account)
    const empty = `${BASIC}${[0, 1, 2, 3].map((i) => article(`S${i}`, 0)).join('\n')}\n`
    expect(await refusalText(bring(account, empty))).toMatch(/^import-refused: .*4 of 4 offers in stock/)
    expect(await everything(account)).toBe(before)
    expect(await bring(account, empty, { mode: 'delta' })).toMatchObject({ changed: 4 })
  })

  it.each([
    ['', '3 of 4 offers without a cost, more than half'],
    ['0', 'cost of 3 of 4 offers to 0, more than 5 %'],
  ])('is one whose costs are all %j, in a delta file too', async (cost, message) => {
    const account = await stocked(4)
    const before = await everything(account)
    const content = `${BASIC}S0,${cost},5,x\nS1,${cost},5,x\nS2,${cost},5,x\nS3,10,5,x\n`
    for (const mode of ['full', 'delta'] as const)
      expect(await refusalText(bring(account, content, { mode }))).toMatch(message)
    expect(await everything(account)).toBe(before)
    expect(await bring(account, content, { isConfirmed: true })).toMatchObject({ changed: 4 })
    // these offers have no cost any more, so no cost is lost
    expect(await bring(account, `${BASIC}S0,,6,x\nS1,,5,x\nS2,,5,x\nS3,10,5,x\n`)).toMatchObject({ refusedTotal: 0 })
  })

  it('that is truncated after 3,000 valid rows writes nothing at all', async () => {
    const account = await stocked(2)
    const before = await everything(account)
    const cut = BASIC + rows(3_000, (i) => article(`N${i}`)) + 'S0,10,5,"cut off in the mid'
    for (const mode of ['full', 'delta'] as const)
      expect(await refusalText(bring(account, cut, { mode }))).toMatch(/^source-unreadable: .*3002/)
    expect(await everything(account)).toBe(before)
  })
})

describe('a text', () => {
  it('with line and paragraph separators, which JSON does not escape, is imported unchanged on any page', async () => {
    const account = await stocked(1)
    const content = BASIC + rows(1_500, (i) => article(`U${i}`)) + 'LS,10,5,before\u2028between\u2029after\n'
    expect(await bring(account, content, { mode: 'delta' })).toMatchObject({ created: 1_501, refusedTotal: 0 })
    const [row] = await database.db<{ title: string }[]>`
      select texts -> 'en' ->> 'title' as title from offer_content
      where account_id = ${account.accountId} and supplier_sku = 'LS'`
    expect(row?.title).toBe('before\u2028between\u2029after')
  })

  it('of a refused row does not prevent a later valid row with the same key', async () => {
    const account = await stocked(1)
    const report = await bring(account, `${BASIC}S0,ten,5,x\nS0,11,5,y\n`)
    expect(report).toMatchObject({ refusedTotal: 1, changed: 1, zeroed: 0 })
  })
})

describe('a dry run', () => {
  it('reports the same as the import and writes nothing', async () => {
    const account = await stocked(6)
    const before = await everything(account)
    const content = `${BASIC}${article('S0')}\n${article('S1', 9)}\nS2,no,1,x\n${article('NEW')}\n${article('S3')}\n,1,1,x\n${article('S0')}\n${rows(6, (i) => article(`N${i}`))}`
    const dry = await bring(account, content, { isDryRun: true })
    expect(await everything(account)).toBe(before)
    const real = await bring(account, content)
    expect(dry).toEqual({ ...real, isDryRun: true, products: 0 })
    expect(real).toMatchObject({
      rows: 13,
      created: 7,
      changed: 1,
      unchanged: 2,
      // S2 is refused, and the row without a key could be S4 or S5, so none is set to 0
      zeroed: 0,
      stale: 3,
      staleSkus: ['S2', 'S4', 'S5'],
      refusedTotal: 3,
      products: 8,
    })
  })

  it('counts as unchanged what the import would find unchanged, such as a path that no row has', async () => {
    const account = await createAccount(bench)
    const read = (fields: object, warnings: string[]) =>
      readOfferPages(
        chunks('[{"sku":"A","qty":1},{"sku":"B","qty":1}]'),
        parseMapping({ fields: { sku: 'sku', quantity: 'qty', ...fields } }),
        undefined,
        (warning) => warnings.push(warning),
      )
    const request = { accountId: account.accountId, supplier: account.suppliers[0]!, mode: 'full' as const }
    await runImport(database.db, bench.wake, request, read({}, []))
    const before = await everything(account)
    const typo = { category: { first: ['groop', { constant: '' }] } }
    const warnings: string[] = []
    const dry = await runImport(database.db, bench.wake, { ...request, isDryRun: true }, read(typo, []))
    expect(await everything(account)).toBe(before)
    expect(dry).toMatchObject({ changed: 0, unchanged: 2 })
    expect(await runImport(database.db, bench.wake, request, read({ category: 'groop' }, warnings))).toMatchObject({
      changed: 0,
      unchanged: 2,
    })
    expect(warnings).toEqual(['no row has "groop", which the mapping names: check the spelling'])
  })
})

describe('refused rows', () => {
  it('are counted and listed with their line and all reasons, and the others are imported', async () => {
    const account = await createAccount(bench)
    const content = `${BASIC}A,10,5,"two\nlines"\nB,ten,many,x\n,10,5,x\nC,10,5,x\nD,10,5,x,surplus\n${rows(7, (i) => article(`F${i}`, 0))}`
    const report = await bring(account, content)
    expect(report).toMatchObject({ rows: 12, created: 9, refusedTotal: 3 })
    expect(report.refused.map((row) => [row.line, row.sku, row.faults.map((fault) => fault.name).join('+')])).toEqual([
      [4, 'B', 'cost+quantity'],
      [5, null, 'sku'],
      [7, null, 'row'],
    ])
    expect(report.refused[0]?.faults[0]?.reason).toContain('"ten"')
    expect(await quantities(account)).toMatch(/^A=5, C=5, F0=0, /)
  })

  it('include repeated skus: the first row counts, within a page, across pages, and for known offers', async () => {
    const account = await stocked(1)
    const content = `${BASIC}S0,10,6,x\nA,10,1,x\nA,10,2,x\n${rows(1_100, (i) => article(`F${i}`))}A,10,3,x\nS0,10,7,x\n`
    const report = await bring(account, content)
    expect(report).toMatchObject({ rows: 1_105, created: 1_101, changed: 1, refusedTotal: 3 })
    expect(report.refused.map((row) => `${row.line} ${row.faults[0]?.reason}`)).toEqual([
      '4 "A" is a duplicate of line 3, which is used',
      '1105 "A" is a duplicate of line 3, which is used',
      '1106 "S0" is a duplicate of an earlier row, which is used',
    ])
    expect(await quantities(account)).toMatch(/^A=1, F0=5.*, S0=6$/)
  })

  it('name the article of a record that lists several', async () => {
    const account = await createAccount(bench)
    const mapping = parseMapping({ each: 'variants', fields: { sku: 'variants.sku', quantity: 'variants.stock' } })
    const records = [
      { variants: [{ sku: 'A', stock: 1 }] },
      { variants: [{ sku: 'B', stock: 1 }, { stock: 2 }, { sku: 'A', stock: 3 }] },
    ]
    const request = { accountId: account.accountId, supplier: account.suppliers[0]!, mode: 'full' as const }
    const report = await runImport(
      database.db,
      bench.wake,
      request,
      readOfferPages(chunks(JSON.stringify(records)), mapping),
    )
    expect(report.refused.map(({ line, faults }) => `${line} ${faults[0]?.reason}`)).toEqual([
      expect.stringMatching(/^2 .*\(article 2 of the record\)$/),
      '2 "A" is a duplicate of line 1, which is used (article 3 of the record)',
    ])
  })

  it('do not set their known offers to 0', async () => {
    const account = await stocked(3)
    expect(await bring(account, `${BASIC}S0,10,5,Article S0\nS1,oops,5,x\n`)).toMatchObject({
      zeroed: 1,
      refusedTotal: 1,
    })
    expect(await quantities(account)).toBe('S0=5, S1=5, S2=0 absent')
  })

  it.each([
    ['a column too many', 'S1,10,5,x,y'],
    ['a column too many before its key', 'x,S1,10,5,x'],
    ['a key that is cut by a separator', 'S1,1,10,5,x'],
    ['a column too few', 'S1,10,5'],
  ])('of %s keep the quantity of the offer that they may be about, and others are set to 0', async (_, row) => {
    const account = await createAccount(bench)
    const sku = row.startsWith('S1,1,') ? '"S1,1"' : 'S1'
    await bring(account, `${BASIC}${article('S0')}\n${sku},10,5,x\n${article('S2')}\n${article('S3')}\n`)
    const report = await bring(account, `${BASIC}${article('S0')}\n${row}\n${article('S3')}\n`)
    expect(report).toMatchObject({ refusedTotal: 1, zeroed: 1, stale: 1 })
    expect(await quantities(account)).toBe(`S0=5, ${sku.replaceAll('"', '')}=5, S2=0 absent, S3=5`)
  })

  it('without a key keep the quantities of all offers that are missing, until that is confirmed', async () => {
    const account = await stocked(4)
    const content = `${BASIC}${article('S0')}\n,10,5,x\n${article('S1')}\n`
    const report = await bring(account, content)
    expect(report).toMatchObject({ refusedTotal: 1, zeroed: 0, stale: 2, staleSkus: ['S2', 'S3'] })
    expect(report.warnings).toEqual([
      expect.stringMatching(/^1 refused row has no readable key .* any of the 2 offers/),
    ])
    expect(await quantities(account)).toBe('S0=5, S1=5, S2=5, S3=5')
    expect(await bring(account, content, { isConfirmed: true })).toMatchObject({ zeroed: 2, stale: 0 })
    expect(await quantities(account)).toBe('S0=5, S1=5, S2=0 absent, S3=0 absent')
  })

  it('do not include a row with an EAN of 15 digits, which is dropped', async () => {
    const account = await createAccount(bench)
    const report = await bring(account, 'sku,qty,ean\nA,1,4006381333931\nB,1,400638133393155\nC,1,123\n')
    expect(report.refused).toEqual([])
    expect(report.dropped).toMatchObject([{ field: 'ean', count: 1, examples: [{ line: 3, sku: 'B' }] }])
    expect(await quantities(account)).toBe('A=1, B=1, C=1')
  })
})

it('an absent offer comes back with its quantity and changes its product', async () => {
  const account = await stocked(3)
  await bring(account, `${BASIC}${article('S0')}\n${article('S1')}\n`)
  expect(await quantities(account)).toBe('S0=5, S1=5, S2=0 absent')
  // the same record as before it was absent
  expect(await bring(account, BASIC + rows(3, (i) => article(`S${i}`)))).toMatchObject({
    changed: 1,
    unchanged: 2,
    zeroed: 0,
    products: 1,
  })
  expect(await quantities(account)).toBe('S0=5, S1=5, S2=5')
  await expectAudited(database.db, account.accountId)
})

it('a supplier has one import at a time; two suppliers are imported concurrently', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  const reached = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  async function* held() {
    reached.resolve()
    await go.promise
    yield* pages(`${BASIC}A,1,1,x\n`)
  }
  const first = runImport(database.db, bench.wake, { accountId, supplier: suppliers[0]!, mode: 'full' }, held())
  await reached.promise
  expect(await refusalText(bring(account, `${BASIC}B,1,1,x\n`))).toMatch(/^import-running: /)
  expect(await refusalText(bring(account, `${BASIC}B,1,1,x\n`, { isDryRun: true }))).toMatch(/^import-running: /)
  expect(await bring(account, `${BASIC}C,1,1,x\n`, { from: 1 })).toMatchObject({ created: 1 })
  go.resolve()
  expect(await first).toMatchObject({ created: 1 })
  // the next import may start, whether the last one succeeded or failed
  expect(await refusalText(bring(account, `${BASIC}"`))).toMatch(/^source-unreadable/)
  expect(await bring(account, `${BASIC}A,1,1,x\n`)).toMatchObject({ unchanged: 1 })
})

it('a delta file with only sku and quantity keeps all other fields; empty cells clear them', async () => {
  const account = await createAccount(bench)
  await bring(account, 'sku,cost,qty,title,text,ean,brand\nA,12.5,5,Spade,<p>Digs</p>,4006381333931,Acme\n')
  const before = await shown(account, 'A')
  expect(before).toMatchObject({
    title: 'Spade',
    description: '<p>Digs</p>',
    ean: '4006381333931',
    manufacturer: 'Acme',
    stock: 5,
  })
  expect(await bring(account, 'sku,qty\nA,3\n', { mode: 'delta' })).toMatchObject({ changed: 1 })
  expect(await shown(account, 'A')).toEqual({ ...before, stock: 3 })
  await bring(account, 'sku,title,ean,brand\nA,,,\n', { mode: 'delta' })
  expect(await shown(account, 'A')).toEqual({ ...before, stock: 3, title: null, ean: null, manufacturer: null })
})

it('overrides survive every import', async () => {
  const account = await stocked(3)
  const { accountId } = account
  const productId = Number((await shown(account, 'S0'))['id'])
  await bench.shelf.write(accountId, async (tx) => {
    await setOverrides(tx, accountId, [
      { productId, field: 'title', locale: 'en', value: 'Mine' },
      { productId, field: 'manufacturer', locale: '', value: 'Me' },
    ])
    return {
      productIds: (
        await setOverrides(tx, accountId, [{ productId, field: 'attribute', key: 'color', locale: '', value: 'blue' }])
      ).productIds,
    }
  })
  const mine = { title: 'Mine', manufacturer: 'Me', attributes: [{ key: 'color', label: 'color', value: 'blue' }] }
  for (const [content, mode] of [
    ['sku,qty,title,brand\nS0,5,Changed,Acme\nS1,1,x,y\nS2,1,x,y\n', 'full'],
    ['sku,title,brand\nS0,,\n', 'delta'],
    [`${BASIC}${article('S1')}\n${article('S2')}\n`, 'full'],
    [`${BASIC}${article('S0')}\n${article('S1')}\n${article('S2')}\n`, 'full'],
  ] as const) {
    await bring(account, content, { mode })
    expect(await shown(account, 'S0')).toMatchObject(mine)
  }
})

describe('the product of an offer', () => {
  /** `supplier sku` lists, one for each product, by product. */
  async function products(account: TestAccount): Promise<string[]> {
    const list = await database.db<{ text: string }[]>`
      select string_agg(s.code || ' ' || o.supplier_sku, ', ' order by s.code, o.supplier_sku) as text
      from offer o join supplier s using (account_id, supplier_id) where o.account_id = ${account.accountId} group by o.product_id order by o.product_id`
    return list.map((row) => row.text)
  }

  it('is shared across suppliers by a valid EAN of any length; an invalid EAN matches nothing', async () => {
    const account = await createAccount(bench)
    await bring(account, 'sku,ean\nA,4006381333931\nB,012345678905\nC,4006381333930\nD,\n')
    await bring(account, 'sku,ean\n1,4006-3813 33931\n2,00012345678905\n3,4006381333930\n4,\n', { from: 1 })
    expect(await products(account)).toEqual([
      'north A, south 1',
      'north B, south 2',
      'north C',
      'north D',
      'south 3',
      'south 4',
    ])
    expect(await auditAccount(database.db, account.accountId)).toMatchObject({ products: 6, differencesTotal: 0 })
  })

  it('is not shared by two offers of one supplier with the same EAN, in one file or in two', async () => {
    const account = await createAccount(bench)
    await bring(account, 'sku,ean\nA,4006381333931\nB,4006381333931\n')
    await bring(account, 'sku,ean\nC,4006381333931\n', { mode: 'delta' })
    await bring(account, 'sku,ean\n1,4006381333931\n2,4006381333931\n3,4006381333931\n4,4006381333931\n', { from: 1 })
    expect(await products(account)).toEqual(['north A, south 1', 'north B, south 2', 'north C, south 3', 'south 4'])
  })

  it('stays the same when its EAN is corrected later; offers new from then on are matched by the new EAN', async () => {
    const account = await createAccount(bench)
    await bring(account, 'sku,ean\nA,4006381333931\nB,5901234123457\n')
    await bring(account, 'sku,ean\n1,5901234123450\n2,4006381333931\n', { from: 1 })
    expect(await products(account)).toEqual(['north A, south 2', 'north B', 'south 1'])
    await bring(account, 'sku,ean\n1,5901234123457\n2,9780306406157\n', { from: 1 })
    expect(await products(account)).toEqual(['north A, south 2', 'north B', 'south 1'])
    await bring(account, 'sku,ean\nC,9780306406157\n', { mode: 'delta' })
    // the product of A and 2 has an offer of north already
    expect(await products(account)).toEqual(['north A, south 2', 'north B', 'south 1', 'north C'])
  })
})

it('a cost is in the currency of the row, else in the one that was stated before, else in the supplier’s own', async () => {
  const account = await createAccount(bench)
  await bring(account, 'sku,cost,currency\nA,10,USD\nB,10,pln\nC,10,\nD,10,EURO\n')
  expect(await bring(account, 'sku,cost\nE,10\n', { from: 1 })).toMatchObject({ created: 1 })
  const costs = async () =>
    (
      await database.db<{ text: string }[]>`
      select supplier_sku || ' ' || trim_scale(cost) || ' ' || currency as text from offer where account_id = ${account.accountId} order by 1`
    ).map((row) => row.text)
  expect(await costs()).toEqual(['A 10 USD', 'B 10 PLN', 'C 10 EUR', 'E 10 PLN'])
  // without the column the currency stays, whatever else changes; an empty cell is the supplier's own again
  await bring(account, 'sku,qty\nA,1\n', { mode: 'delta' })
  await bring(account, 'sku,cost\nB,11\n', { mode: 'delta' })
  expect(await costs()).toEqual(['A 10 USD', 'B 11 PLN', 'C 10 EUR', 'E 10 PLN'])
  await bring(account, 'sku,cost,currency\nB,12,\n', { mode: 'delta' })
  expect(await costs()).toEqual(['A 10 USD', 'B 12 EUR', 'C 10 EUR', 'E 10 PLN'])
})
