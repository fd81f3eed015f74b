import { describe, expect, it } from 'vitest'
import { writeOfferPrices } from '../../src/catalog/products/offers/write-offer-prices.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { editSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import type { SupplierChanges } from '../../src/catalog/settings/suppliers/suppliers.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { ImportExceeded } from '../../src/imports/exceeded.ts'
import { runImport, type ImportReport, type ImportRequest } from '../../src/imports/run.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// Imports that are held by the supplier's own limits, and offers whose rows cannot be read.

const { database, bench } = worldOfFile()

async function* once(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}

const FIELDS = { sku: 'sku', cost: 'cost', quantity: 'qty', title: 'title' }
type Options = Partial<Pick<ImportRequest, 'mode' | 'isDryRun' | 'isConfirmed'>> & { mapping?: object }

async function bring(account: TestAccount, content: string, options: Options = {}): Promise<ImportReport> {
  const { mapping = {}, ...rest } = options
  const request = { accountId: account.accountId, supplier: account.suppliers[0]!, mode: 'full' as const, ...rest }
  const pages = readOfferPages(once(content), parseMapping({ locale: 'en', fields: FIELDS, ...mapping }))
  return runImport(database.db, bench.wake, request, pages)
}

/** The kinds and counts of the exceeded limits for which an import is held. */
async function held(running: Promise<unknown>): Promise<string[]> {
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ImportExceeded)
  if (!(error instanceof ImportExceeded)) return []
  expect(error.code).toBe('import-refused')
  expect(error.faults.map(({ name }) => name)).toEqual(error.excesses.map(({ kind }) => kind))
  return error.excesses.map(({ kind, count, of }) => `${kind} ${count}/${of}`)
}

const HEADER = 'sku,cost,qty,title\n'
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')
const article = (sku: string, cost = '10', qty = 5) => `${sku},${cost},${qty},Article ${sku}`

async function stocked(count: number, limits: SupplierChanges = {}): Promise<TestAccount> {
  const account = await createAccount(bench)
  await inTransaction(database.db, (tx) =>
    editSupplier(tx, account.accountId, account.suppliers[0]!.supplierId, limits),
  )
  expect(await bring(account, HEADER + lines(count, (i) => article(`S${i}`)))).toMatchObject({ created: count })
  return account
}

/** The offers by key with their values, and whether they are stale. */
async function offers(account: TestAccount): Promise<string> {
  const rows = await database.db<{ text: string }[]>`
    select supplier_sku || '=' || quantity || case when stale_since is null then '' else ' stale' end as text
    from offer where account_id = ${account.accountId} order by supplier_sku`
  return rows.map((row) => row.text).join(', ')
}

/** Offers with the versions of their rows. */
async function versions(account: TestAccount): Promise<string> {
  const rows = await database.db<{ text: string }[]>`
    select supplier_sku || xmin as text from offer where account_id = ${account.accountId} order by supplier_sku`
  return rows.map((row) => row.text).join()
}

describe('an import beyond a limit', () => {
  it.each<[string, string, string[]]>([
    ['three of five rows refused', `${article('S0')}\n${article('S1')}\nS2,x,1,\nS3,x,1,\nS4,x,1,\n`, ['refused 3/5']],
    ['most of the stock zeroed', `${article('S0')}\n${article('S1')}\n`, ['zeroed 8/10']],
    ['costs lost', lines(10, (i) => article(`S${i}`, i < 6 ? '' : '10')), ['prices_lost 6/10']],
    ['costs of 0', lines(10, (i) => article(`S${i}`, i < 3 ? '0.00' : '10')), ['prices_zero 3/10']],
    ['several of them', lines(4, (i) => article(`S${i}`, i < 3 ? '' : '10')), ['zeroed 6/10', 'prices_lost 3/4']],
  ])(
    'with %s is held as a whole, by a dry run as well, and imported once it is confirmed',
    async (_, rows, expected) => {
      const account = await stocked(10)
      const before = await versions(account)
      expect(await held(bring(account, HEADER + rows))).toEqual(expected)
      expect(await held(bring(account, HEADER + rows, { isDryRun: true }))).toEqual(expected)
      expect(await versions(account)).toBe(before)
      const dry = await bring(account, HEADER + rows, { isConfirmed: true, isDryRun: true })
      expect(await versions(account)).toBe(before)
      const real = await bring(account, HEADER + rows, { isConfirmed: true })
      expect({ ...dry, isDryRun: false, products: real.products }).toEqual(real)
    },
  )

  it('whose last value is cut imports the other rows; the offer of the last row stays as it was until the file is confirmed', async () => {
    const account = await stocked(10)
    const rows = `${HEADER}${lines(9, (i) => article(`S${i}`, '10', i === 0 ? 7 : 5))}S9,10,5,Artic`
    const expected = { changed: 1, unchanged: 8, refusedTotal: 1, stale: 1, staleSkus: ['S9'], zeroed: 0 }
    expect(await bring(account, rows, { isDryRun: true })).toMatchObject(expected)
    const report = await bring(account, rows)
    expect(report).toMatchObject(expected)
    expect(report.refused).toEqual([
      {
        line: 11,
        sku: 'S9',
        faults: [
          {
            name: 'title (en)',
            reason: expect.stringMatching(/^"Artic" is only the beginning of "Article S9", .*cut off/),
          },
        ],
      },
    ])
    expect(await offers(account)).toMatch(/^S0=7, .*S8=5, S9=5 stale$/)
    expect(await bring(account, rows, { isConfirmed: true })).toMatchObject({ changed: 1, refusedTotal: 0 })
    expect(await offers(account)).toMatch(/S9=5$/)
    // with a line end the same file is complete
    expect(await bring(account, `${rows.slice(0, -1)}\n`)).toMatchObject({ changed: 1, refusedTotal: 0 })
  })

  it('has costs that jump, costs and quantities that are swapped, or values that are emptied', async () => {
    const account = await createAccount(bench)
    const mapping = { fields: { ...FIELDS, ean: 'ean', images: 'image' } }
    const row = (
      i: number,
      cost: string,
      qty: string | number,
      rest = `T${i},${4006381333931 + i},https://p.example/${i}.jpg`,
    ) => `S${i},${cost},${qty},${rest}`
    const file = (line: (i: number) => string) => `sku,cost,qty,title,ean,image\n${lines(10, line)}`
    await bring(
      account,
      file((i) => row(i, '100.50', 5)),
      { mapping },
    )
    const before = await versions(account)
    const of = (line: (i: number) => string, mode: 'full' | 'delta' = 'full') =>
      held(bring(account, file(line), { mapping, mode }))
    for (const mode of ['full', 'delta'] as const) {
      expect(await of((i) => row(i, '1.005', 5), mode)).toEqual(['prices_jump 10/10'])
      expect(await of((i) => row(i, i < 3 ? '302' : '110', 5), mode)).toEqual(['prices_jump 3/10'])
      expect(await of((i) => row(i, '5', '100.50'), mode)).toEqual(['prices_jump 10/10', 'swapped 10/10'])
      expect(await of((i) => row(i, '100.50', ''), mode)).toEqual([
        ...(mode === 'full' ? ['zeroed 10/10'] : []),
        'quantities_emptied 10/10',
      ])
    }
    expect(await of((i) => row(i, '100.50', 5, ',,'))).toEqual([
      'titles_emptied 10/10',
      'images_emptied 10/10',
      'eans_emptied 10/10',
    ])
    expect(
      await of((i) => row(i, '100.50', 5, i < 6 ? `,${4006381333931 + i},https://p.example/${i}.jpg` : undefined)),
    ).toEqual(['titles_emptied 6/10'])
    expect(await versions(account)).toBe(before)
    // not held: two of ten offers, a factor of exactly 3, and a change of currency
    expect(
      await bring(
        account,
        file((i) => row(i, i < 2 ? '1' : '301.50', 5)),
        { mapping },
      ),
    ).toMatchObject({ changed: 10 })
    const currency = { fields: { ...FIELDS, currency: 'currency' } }
    const inCzk = `sku,cost,qty,title,currency\n${lines(10, (i) => `S${i},7000,5,T${i},CZK`)}`
    expect(await bring(account, inCzk, { mapping: currency })).toMatchObject({ changed: 10 })
    expect(
      await bring(account, file((i) => row(i, '9', 5)).replaceAll('T', 'U'), { mapping, isConfirmed: true }),
    ).toMatchObject({ changed: 10 })
  })

  it('is judged by the limits of its supplier', async () => {
    const account = await stocked(10, {
      zeroedShareMax: '0.9',
      refusedShareMax: '1',
      pricesLostShareMax: '0.1',
      pricesZeroShareMax: '1',
      pricesJumpShareMax: '1',
    })
    const rows = `${article('S0')}\n${article('S1', '')}\nS2,x,1,\nS3,x,1,\nS4,x,1,\n`
    expect(await held(bring(account, HEADER + rows))).toEqual(['prices_lost 1/2'])
    expect(await bring(account, HEADER + rows.replace(',,', ',0,'))).toMatchObject({ zeroed: 5, stale: 3 })
    // five offers in stock, three of them stale: one may go, two may not
    await inTransaction(database.db, (tx) =>
      editSupplier(tx, account.accountId, account.suppliers[0]!.supplierId, { zeroedShareMax: '0.2' }),
    )
    expect(await held(bring(account, HEADER + lines(3, (i) => article(`S${i}`))))).toEqual(['zeroed 2/5'])
  })

  it('in JSON is one whose paths for key, quantity or cost no row has; others are a warning', async () => {
    const account = await createAccount(bench)
    const rows = JSON.stringify([{ sku: 'A', cost: '1', qty: 1 }])
    const mapping = (fields: object) => ({ mapping: { fields: { ...FIELDS, title: 'sku', ...fields } } })
    expect(await held(bring(account, rows, mapping({ cost: 'prise', quantity: 'stock.qty' })))).toEqual([
      'missing_columns 2/1',
    ])
    expect(await held(bring(account, rows, { ...mapping({ cost: 'prise' }), mode: 'delta' }))).toEqual([
      'missing_columns 1/1',
    ])
    expect(await bring(account, rows, mapping({ category: 'groop' }))).toMatchObject({ created: 1 })
    const optional = mapping({ cost: { column: 'prise', optional: true } })
    expect(await bring(account, rows, optional)).toMatchObject({ rows: 1, refusedTotal: 0 })
  })

  it('is not one whose last line has no end while its offer is as it was, or quite different', async () => {
    const account = await stocked(3)
    for (const last of [article('S2'), 'S2,10,5,Something else', 'S2,10,4,Other', article('NEW')])
      expect(await bring(account, `${HEADER}${article('S0')}\n${article('S1')}\n${last}`)).toMatchObject({ rows: 3 })
  })
})

describe('offers of rows that cannot be read', () => {
  it.each<[string, object, (good: string[], bad: string) => string, string]>([
    ['CSV', {}, (good, bad) => `${HEADER}${good.map((sku) => article(sku)).join('\n')}\n${bad},x,1,t\n`, 'x'],
    [
      'TSV',
      {},
      (good, bad) => `sku\tcost\tqty\ttitle\n${good.map((sku) => `${sku}\t1\t5\tt\n`).join('')}${bad}\tx\t1\tt\n`,
      'x',
    ],
    [
      'NDJSON',
      {},
      (good, bad) =>
        `${good.map((sku) => `{"sku":"${sku}","cost":"1","qty":5,"title":"t"}\n`).join('')}{"sku":"${bad}","cost":"x","qty":1,"title":"t"}\n`,
      'x',
    ],
    [
      'JSON',
      {},
      (good, bad) =>
        JSON.stringify([
          ...good.map((sku) => ({ sku, cost: '1', qty: 5, title: 't' })),
          { sku: bad, cost: 'x', qty: 1, title: 't' },
        ]),
      'x',
    ],
    [
      'XML',
      { items: 'list.item' },
      (good, bad) =>
        `<list>${good.map((sku) => `<item><sku>${sku}</sku><cost>1</cost><qty>5</qty><title>t</title></item>`).join('')}<item><sku>${bad}</sku><cost>x</cost><qty>1</qty><title>t</title></item></list>`,
      'x',
    ],
    [
      'Google Merchant',
      { format: 'google', fields: { sku: 'id', cost: 'price', quantity: 'quantity', title: 'title' } },
      (good, bad) =>
        `<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>${[
          ...good.map((sku) => [sku, '1 EUR']),
          [bad, 'x'],
        ]
          .map(
            ([sku, cost]) =>
              `<item><g:id>${sku}</g:id><g:title>t</g:title><g:price>${cost}</g:price><g:quantity>5</g:quantity></item>`,
          )
          .join('')}</channel></rss>`,
      'x',
    ],
    [
      'BMEcat',
      {
        format: 'bmecat',
        fields: {
          sku: 'SUPPLIER_AID',
          cost: 'ARTICLE_PRICE_DETAILS.ARTICLE_PRICE.PRICE_AMOUNT',
          quantity: 'STOCK',
          title: 'ARTICLE_DETAILS.DESCRIPTION_SHORT',
        },
      },
      (good, bad) =>
        `<BMECAT version="1.2"><T_NEW_CATALOG>${[...good.map((sku) => [sku, '1']), [bad, 'x']]
          .map(
            ([sku, cost]) =>
              `<ARTICLE><SUPPLIER_AID>${sku}</SUPPLIER_AID><ARTICLE_DETAILS><DESCRIPTION_SHORT>t</DESCRIPTION_SHORT></ARTICLE_DETAILS><ARTICLE_PRICE_DETAILS><ARTICLE_PRICE price_type="net_list"><PRICE_AMOUNT>${cost}</PRICE_AMOUNT></ARTICLE_PRICE></ARTICLE_PRICE_DETAILS><STOCK>5</STOCK></ARTICLE>`,
          )
          .join('')}</T_NEW_CATALOG></BMECAT>`,
      'x',
    ],
  ])('of %s keep what they had in a full run and are marked, and others are set to 0', async (_name, mapping, file) => {
    // short files with a cost of 1 instead of 10
    const account = await stocked(6, { pricesJumpShareMax: '1' })
    expect(await bring(account, file(['S0', 'S1', 'S2', 'S4'], 'S3'), { mapping })).toMatchObject({
      refusedTotal: 1,
      zeroed: 1,
      stale: 1,
      staleSkus: ['S3'],
    })
    expect(await offers(account)).toBe('S0=5, S1=5, S2=5, S3=5 stale, S4=5, S5=0')
  })

  it.each<[string, object, string]>([
    ['CSV with a quote in the middle', {}, `${HEADER}${article('S0')}\n"S1"x,1,1,t\n${article('S2')}\n`],
    [
      'NDJSON that is not JSON',
      {},
      '{"sku":"S0","cost":1,"qty":5,"title":"t"}\n{"sku":"S1",\n{"sku":"S2","cost":1,"qty":5,"title":"t"}\n',
    ],
    [
      'JSON without a key',
      {},
      '[{"sku":"S0","cost":1,"qty":5,"title":"t"},{"cost":1,"qty":1},{"sku":"S2","cost":1,"qty":5}]',
    ],
  ])('without a key, in %s, keep all that are missing', async (_name, mapping, content) => {
    const account = await stocked(4)
    expect(await bring(account, content, { mapping })).toMatchObject({ refusedTotal: 1, zeroed: 0, stale: 2 })
    expect(await offers(account)).toBe('S0=5, S1=5 stale, S2=5, S3=5 stale')
  })

  it('in a delta file are marked until a row of them is read again, in the same file or later', async () => {
    const account = await stocked(6)
    const good = lines(3, (i) => article(`S${i}`))
    const bad = 'S3,x,1,\nS4,x,1,\nNEW,x,1,\n'
    const late = `${article('S4')}\n`
    const content = `${HEADER}${good}${bad}${late}${lines(8, (i) => article(`F${i}`, '10', 0))}`
    const dry = await bring(account, content, { mode: 'delta', isDryRun: true })
    const report = await bring(account, content, { mode: 'delta' })
    expect({ ...dry, isDryRun: false, products: report.products }).toEqual(report)
    expect(report).toMatchObject({ refusedTotal: 3, stale: 1, staleSkus: ['S3'] })
    expect(await offers(account)).toMatch(/S2=5, S3=5 stale, S4=5, S5=5$/)
    const before = await versions(account)
    // the same file again writes nothing
    expect(await bring(account, content, { mode: 'delta' })).toMatchObject({ changed: 0, unchanged: 12, stale: 1 })
    expect(await versions(account)).toBe(before)
    expect(await bring(account, `${HEADER}${article('S3')}\n`, { mode: 'delta' })).toMatchObject({
      changed: 0,
      unchanged: 1,
      stale: 0,
      products: 0,
    })
    expect(await offers(account)).not.toMatch('stale')
  })

  it('are current again once they are written over HTTP, or missing in a file', async () => {
    const account = await stocked(4)
    const { accountId, suppliers } = account
    const { supplierId } = suppliers[0]!
    const bad = `${HEADER}${article('S0')}\nS1,x,1,\nS2,x,1,\n${article('S3')}\n`
    await bring(account, bad)
    expect(await offers(account)).toBe('S0=5, S1=5 stale, S2=5 stale, S3=5')
    // an equal price, and an equal record
    await inTransaction(database.db, async (tx) => {
      const price = { supplierId, supplierSku: 'S1', cost: '10', currency: undefined, quantity: 5 }
      await writeOfferPrices(tx, accountId, [price])
    })
    expect(await offers(account)).toBe('S0=5, S1=5, S2=5 stale, S3=5')
    await inTransaction(database.db, (tx) => writeOffers(tx, accountId, suppliers[0]!, [{ sku: 'S2', quantity: 5 }]))
    expect(await offers(account)).toBe('S0=5, S1=5, S2=5, S3=5')
    await bring(account, bad)
    await bring(account, HEADER + lines(2, (i) => article(`S${i * 3}`)))
    expect(await offers(account)).toBe('S0=5, S1=0, S2=0, S3=5')
  })
})

describe('a supplier is heard of', () => {
  /** Which of the first two suppliers have sent something just now, and the versions of their rows. */
  const heard = async ({ accountId, suppliers }: TestAccount) => {
    const rows = await database.db<{ isNow: boolean; version: string }[]>`
      select heard_at > now() - interval '1 minute' as "isNow", xmin::text as version from supplier_heard
      where account_id = ${accountId} and supplier_id = any(${suppliers.slice(0, 2).map((row) => row.supplierId)}::bigint[])
      order by supplier_id`
    return { isNow: rows.map((row) => row.isNow), versions: rows.map((row) => row.version) }
  }
  const age = (account: TestAccount) =>
    database.db`update supplier_heard set heard_at = (select now() - interval '2 hours') where account_id = ${account.accountId}`

  it('when it is created, and by an import that came to its end, not by one that was held or rolled back', async () => {
    const account = await stocked(4)
    const whole = HEADER + lines(4, (i) => article(`S${i}`))
    expect((await heard(account)).isNow).toEqual([true, true])
    await age(account)
    await held(bring(account, HEADER))
    await bring(account, whole, { isDryRun: true })
    expect((await heard(account)).isNow).toEqual([false, false])
    expect(await bring(account, whole)).toMatchObject({ unchanged: 4 })
    expect((await heard(account)).isNow).toEqual([true, false])
  })

  it('by written offers, once an hour', async () => {
    const account = await createAccount(bench)
    const { accountId, suppliers } = account
    const write = (quantity: number) =>
      inTransaction(database.db, (tx) => writeOffers(tx, accountId, suppliers[1]!, [{ sku: 'A', quantity }]))
    const created = await heard(account)
    await write(1)
    expect(await heard(account)).toEqual(created)
    await age(account)
    await write(1)
    expect((await heard(account)).isNow).toEqual([false, true])
  })
})
