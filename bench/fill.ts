import { pricingRulesList } from '../src/catalog/settings/rules/pricing-rules.sql.ts'
import { createRule } from '../src/catalog/settings/rules/pricing-rules.ts'
import { createGroup } from '../src/catalog/settings/stores/groups.ts'
import { setAttributeDefinitions } from '../src/catalog/settings/content/attribute-definitions.ts'
import { setRates } from '../src/catalog/settings/prices/rates.ts'
import { createStore, type NewStore } from '../src/catalog/settings/stores/stores.ts'
import { createSupplier } from '../src/catalog/settings/suppliers/suppliers.ts'
import { productIdsTake, productsInsert } from '../src/catalog/products/products.sql.ts'
import { inTransaction, type Db, type Tx } from '../src/db/sql.ts'
import { openAccount } from '../src/shelf/account.ts'
import { ADJECTIVES, NOUNS, SENTENCES } from './wording.ts'

// Fills accounts with many products by set-based statements. The rows are those that an import writes, except for the
// hash of each record. IDs are taken from the allocator in blocks, so that they are distributed as in production.

export interface FilledAccount {
  accountId: number
  storeIds: number[]
  /** Every product has an offer of the first supplier; three in ten also have one of the second. */
  suppliers: [FilledSupplier, FilledSupplier]
  defaultRuleId: number
}

export interface FilledSupplier {
  supplierId: number
  currency: string
}

const STORES: readonly NewStore[] = [
  { slug: 'main', name: 'Main', locale: 'de', currency: 'EUR' },
  { slug: 'uk', name: 'UK', locale: 'en-GB', currency: 'GBP' },
  { slug: 'pl', name: 'Polska', locale: 'pl-PL', currency: 'PLN' },
]
const CHUNK = 10_000
const MANUFACTURERS = 200
const CATEGORIES = 100
/** Share of the products that have an offer of the second supplier. */
export const SECOND_SHARE = 0.3

/** Creates an account without products: one or three stores, two groups, two rules, rates, two suppliers. */
export function createFilledAccount(db: Db, name: string, storeCount: 1 | 3): Promise<FilledAccount> {
  return inTransaction(db, async (tx) => {
    const [main, ...others] = STORES.slice(0, storeCount)
    if (main === undefined) throw new Error('an account has a store')
    const { accountId, storeId } = await openAccount(tx, { name, currency: 'EUR', locale: 'de', store: main })
    const storeIds = [storeId]
    for (const store of others) storeIds.push((await createStore(tx, accountId, store)).value)
    const groupId = (await createGroup(tx, accountId, 'Wholesale')).value
    await createRule(tx, accountId, { name: 'Wholesale', percent: '12', groupIds: [groupId] })
    await setRates(tx, accountId, [
      { currency: 'GBP', rate: '0.8521' },
      { currency: 'PLN', rate: '4.2875' },
    ])
    await setAttributeDefinitions(tx, accountId, [
      { key: 'color', unit: null, position: 1, labels: { de: 'Farbe', en: 'Colour', pl: 'Kolor' } },
      { key: 'weight', unit: 'kg', position: 2, labels: { de: 'Gewicht', en: 'Weight', pl: 'Waga' } },
    ])
    const first = (
      await createSupplier(tx, accountId, {
        code: 'north',
        name: 'North',
        currency: 'EUR',
        priority: 1,
        safetyBuffer: 2,
      })
    ).value
    const second = (await createSupplier(tx, accountId, { code: 'south', name: 'South', currency: 'PLN', priority: 2 }))
      .value
    const rule = (await pricingRulesList(tx, accountId)).find((row) => row.isDefault)
    return {
      accountId,
      storeIds,
      suppliers: [
        { supplierId: first, currency: 'EUR' },
        { supplierId: second, currency: 'PLN' },
      ],
      defaultRuleId: rule?.ruleId ?? 0,
    }
  })
}

/** Adds products with offers, texts and EANs. Nothing is marked: the caller appends a sweep. */
export async function fillProducts(
  db: Db,
  account: FilledAccount,
  count: number,
  onProgress = (_done: number) => {},
): Promise<void> {
  for (let done = 0; done < count;) {
    const size = Math.min(CHUNK, count - done)
    await inTransaction(db, (tx) => fillChunk(tx, account, done + 1, size))
    done += size
    onProgress(done)
  }
}

async function fillChunk(tx: Tx, account: FilledAccount, from: number, count: number): Promise<void> {
  const {
    accountId,
    suppliers: [first, second],
  } = account
  const ids = await productIdsTake(tx, accountId, count)
  await productsInsert(
    tx,
    accountId,
    ids.map((productId, i) => ({ productId, sku: supplierSku('N', from + i) })),
  )
  const secondIds = ids
    .map((productId, i) => ({ productId, n: from + i }))
    .filter(({ n }) => n % 10 < SECOND_SHARE * 10)
  await fillOffers(
    tx,
    accountId,
    first,
    'N',
    ids,
    ids.map((_, i) => from + i),
  )
  await fillOffers(
    tx,
    accountId,
    second,
    'S',
    secondIds.map((row) => row.productId),
    secondIds.map((row) => row.n),
  )
}

function supplierSku(prefix: string, n: number): string {
  return `${prefix}-${String(n).padStart(9, '0')}`
}

/** SQL for an EAN-13 from the number `n`, with its check digit (GS1, modulo 10). */
const BODY = `'40' || lpad(n::text, 10, '0')`
const CHECK_DIGIT = `(10 - (${Array.from({ length: 12 }, (_, i) => `${i % 2 === 0 ? 1 : 3} * substr(body, ${i + 1}, 1)::int`).join(' + ')}) % 10) % 10`

async function fillOffers(
  tx: Tx,
  accountId: number,
  supplier: FilledSupplier,
  prefix: string,
  ids: readonly number[],
  numbers: readonly number[],
): Promise<void> {
  const { supplierId, currency } = supplier
  // h: 63 pseudo-random bits, derived from the number, so that they are the same in every run
  const given = tx`(
    select product_id, n, ${prefix} || '-' || lpad(n::text, 9, '0') as sku, hashint8extended(n, ${supplierId}) & x'7fffffffffffffff'::bigint as h
    from unnest(${[...ids]}::bigint[], ${[...numbers]}::bigint[]) as listed (product_id, n)) given`
  await tx`insert into offer (account_id, supplier_id, supplier_sku, product_id, cost, currency, quantity)
    select ${accountId}, ${supplierId}, sku, product_id, 1 + (h % 50000) / 100.0, ${currency}, greatest(0, (h >> 20) % 90 - 8)::int
    from ${given}`
  const text = (locale: 'de' | 'en' | 'pl') => tx`jsonb_build_object(
    'title', (${NOUNS[locale]}::text[])[1 + (h >> 3) % 16] || ' ' || (${ADJECTIVES[locale]}::text[])[1 + (h >> 7) % 16] || ' '
      || (h >> 11) % 900 || ' ' || sku,
    'description', '<p>' || (${SENTENCES[locale]}::text[])[1 + (h >> 5) % 16] || ' ' || (${SENTENCES[locale]}::text[])[1 + (h >> 10) % 16]
      || '</p><p>' || (${SENTENCES[locale]}::text[])[1 + (h >> 15) % 16] || ' ' || (${SENTENCES[locale]}::text[])[1 + (h >> 25) % 16]
      || '</p>')`
  const texts =
    prefix === 'N'
      ? tx`jsonb_build_object('de', ${text('de')}, 'en', ${text('en')}, 'pl', ${text('pl')})`
      : tx`jsonb_build_object('pl', ${text('pl')})`
  await tx`insert into offer_content (account_id, product_id, supplier_id, supplier_sku, manufacturer, category, texts, attributes, images)
    select ${accountId}, product_id, ${supplierId}, sku, 'Manufacturer ' || (h >> 30) % ${MANUFACTURERS}::bigint, 'Goods/Category ' || (h >> 40) % ${CATEGORIES}::bigint,
      ${texts},
      jsonb_build_array(
        jsonb_build_object('key', 'color', 'value', (${ADJECTIVES.en}::text[])[1 + (h >> 12) % 16]),
        jsonb_build_object('key', 'weight', 'value', ((h >> 9) % 4000 / 100.0)::numeric(8, 2)::text),
        jsonb_build_object('key', 'material', 'value', (${NOUNS.en}::text[])[1 + (h >> 17) % 16]),
        jsonb_build_object('key', 'warranty', 'value', (12 + (h >> 19) % 48)::text)),
      jsonb_build_array('https://images.example.com/' || (h >> 22) % 1000 || '/' || lower(sku) || '-front.jpg',
        'https://images.example.com/' || (h >> 22) % 1000 || '/' || lower(sku) || '-side.jpg')
    from ${given}`
  await tx`insert into product_ean (account_id, product_id, supplier_id, supplier_sku, ean, gtin)
    select ${accountId}, product_id, ${supplierId}, sku, body || digit, '0' || body || digit from (
      select product_id, sku, body, ${tx.unsafe(CHECK_DIGIT)} as digit
      from (select product_id, sku, ${tx.unsafe(BODY)} as body from ${given}) bodies
    ) numbered`
}
