import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openPreviews, previewStep } from '../../src/previews/previews.ts'
import { openTally } from '../../src/previews/tally.ts'
import { previewMerge } from '../../src/previews/merge-split.ts'
import type { RuleChange } from '../../src/previews/rule-change.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { compiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { withReadingTurn } from '../../src/shelf/inputs/looked-at.ts'
import { explainProduct } from '../../src/shelf/reads/explain.ts'
import { readProductCells } from '../../src/shelf/reads/product-cells.ts'
import { createAccount, offer } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// The memory for products in reads other than shelving: previews, the audit and explanations.

const { database, bench } = worldOfFile()
const SMALL = 200_000
const CHARACTERS = 300_000
const { statementCharacters, shelveHeavyCharacters, lookedAtCharacters, previewStepMs } = LIMITS
beforeEach(() => void Object.assign(LIMITS, { statementCharacters: SMALL, shelveHeavyCharacters: 1_000 }))
afterEach(() => {
  Object.assign(LIMITS, { statementCharacters, shelveHeavyCharacters, lookedAtCharacters, previewStepMs })
  database.db.onStatement = null
})

/** The number of ids in a statement's list of ids, in PostgreSQL's form `{1,2}`. */
const listed = (values: readonly unknown[]) =>
  values.flatMap((value) => (/^\{[\d,"]+\}$/.test(String(value)) ? [String(value).split(',').length] : []))

/** Records how many whole products, and how many bodies of payloads, are read at once during `work`. */
async function reading(work: () => Promise<unknown>) {
  const products: number[] = []
  const payloads: number[] = []
  database.db.onStatement = (text, values) => {
    if (/from offer o left join lateral/.test(text)) products.push(Math.max(...listed(values)))
    if (/c\.body as content/.test(text)) payloads.push(listed(values).reduce((all, count) => all * count, 1))
  }
  await work()
  database.db.onStatement = null
  return { products, payloads }
}

/** An account with `count` long products, and `light` short ones before them. */
async function heavyAccount(name: string, light: number, count: number) {
  const account = await createAccount(bench, name)
  const offers = [
    ...Array.from({ length: light }, (_, i) => offer(`A${i}`)),
    ...Array.from({ length: count }, (_, i) =>
      offer(`B${i}`, {
        attributes: Array.from({ length: 50 }, (_, k) => ({ key: `k${k}`, value: 'x'.repeat(CHARACTERS / 50) })),
      }),
    ),
  ]
  const { productIds } = await inTransaction(database.db, (tx) =>
    writeOffers(tx, account.accountId, account.suppliers[0]!, offers),
  )
  await bench.shelf.drain(account.accountId)
  return { ...account, ids: [...productIds].sort((a, b) => a - b) }
}

/** A rule that reads more than prices, so that whole products are compared. */
const EXCLUDING: RuleChange = {
  kind: 'exclusion',
  rules: [
    {
      ruleId: Number.MAX_SAFE_INTEGER,
      rule: {
        ruleId: Number.MAX_SAFE_INTEGER,
        name: 'long',
        reason: 'too long',
        priority: 1,
        isActive: true,
        storeIds: null,
        kind: 'no_image',
        names: null,
        supplierIds: null,
        amount: null,
        currency: null,
      },
    },
  ],
}

test('the audit reads long products one by one, and the payloads of one store after those of another', async () => {
  const { accountId } = await heavyAccount('audited', 20, 4)
  const { products, payloads } = await reading(async () =>
    expect(await auditAccount(database.db, accountId)).toMatchObject({ products: 24, differences: [] }),
  )
  expect(products.reduce((sum, count) => sum + count, 0)).toBe(24)
  expect(products).toEqual([20, 1, 1, 1, 1])
  // one store's payload of a long product at a time
  expect(payloads.slice(-12)).toEqual(Array(12).fill(1))
})

test('a preview reads long products one by one, whatever it is of', async () => {
  const { accountId, ids, storeIds } = await heavyAccount('previewed', 3, 4)
  const change = EXCLUDING
  const previews = openPreviews(database.db)
  const sampled = await reading(() => previews.sample(accountId, async () => change))
  expect(sampled.products.reduce((sum, count) => sum + count, 0)).toBe(7)
  expect(Math.max(...sampled.products.slice(1))).toBe(1)
  const examples = ids.map((productId) => ({ productId, storeId: storeIds[0] }))
  const named = await reading(() => previews.names(accountId, examples as never))
  expect(Math.max(...named.products.slice(1))).toBe(1)
  const merged = await reading(() => previewMerge(database.db, accountId, ids.at(-1)!, ids.slice(3, 6)))
  expect(Math.max(...merged.products)).toBe(1)
  const cells = await reading(async () => {
    const found = await readProductCells(database.db, accountId, ids, [{ field: 'manufacturer' } as never])
    expect(found.map(({ productId }) => productId)).toEqual(ids)
  })
  expect(Math.max(...cells.products.slice(1))).toBe(1)
})

test('a step of a preview over everything ends behind a slice, and goes on behind it', async () => {
  const { accountId, ids } = await heavyAccount('stepped', 0, 4)
  Object.assign(LIMITS, { previewStepMs: 0 })
  const accounts = compiledAccounts(database.db)
  let progress: { place: number; tally: ReturnType<typeof openTally>; isDone: boolean } = {
    place: 0,
    tally: openTally(),
    isDone: false,
  }
  const places: number[] = []
  while (!progress.isDone) {
    const { place, tally } = progress
    progress = await inTransaction(database.db, (tx) =>
      previewStep(tx, accounts, accountId, EXCLUDING, { place, tally }, () => false),
    )
    places.push(progress.place)
  }
  expect(places).toEqual(ids)
  expect(progress.tally.products).toBe(4)
})

test('requests about long products wait for each other, and not those about light ones', async () => {
  const { accountId, ids } = await heavyAccount('explained', 1, 1)
  const [light, long] = [ids[0]!, ids[1]!]
  Object.assign(LIMITS, { lookedAtCharacters: 100_000, statementCharacters: LIMITS.lookedAtCharactersPerAccountMax })
  const hold = Promise.withResolvers<void>()
  const order: string[] = []
  // as many as an account may have
  const many = Array.from({ length: 60 }, () =>
    withReadingTurn(database.db, accountId, [long], async () => {
      order.push('begun')
      await hold.promise
    }),
  )
  const most = Math.floor(LIMITS.lookedAtCharactersPerAccountMax / CHARACTERS)
  await expect.poll(() => order.length).toBeGreaterThan(most - 10)
  const explaining = explainProduct(database.db, accountId, 'de', long).then(() => order.push('long'))
  await explainProduct(database.db, accountId, 'de', light)
  expect(order).not.toContain('long')
  expect(order.length).toBeLessThan(60)
  hold.resolve()
  await Promise.all([...many, explaining])
  expect(order).toContain('long')
})
