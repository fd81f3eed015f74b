import { afterAll, beforeAll } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startTestService, type Answer, type TestService } from '../harness/service.ts'
import { AccountWriter, eanOf } from './account-writer.ts'
import { readDocument, type Documented } from './documented.ts'

// Shared by the tests of bad input: a service, an account with one resource of each kind, and a good body for each operation.
// setUp() starts the service for the test file that calls it and stops it at the end.

export let database: TestDatabase
export let service: TestService
export let document: Documented
/** Registers what begins before the tests of a file, and ends after them. */
export function setUp(): void {
  beforeAll(async () => {
    database = await createDatabase()
    service = await startTestService(database)
    document = await readDocument(service.url)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })
}

interface Base {
  path: string
  /** A good body that would change something, so that a partial write is noticed. */
  body: Record<string, unknown>
}

let accounts = 0
/** An account with one resource of each kind, and a good body for each operation that takes one. */
export async function open() {
  const writer = await AccountWriter.open(service, document, `input-${accounts++}`)
  const { account } = writer
  const id = (
    await writer.say('PUT', '/suppliers/north/offers/A', {
      eans: [eanOf(1)],
      cost: '10',
      quantity: 3,
      texts: { en: { title: 'T' } },
    })
  ).product_id as number
  const other = (await writer.say('PUT', '/suppliers/south/offers/B', { cost: '20', quantity: 4 })).product_id as number
  await writer.say('PUT', `/products/${id}/stock`, { quantity: 3, cost: '8' })
  const category = (await writer.say('POST', '/categories', { path: 'Tools' })).id as number
  await writer.say('PUT', '/tax-classes/standard', { name: 'Standard' })
  await writer.say('PUT', '/price-lists/trade', { name: 'Trade', currency: 'EUR' })
  await writer.say('PUT', '/attributes/size', { unit: 'cm', labels: { en: 'Size' }, options: { L: { en: 'large' } } })
  await writer.say('PUT', '/source-orders/title', { supplier_ids: [account.suppliers[0]!.supplierId] })
  const pricing = { name: 'Rule', action: 'markup', percent: '10', priority: 5 }
  const rule = (await writer.say('POST', '/pricing-rules', pricing)).id as number
  const exclusion = { name: 'Out', kind: 'price_below', amount: '1' }
  const out = (await writer.say('POST', '/exclusion-rules', exclusion)).id as number
  const assortment = { name: 'List', store_id: account.storeIds[1], is_listed: true }
  const list = (await writer.say('POST', '/assortment-rules', assortment)).id as number
  const file = { name: 'File', store: 'main', format: 'csv' }
  const channel = (await writer.say('POST', '/channels', file)).id as number
  const team = { name: 'Team', kind: 'slack', url: 'https://hooks.invalid/team' }
  const told = (await writer.say('POST', '/notice-channels', team)).id as number
  const source = { kind: 'upload', mapping: { fields: { sku: 'SKU' } } }
  await writer.say('POST', '/suppliers/north/sources', { name: 'feed', ...source })
  const sent = await writer.send('POST', '/suppliers/north/imports?dry_run=true&mapping=google', 'id,price\nA,1 EUR\n')
  const run = sent.body.data.id as number
  const offer = { cost: '66', quantity: 66 }
  const mine = { manufacturer: 'Other', description: { en: 'Other' } }
  const store = { name: 'Other', locale: 'en', currency: 'EUR' }
  const supplier = { name: 'Other', currency: 'EUR' }
  const order = { supplier_ids: [account.suppliers[1]!.supplierId] }
  const group = (
    await writer.say('POST', '/variant-groups', { title: { en: 'Group' }, products: [{ product_id: other }] })
  ).id as number
  const bases: Record<string, Base> = {
    patchAccount: { path: '', body: { name: 'Other' } },
    createStore: { path: '/stores', body: { slug: 'other', ...store } },
    putStore: { path: '/stores/de', body: { ...store, locale: 'de' } },
    patchStore: { path: '/stores/de', body: { name: 'Other' } },
    createGroup: { path: '/groups', body: { name: 'Other' } },
    patchGroup: { path: `/groups/${account.groupId}`, body: { name: 'Other' } },
    createRate: { path: '/rates', body: { currency: 'CHF', rate: '1.1' } },
    putRate: { path: '/rates/PLN', body: { rate: '4.4' } },
    patchRate: { path: '/rates/PLN', body: { rate: '4.4' } },
    createTaxClass: {
      path: '/tax-classes',
      body: { key: 'other', name: 'Other', rates: [{ country: 'DE', valid_from: '2026-01-01', percent: '7' }] },
    },
    putTaxClass: { path: '/tax-classes/standard', body: { name: 'Other', codes: ['S'] } },
    patchTaxClass: { path: '/tax-classes/standard', body: { name: 'Other' } },
    createPriceList: { path: '/price-lists', body: { key: 'other', name: 'Other', currency: 'EUR' } },
    putPriceList: { path: '/price-lists/trade', body: { name: 'Other', currency: 'EUR' } },
    patchPriceList: { path: '/price-lists/trade', body: { name: 'Other' } },
    patchPriceListEntries: {
      path: '/price-lists/trade/entries?confirm=true',
      body: { entries: [{ product_id: id, price: '66' }] },
    },
    createCategory: { path: '/categories', body: { path: 'Other' } },
    patchCategory: { path: `/categories/${category}`, body: { path: 'Other' } },
    createAttribute: { path: '/attributes', body: { key: 'other', unit: 'm' } },
    putAttribute: { path: '/attributes/size', body: { unit: 'm' } },
    patchAttribute: { path: '/attributes/size', body: { unit: 'm' } },
    createSupplier: { path: '/suppliers', body: { code: 'other', ...supplier } },
    putSupplier: { path: '/suppliers/north', body: supplier },
    patchSupplier: { path: '/suppliers/north', body: { name: 'Other' } },
    createSource: { path: '/suppliers/north/sources', body: { name: 'other', ...source } },
    putSource: { path: '/suppliers/north/sources/feed', body: { ...source, mode: 'delta' } },
    patchSource: { path: '/suppliers/north/sources/feed', body: { mode: 'delta' } },
    runSource: { path: '/suppliers/north/sources/feed/run', body: { dry_run: true } },
    repeatImport: { path: `/imports/${run}/repeat`, body: { mode: 'delta', dry_run: true, mapping: source.mapping } },
    createSourceOrder: { path: '/source-orders', body: { field: 'images', ...order } },
    putSourceOrder: { path: '/source-orders/title', body: order },
    patchSourceOrder: { path: '/source-orders/title', body: order },
    createPricingRule: { path: '/pricing-rules', body: { ...pricing, name: 'Other' } },
    patchPricingRule: { path: `/pricing-rules/${rule}`, body: { percent: '66' } },
    createExclusionRule: { path: '/exclusion-rules', body: { ...exclusion, name: 'Other' } },
    patchExclusionRule: { path: `/exclusion-rules/${out}`, body: { amount: '66' } },
    createAssortmentRule: { path: '/assortment-rules', body: { ...assortment, is_listed: false } },
    patchAssortmentRule: { path: `/assortment-rules/${list}`, body: { is_listed: false } },
    createChannel: { path: '/channels', body: { ...file, name: 'Other' } },
    patchChannel: { path: `/channels/${channel}`, body: { name: 'Other' } },
    createNoticeChannel: { path: '/notice-channels', body: { ...team, name: 'Other' } },
    patchNoticeChannel: { path: `/notice-channels/${told}`, body: { name: 'Other' } },
    createProduct: { path: '/products', body: { sku: 'OTHER', ...mine } },
    patchProduct: { path: `/products/${id}`, body: mine },
    adoptImages: { path: '/images/adopt', body: { supplier: 'north' } },
    confirmPrices: { path: '/findings/confirm-prices', body: { product_ids: [id] } },
    mergeProducts: { path: `/products/${id}/merge`, body: { product_ids: [other] } },
    splitProduct: { path: `/products/${id}/split`, body: { offers: [{ supplier: 'north', sku: 'A' }] } },
    createVariantGroup: { path: '/variant-groups', body: { products: [{ product_id: id }] } },
    patchVariantGroup: { path: `/variant-groups/${group}`, body: { title: { en: 'Other' } } },
    ungroupProducts: { path: '/ungroup', body: { product_ids: [other] } },
    putStock: { path: `/products/${id}/stock`, body: { quantity: 66 } },
    patchStock: { path: `/products/${id}/stock`, body: { quantity: 66 } },
    putOffer: { path: '/suppliers/north/offers/A', body: offer },
    patchOffer: { path: '/suppliers/north/offers/A', body: offer },
    bulkOffers: { path: '/bulk/offers', body: { rows: [] } },
    bulkPrices: { path: '/bulk/prices', body: { rows: [] } },
    bulkStock: { path: '/bulk/stock', body: { rows: [] } },
    bulkOverrides: { path: '/bulk/overrides', body: { rows: [] } },
    bulkExclusions: { path: '/bulk/exclusions', body: { rows: [] } },
  }
  return { writer, bases, id, other }
}

export const documented = () =>
  document.operations.flatMap(({ method, operation }) => {
    // files are not JSON, and tested in test/images/uploads.full.pg.test.ts
    const [, content] =
      Object.entries(operation.requestBody?.content ?? {}).find(([type]) => type.endsWith('json')) ?? []
    // bodies that are no settings of the account, such as mirror checks, which test/feed/mirror-checks.pg.test.ts has
    const isApart = ['receiveDelivery', 'tellMirrorCheck'].includes(operation.operationId)
    return content === undefined || method === 'get' || isApart
      ? []
      : [{ id: operation.operationId, method: method.toUpperCase(), schema: content.schema }]
  })

/** The body as JSON, with one member replaced by the text `json`. */
export const withMember = (body: Record<string, unknown>, name: string, json: string) =>
  `{${[
    ...Object.entries(body)
      .filter(([other]) => other !== name)
      .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`),
    `${JSON.stringify(name)}:${json}`,
  ].join()}}`

/** Describes how an answer differs from a refusal that names the member `name`; null if it is one. */
export function misfit(answer: Answer, name: string, statuses: readonly number[] = [422]): string | null {
  const { status, body } = answer
  if (!statuses.includes(status)) return `${status} ${answer.text.slice(0, 160)}`
  const names = ((body.errors ?? []) as { name: string }[]).map((fault) => fault.name)
  if (names.length === 0) return `errors names nothing: ${answer.text.slice(0, 160)}`
  return names.every((one) => one === name || one.startsWith(`${name}.`))
    ? null
    : `errors names ${names.join()} instead of ${name}`
}
