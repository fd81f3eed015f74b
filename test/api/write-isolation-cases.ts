import { pngBomb } from '../images/pictures.ts'
import { eanOf } from './account-writer.ts'

// For every write operation the requests that name resources of an account in path, query and body.

/** The ids, keys and names of an account's resources. */
export interface Named {
  /** Part of all texts of the account. */
  name: string
  store: string
  storeId: number
  groupId: number
  currency: string
  categoryId: number
  variantGroupId: number
  attribute: string
  taxClass: string
  priceList: string
  supplier: string
  supplierId: number
  source: string
  field: string
  pricingRuleId: number
  exclusionRuleId: number
  assortmentRuleId: number
  channelId: number
  noticeChannelId: number
  productId: number
  otherId: number
  productSku: string
  ean: string
  offer: string
  otherOffer: string
  operationId: number
  /** A supplier that sends files, and two of its import runs: one that was imported, and one that is held. */
  lists: string
  runId: number
  heldRunId: number
}

/** Names that no account has. An answer about another account's resource must not differ from one about these. */
export const NOBODYS: Named = {
  name: 'nobody',
  store: 'shop-of-nobody',
  storeId: 900_000_001,
  groupId: 900_000_002,
  currency: 'BBD',
  categoryId: 900_000_003,
  variantGroupId: 900_000_014,
  attribute: 'size-nobody',
  taxClass: 'tax-nobody',
  priceList: 'prices-nobody',
  supplier: 'goods-of-nobody',
  supplierId: 900_000_004,
  source: 'feed-of-nobody',
  field: 'sku',
  pricingRuleId: 900_000_005,
  exclusionRuleId: 900_000_006,
  assortmentRuleId: 900_000_007,
  channelId: 900_000_008,
  noticeChannelId: 900_000_012,
  productId: 900_000_009,
  otherId: 900_000_010,
  productSku: 'OWN-nobody',
  ean: eanOf(999_999),
  offer: 'A/nobody',
  otherOffer: 'B/nobody',
  operationId: 900_000_011,
  lists: 'lists-of-nobody',
  runId: 900_000_012,
  heldRunId: 900_000_013,
}

/** A supplier's file, for the built-in mapping of Google Merchant. */
export const FEED = 'id,title,price,availability\nL-1,Lamp,1.00 EUR,in stock\n'

export type Request = readonly [path: string, body?: unknown]
export interface Case {
  requests: (of: Named) => Request[]
  /** The request names a key that its owner chose, so another account may create a resource of its own with it. */
  makesOwn?: boolean
}

const SOURCE = { kind: 'http', url: 'https://files.example/a.csv', mapping: { fields: { sku: 'sku' } }, mode: 'delta' }
const PUT_STORE = { name: 'S', locale: 'en', currency: 'EUR' }
const rule = (of: Named) => [
  { store_ids: [of.storeId] },
  { group_ids: [of.groupId] },
  { supplier_ids: [of.supplierId] },
  { product_ids: [of.productId] },
]
export const key = encodeURIComponent

/** The cases of one resource: list, create, read, put if it has one, patch, delete. */
function resource(
  name: string,
  path: string | ((of: Named) => string),
  keyOf: (of: Named) => string | number,
  create: (of: Named) => object[],
  patch: (of: Named) => object[],
  put?: (of: Named) => object[],
): Record<string, Case> {
  const all = (of: Named) => `/${typeof path === 'string' ? path : path(of)}`
  const one = (of: Named) => `${all(of)}/${keyOf(of)}`
  return {
    [`list${name}Resources`]: {
      requests: (of) => [[all(of)], [`${all(of)}?after=${keyOf(of)}`]],
      makesOwn: typeof path === 'string',
    },
    [`create${name}`]: {
      requests: (of) => create(of).map((body) => [all(of), body]),
      makesOwn: (put !== undefined && typeof path === 'string') || name === 'Group' || name === 'Category',
    },
    [`get${name}Resource`]: { requests: (of) => [[one(of)]] },
    ...(put === undefined
      ? {}
      : {
          [`put${name}`]: {
            requests: (of: Named) => put(of).map((body): Request => [one(of), body]),
            makesOwn: typeof path === 'string',
          },
        }),
    [`patch${name}`]: { requests: (of) => patch(of).map((body) => [one(of), body]) },
    [`delete${name}`]: { requests: (of) => [[one(of)]] },
  }
}

export const CASES: Readonly<Record<string, Case>> = {
  getAccount: { requests: () => [['']], makesOwn: true },
  getAccountLimits: { requests: () => [['/limits']], makesOwn: true },
  patchAccount: { requests: () => [['', { time_zone: 'Europe/Berlin' }]], makesOwn: true },
  ...resource(
    'Store',
    'stores',
    (of) => of.store,
    (of) => [{ ...PUT_STORE, slug: `${of.store}-2` }],
    () => [{ name: 'Changed' }],
    () => [PUT_STORE],
  ),
  ...resource(
    'Group',
    'groups',
    (of) => of.groupId,
    () => [{ name: 'New group' }],
    () => [{ name: 'Changed' }],
  ),
  ...resource(
    'Rate',
    'rates',
    (of) => of.currency,
    () => [{ currency: 'CHF', rate: '1' }],
    () => [{ rate: '12' }],
    () => [{ rate: '13' }],
  ),
  ...resource(
    'TaxClass',
    'tax-classes',
    (of) => of.taxClass,
    (of) => [{ key: `${of.taxClass}-2`, name: 'New' }],
    () => [{ name: 'Changed' }, { rates: [{ country: 'DE', valid_from: '2026-01-01', percent: '1' }] }],
    () => [{ name: 'Replaced' }],
  ),
  ...resource(
    'PriceList',
    'price-lists',
    (of) => of.priceList,
    (of) => [{ key: `${of.priceList}-2`, name: 'New', currency: 'EUR', store_ids: [of.storeId] }],
    (of) => [{ name: 'Changed' }, { group_id: of.groupId }, { store_ids: [of.storeId] }],
    () => [{ name: 'Replaced', currency: 'EUR' }],
  ),
  ...resource(
    'Category',
    'categories',
    (of) => of.categoryId,
    () => [{ path: 'New/Path' }],
    () => [{ path: 'Changed' }],
  ),
  ...resource(
    'Attribute',
    'attributes',
    (of) => of.attribute,
    (of) => [{ key: `${of.attribute}-2` }],
    () => [{ unit: 'x' }],
    () => [{ unit: 'y' }],
  ),
  ...resource(
    'VariantGroup',
    'variant-groups',
    (of) => of.variantGroupId,
    (of) => [{ products: [{ product_id: of.productId }] }],
    (of) => [{ title: { en: 'Changed' } }, { products: [{ product_id: of.otherId }] }],
  ),
  ungroupProducts: {
    requests: (of) => [
      ['/ungroup', { product_ids: [of.productId] }],
      ['/ungroup', { product_ids: [of.productId], follow_suppliers: true }],
    ],
  },
  ...resource(
    'Supplier',
    'suppliers',
    (of) => of.supplier,
    (of) => [{ code: `${of.supplier}-2`, name: 'N', currency: 'EUR' }],
    () => [{ name: 'Changed' }],
    () => [{ name: 'N', currency: 'EUR' }],
  ),
  ...resource(
    'Source',
    (of) => `suppliers/${of.supplier}/sources`,
    (of) => of.source,
    () => [{ ...SOURCE, name: 'new' }],
    () => [{ every_minutes: 5 }],
    () => [SOURCE],
  ),
  runSource: { requests: (of) => [[`/suppliers/${of.supplier}/sources/${of.source}/run`, {}]] },
  testSource: { requests: (of) => [[`/suppliers/${of.supplier}/sources/${of.source}/test`]] },
  ...resource(
    'SourceOrder',
    'source-orders',
    (of) => of.field,
    (of) => [{ field: 'title', supplier_ids: [of.supplierId] }],
    (of) => [{ supplier_ids: [of.supplierId] }],
    (of) => [{ supplier_ids: [of.supplierId] }],
  ),
  ...resource(
    'PricingRule',
    'pricing-rules',
    (of) => of.pricingRuleId,
    (of) => rule(of).map((over) => ({ name: 'R', action: 'markup', percent: '90', priority: 0, ...over })),
    (of) => [{ name: 'Changed' }, ...rule(of)],
  ),
  ...resource(
    'ExclusionRule',
    'exclusion-rules',
    (of) => of.exclusionRuleId,
    (of) => [
      { name: 'X', kind: 'no_ean', store_ids: [of.storeId] },
      { name: 'X', kind: 'supplier', supplier_ids: [of.supplierId] },
    ],
    (of) => [{ store_ids: [of.storeId] }, { supplier_ids: [of.supplierId] }],
  ),
  ...resource(
    'AssortmentRule',
    'assortment-rules',
    (of) => of.assortmentRuleId,
    (of) => [{ name: 'A', store_id: of.storeId, is_listed: false }],
    (of) => [{ supplier_ids: [of.supplierId] }],
  ),
  ...resource(
    'Channel',
    'channels',
    (of) => of.channelId,
    (of) => [
      { name: 'C', store: of.store, format: 'csv' },
      { name: 'C', store: of.store, format: 'google', group_id: of.groupId },
    ],
    (of) => [{ name: 'Changed' }, { group_id: of.groupId }],
  ),
  ...resource(
    'NoticeChannel',
    'notice-channels',
    (of) => of.noticeChannelId,
    () => [{ name: 'N', kind: 'webhook', url: 'https://hooks.invalid/other' }],
    () => [{ name: 'Changed' }, { is_paused: true }],
  ),
  createNoticeChannel: {
    requests: () => [['/notice-channels', { name: 'N', kind: 'webhook', url: 'https://hooks.invalid/other' }]],
    makesOwn: true,
  },
  testNoticeChannel: { requests: (of) => [[`/notice-channels/${of.noticeChannelId}/test`, {}]] },
  rotateChannel: { requests: (of) => [[`/channels/${of.channelId}/rotate`, {}]] },
  listProductResources: { requests: (of) => [['/products'], [`/products?after=${of.productId - 1}`]], makesOwn: true },
  createProduct: {
    requests: (of) => [
      ['/products', { sku: `${of.productSku}-2`, listings: { [of.store]: true } }],
      ['/products', { exclusions: { [of.store]: 'x' } }],
    ],
  },
  getProductResource: { requests: (of) => [[`/products/${of.productId}`]] },
  patchProduct: {
    requests: (of) => [
      [`/products/${of.productId}`, { title: { en: 'Changed' } }],
      [`/products/${of.productId}`, { listings: { [of.store]: true } }],
    ],
  },
  deleteProduct: { requests: (of) => [[`/products/${of.otherId}`]] },
  getFindings: { requests: () => [['/findings']], makesOwn: true },
  getCompleteness: { requests: () => [['/findings/completeness']], makesOwn: true },
  getAttributeValues: { requests: (of) => [[`/attributes/${of.attribute}/values?type=list`]] },
  listPriceListEntries: { requests: (of) => [[`/price-lists/${of.priceList}/entries`]] },
  patchPriceListEntries: {
    requests: (of) => [
      [`/price-lists/${of.priceList}/entries`, { entries: [{ product_id: of.productId, price: '33' }] }],
      [
        `/price-lists/${of.priceList}/entries`,
        { entries: [{ sku: of.productSku, group_id: of.groupId, price: '33' }] },
      ],
    ],
  },
  putPriceListFile: {
    requests: (of) => [[`/price-lists/${of.priceList}/file?confirm=true`, `sku,price\n${of.productSku},33\n`]],
  },
  listGaps: { requests: (of) => [[`/findings/gaps/no_image?store=${of.store}`]] },
  listStaleOffers: { requests: (of) => [[`/findings/stale-offers/${of.supplier}`]] },
  confirmPrices: { requests: (of) => [['/findings/confirm-prices', { product_ids: [of.productId] }]] },
  mergeProducts: { requests: (of) => [[`/products/${of.productId}/merge`, { product_ids: [of.otherId] }]] },
  splitProduct: {
    requests: (of) => [
      [`/products/${of.productId}/split`, { offers: [{ supplier: of.supplier, sku: of.otherOffer }] }],
    ],
  },
  getProductFields: {
    requests: (of) => [[`/products/${of.productId}/fields`], [`/products/${of.productId}/fields?store=${of.store}`]],
  },
  explainProduct: {
    requests: (of) => [
      [`../products/${of.productId}/explain`],
      [`../products/${of.productId}/explain?store=${of.store}`],
    ],
  },
  getPriceHistory: {
    requests: (of) => [
      [`/products/${of.productId}/price-history`],
      [`/products/${of.productId}/price-history?store=${of.store}&customer_group_id=${of.groupId}`],
    ],
  },
  getStock: { requests: (of) => [[`/products/${of.productId}/stock`]] },
  putStock: { requests: (of) => [[`/products/${of.productId}/stock`, { quantity: 77 }]] },
  patchStock: { requests: (of) => [[`/products/${of.productId}/stock`, { quantity: 78 }]] },
  deleteStock: { requests: (of) => [[`/products/${of.productId}/stock`]] },
  listOffers: {
    requests: (of) => [[`/suppliers/${of.supplier}/offers`], [`/suppliers/${of.supplier}/offers?after=0`]],
  },
  getOffer: { requests: (of) => [[`/suppliers/${of.supplier}/offers/${key(of.offer)}`]] },
  putOffer: {
    requests: (of) => [[`/suppliers/${of.supplier}/offers/${key(of.offer)}`, { cost: '1', eans: [of.ean] }]],
  },
  patchOffer: { requests: (of) => [[`/suppliers/${of.supplier}/offers/${key(of.offer)}`, { quantity: 79 }]] },
  deleteOffer: { requests: (of) => [[`/suppliers/${of.supplier}/offers/${key(of.otherOffer)}`]] },
  detectFile: { requests: (of) => [[`/suppliers/${of.lists}/imports/detect`, FEED]] },
  previewFile: { requests: (of) => [[`/suppliers/${of.lists}/imports/preview?mapping=google`, FEED]] },
  uploadFile: {
    requests: (of) => [[`/suppliers/${of.supplier}/imports?mapping=google&mode=delta&dry_run=true`, FEED]],
  },
  listImports: {
    requests: (of) => [['/imports'], [`/imports?before=${of.runId + 1}`], ['/imports?state=held']],
    makesOwn: true,
  },
  getImport: { requests: (of) => [[`/imports/${of.runId}`]] },
  getImportRefusals: {
    requests: (of) => [[`/imports/${of.runId}/refusals`], [`/imports/${of.runId}/refusals?format=ndjson`]],
  },
  getImportFile: { requests: (of) => [[`/imports/${of.runId}/file`]] },
  listImportChanges: {
    requests: (of) => [[`/imports/${of.runId}/changes`], [`/imports/${of.runId}/changes?after=L&kind=created&sku=L`]],
  },
  previewUndo: { requests: (of) => [[`/imports/${of.runId}/undo`]] },
  undoImport: { requests: (of) => [[`/imports/${of.runId}/undo`, {}]] },
  repeatImport: { requests: (of) => [[`/imports/${of.heldRunId}/repeat`, { dry_run: true }]] },
  confirmImport: { requests: (of) => [[`/imports/${of.heldRunId}/confirm`, {}]] },
  cancelImport: { requests: (of) => [[`/imports/${of.runId}/cancel`, {}]] },
  adoptImages: { requests: (of) => [['/images/adopt', { supplier: of.supplier }]] },
  uploadImage: { requests: () => [['/images', new Uint8Array(pngBomb(8, 8))]], makesOwn: true },
  bulkOffers: {
    requests: (of) => [
      ['/bulk/offers', { rows: [{ supplier: of.supplier, sku: of.offer, cost: '1' }] }],
      ['/bulk/offers?atomic=true', { rows: [{ supplier: of.supplier, sku: of.offer, cost: '1' }] }],
    ],
  },
  bulkPrices: { requests: (of) => [['/bulk/prices', { rows: [{ supplier: of.supplier, sku: of.offer, cost: '1' }] }]] },
  bulkStock: {
    requests: (of) => [
      ['/bulk/stock', { rows: [{ product_id: of.productId, quantity: 1 }] }],
      ['/bulk/stock', { rows: [{ sku: of.productSku, quantity: 1 }] }],
      ['/bulk/stock', { rows: [{ ean: of.ean, quantity: 1 }] }],
    ],
  },
  bulkOverrides: {
    requests: (of) => [
      [
        '/bulk/overrides',
        {
          rows: [
            { product_id: of.productId, field: 'manufacturer', value: 'X' },
            { sku: of.productSku, field: 'title', locale: 'en', value: 'X' },
            { ean: of.ean, field: 'images', value: [] },
          ],
        },
      ],
    ],
  },
  bulkExclusions: {
    requests: (of) => [
      [
        '/bulk/exclusions',
        {
          rows: [
            { product_id: of.productId, reason: 'X' },
            { sku: of.productSku, reason: 'X' },
            { ean: of.ean, reason: 'X' },
          ],
        },
      ],
    ],
  },
  listOperations: { requests: (of) => [['/operations'], [`/operations?before=${of.operationId + 1}`]], makesOwn: true },
  getOperation: { requests: (of) => [[`/operations/${of.operationId}`]] },
  listOperationErrors: { requests: (of) => [[`/operations/${of.operationId}/errors`]] },
  cancelOperation: { requests: (of) => [[`/operations/${of.operationId}/cancel`, {}]] },
}
