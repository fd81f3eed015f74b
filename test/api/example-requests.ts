import { eanOf } from './account-writer.ts'

// The requests of the examples in the OpenAPI document, in an order in which each can be answered: a garden shop with two
// suppliers. The first request of an operation is its example; later ones add answers with other statuses.

/** The parts of an example's request besides its operation. */
export interface Asked {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: unknown
  /** A file as the body; the document does not show its content. */
  file?: { type: string; content: string }
  headers?: Record<string, string>
  /** Not recorded: the request only prepares a later one. */
  isPassing?: true
}
/**
 * Sends a request. The first request of an operation is recorded as its example, and so is the first answer with each status.
 * @returns the body of the answer.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Ask = (operationId: string, asked?: Asked) => Promise<any>

/** IDs that later requests need. */
export interface ExampleIds {
  store: number
  group: number
  spareGroup: number
  category: number
  acme: number
  rule: number
  exclusion: number
  assortment: number
  channel: number
  file: string
  spade: number
  hose: number
  gloves: number
  /** An operation that the worker has yet to do. */
  bulk: number
  /** Import runs that the worker has yet to do; it holds the second. */
  runs: number[]
}

/** Writes the settings: account, stores, groups, rates, categories, attributes, suppliers, rules. */
export async function fillCatalog(ask: Ask): Promise<ExampleIds> {
  await ask('patchAccount', { body: { time_zone: 'Europe/Warsaw', price_jump_factor: '3' } })
  await ask('getAccount')
  await ask('getAccountLimits')

  await ask('createRate', { body: { currency: 'PLN', rate: '4.25' } })
  for (const rate of ['1.10', '1.12']) await ask('putRate', { params: { currency: 'USD' }, body: { rate } })
  await ask('patchRate', { params: { currency: 'USD' }, body: { rate: '1.11' } })
  await ask('getRateResource', { params: { currency: 'PLN' } })
  await ask('listRateResources')
  const rates = [
    { country: 'DE', valid_from: '2021-01-01', percent: '19' },
    { country: 'PL', valid_from: '2020-01-01', percent: '23' },
  ]
  await ask('createTaxClass', {
    body: { key: 'standard', name: 'Standard rate', is_default: true, codes: ['19'], rates },
  })
  const reduced = [{ country: 'DE', valid_from: '2021-01-01', percent: '7' }]
  for (const name of ['Reduced', 'Reduced rate'])
    await ask('putTaxClass', { params: { key: 'reduced' }, body: { name, codes: ['7'], rates: reduced } })
  await ask('patchTaxClass', { params: { key: 'reduced' }, body: { codes: ['7', 'VAT 7'] } })
  await ask('getTaxClassResource', { params: { key: 'standard' } })
  await ask('listTaxClassResources')
  await ask('createPriceList', {
    body: { key: 'trade', name: 'Trade prices', currency: 'EUR', group_id: null, valid_to: '2030-12-31' },
  })
  for (const name of ['Spring', 'Spring prices'])
    await ask('putPriceList', { params: { key: 'spring' }, body: { name, currency: 'EUR', valid_to: '2030-06-30' } })
  await ask('patchPriceList', { params: { key: 'spring' }, body: { priority: 50 } })
  await ask('getPriceListResource', { params: { key: 'trade' } })
  await ask('listPriceListResources')

  const created = await ask('createStore', { body: { slug: 'pl', name: 'Sklep', locale: 'pl-PL', currency: 'PLN' } })
  const german = { params: { slug: 'de' }, body: { name: 'Gartenladen', locale: 'de', currency: 'EUR' } }
  for (let i = 0; i < 2; i++) await ask('putStore', german)
  await ask('patchStore', { params: { slug: 'pl' }, body: { name: 'Sklep ogrodniczy' } })
  await ask('getStoreResource', { params: { slug: 'pl' } })
  await ask('listStoreResources', { query: { per_page: 2 } })

  const group = await ask('createGroup', { body: { name: 'Wholesale' } })
  const spareGroup = await ask('createGroup', { body: { name: 'Staff' } })
  await ask('patchGroup', { params: { id: group.data.id }, body: { name: 'Trade' } })
  await ask('getGroupResource', { params: { id: group.data.id } })
  await ask('listGroupResources')

  const category = await ask('createCategory', {
    body: {
      path: 'Tools/Hand tools',
      supplier_paths: ['Acme/Tools'],
      names: { de: 'Handwerkzeug', pl: 'Narzędzia ręczne' },
      external_id: 'hand-tools',
    },
  })
  const one = { params: { id: category.data.id } }
  await ask('patchCategory', { ...one, body: { supplier_paths: ['Acme/Tools', 'Garden/Spades'] } })
  await ask('getCategoryResource', one)
  await ask('listCategoryResources')

  const length = { unit: 'cm', position: 1, labels: { en: 'Length', pl: 'Długość' } }
  await ask('createAttribute', { body: { key: 'length', ...length } })
  const color = { position: 2, labels: { en: 'Colour', pl: 'Kolor' }, options: { red: { pl: 'czerwony' } } }
  for (let i = 0; i < 2; i++) await ask('putAttribute', { params: { key: 'color' }, body: color })
  await ask('patchAttribute', { params: { key: 'color' }, body: { labels: { de: 'Farbe' } } })
  await ask('getAttributeResource', { params: { key: 'length' } })
  await ask('listAttributeResources')

  const acme = await ask('createSupplier', { body: { code: 'acme', name: 'Acme', currency: 'EUR', priority: 10 } })
  const garden = { name: 'Garden Ltd', currency: 'USD', priority: 20, safety_buffer: 2 }
  for (let i = 0; i < 2; i++) await ask('putSupplier', { params: { code: 'garden' }, body: garden })
  await ask('patchSupplier', { params: { code: 'garden' }, body: { safety_buffer: 1 } })
  await ask('getSupplierResource', { params: { code: 'acme' } })
  await ask('listSupplierResources')

  const ofAcme = { code: 'acme' }
  await ask('createSource', {
    params: ofAcme,
    body: {
      name: 'stock',
      kind: 'http',
      url: 'https://files.acme.example/stock.csv',
      credentials: { kind: 'basic', username: 'garden-shop', password: 'a password' },
      mapping: { format: 'csv', delimiter: ';', fields: { sku: 'Article', cost: 'Price', quantity: 'Stock' } },
      mode: 'delta',
      every_minutes: 30,
    },
  })
  const catalog = { kind: 'directory', path: 'north.csv', mapping: { preset: 'woocommerce' }, cron: '30 5 * * 1-6' }
  for (let i = 0; i < 2; i++) await ask('putSource', { params: { ...ofAcme, name: 'catalog' }, body: catalog })
  await ask('patchSource', { params: { ...ofAcme, name: 'stock' }, body: { every_minutes: 15 } })
  await ask('getSourceResource', { params: { ...ofAcme, name: 'stock' } })
  await ask('listSourceResources', { params: ofAcme })
  await ask('testSource', { params: { ...ofAcme, name: 'catalog' } })
  await ask('runSource', { params: { ...ofAcme, name: 'catalog' }, body: { dry_run: true } })

  const acmeId = acme.data.id as number
  await ask('createSourceOrder', { body: { field: 'title', supplier_ids: [acmeId] } })
  for (let i = 0; i < 2; i++)
    await ask('putSourceOrder', { params: { field: 'images' }, body: { supplier_ids: [acmeId] } })
  await ask('patchSourceOrder', { params: { field: 'images' }, body: { supplier_ids: [acmeId] } })
  await ask('getSourceOrderResource', { params: { field: 'title' } })
  await ask('listSourceOrderResources')

  const rounding = { EUR: { step: '1', ending: '0.99', direction: 'up' } }
  const rule = await ask('createPricingRule', {
    body: {
      name: 'Trade, 20 %',
      priority: 10,
      group_ids: [group.data.id],
      action: 'markup',
      percent: '20',
      floor_profit: '1',
      rounding,
    },
  })
  await ask('patchPricingRule', { params: { id: rule.data.id }, body: { percent: '22', valid_from: '2026-01-01' } })
  await ask('getPricingRuleResource', { params: { id: rule.data.id } })
  await ask('listPricingRuleResources')

  const exclusion = await ask('createExclusionRule', {
    body: { name: 'Too cheap to send', kind: 'price_below', amount: '2', reason: 'too_cheap' },
  })
  await ask('patchExclusionRule', { params: { id: exclusion.data.id }, body: { amount: '1.50' } })
  await ask('getExclusionRuleResource', { params: { id: exclusion.data.id } })
  await ask('listExclusionRuleResources')

  const assortment = await ask('createAssortmentRule', {
    body: {
      name: 'No electrical goods in Poland',
      store_id: created.data.id,
      is_listed: false,
      categories: ['Electrical'],
    },
  })
  await ask('patchAssortmentRule', { params: { id: assortment.data.id }, body: { priority: 5 } })
  await ask('getAssortmentRuleResource', { params: { id: assortment.data.id } })
  await ask('listAssortmentRuleResources')

  const channel = await ask('createChannel', {
    body: { name: 'Price comparison', store: 'main', format: 'csv', link_template: 'https://shop.example.com/p/{sku}' },
  })
  await ask('patchChannel', { params: { id: channel.data.id }, body: { name: 'Prices for comparison' } })
  await ask('getChannelResource', { params: { id: channel.data.id } })
  await ask('listChannelResources')
  const rotated = await ask('rotateChannel', { params: { id: channel.data.id } })

  const team = await ask('createNoticeChannel', {
    body: { name: 'Team', kind: 'slack', url: 'https://hooks.example.com/services/T0/B0/secret' },
  })
  const teams = { params: { id: team.data.id } }
  await ask('patchNoticeChannel', { ...teams, body: { notice_kinds: ['source_held', 'source_failing'] } })
  await ask('getNoticeChannelResource', teams)
  await ask('listNoticeChannelResources')
  await ask('testNoticeChannel', teams)
  await ask('deleteNoticeChannel', teams)

  return {
    store: created.data.id,
    group: group.data.id,
    spareGroup: spareGroup.data.id,
    category: category.data.id,
    acme: acmeId,
    rule: rule.data.id,
    exclusion: exclusion.data.id,
    assortment: assortment.data.id,
    channel: channel.data.id,
    file: (rotated.data.url as string).split('/').at(-1) ?? '',
    spade: 0,
    hose: 0,
    gloves: 0,
    bulk: 0,
    runs: [],
  }
}

/** Writes offers, products, own stock and bulks; adds the ids of what they create to `ids`. */
export async function writeProducts(ask: Ask, ids: ExampleIds): Promise<void> {
  const spade = {
    eans: [eanOf(101)],
    cost: '9.50',
    quantity: 12,
    texts: { en: { title: 'Spade', description: '<p>Forged steel.</p>' }, pl: { title: 'Szpadel' } },
    manufacturer: 'Acme',
    category: 'Acme/Tools',
    attributes: [
      { key: 'length', value: '120' },
      { key: 'color', value: 'red' },
    ],
    images: ['https://images.example.com/spade.jpg'],
    group: { key: 'SPADE', title: { en: 'Spade' }, options: [{ key: 'size', label: 'Size', value: 'M' }], position: 1 },
  }
  const offer = { params: { code: 'acme', sku: 'SP-1' } }
  for (let i = 0; i < 2; i++) ids.spade = (await ask('putOffer', { ...offer, body: spade })).data.product_id as number
  await ask('patchOffer', { ...offer, body: { quantity: 15 } })
  await ask('getOffer', offer)

  await ask('bulkOffers', {
    body: {
      rows: [
        { supplier: 'garden', sku: 'G-7', eans: [eanOf(101)], cost: '12', quantity: '>10' },
        { supplier: 'acme', sku: 'HO-2', cost: '18', quantity: 4, texts: { en: { title: 'Garden hose' } } },
        { supplier: 'acme', sku: 'GL-3', cost: 'cheap' },
      ],
    },
  })
  await ask('bulkPrices', { body: { rows: [{ supplier: 'acme', sku: 'HO-2', cost: '17.20', quantity: 6 }] } })
  await ask('listOffers', { params: { code: 'acme' }, query: { per_page: 1 } })
  ids.hose = (await ask('getOffer', { params: { code: 'acme', sku: 'HO-2' }, isPassing: true })).data
    .product_id as number

  const gloves = { sku: 'GLOVES', title: { en: 'Gloves', pl: 'Rękawice' }, listings: { main: true } }
  ids.gloves = (await ask('createProduct', { body: gloves })).data.id as number
  await ask('patchProduct', {
    params: { id: ids.spade },
    body: { title: { en: 'Garden spade' }, attributes: { warranty: { '*': '5 years' } } },
  })
  await ask('getProductResource', { params: { id: ids.spade } })
  await ask('listProductResources', { query: { per_page: 1, after: ids.hose } })

  const made = await ask('createVariantGroup', {
    body: {
      title: { en: 'Garden tools', pl: 'Narzędzia ogrodowe' },
      options: [{ key: 'size', labels: { en: 'Size', pl: 'Rozmiar' } }],
      products: [{ product_id: ids.gloves, options: { size: '9' } }, { product_id: ids.hose }],
    },
  })
  const tools = { params: { id: made.data.id } }
  await ask('patchVariantGroup', {
    ...tools,
    body: { title: { de: 'Gartengeräte' }, products: [{ product_id: ids.gloves, options: { size: '10' } }] },
  })
  await ask('getVariantGroupResource', tools)
  await ask('listVariantGroupResources')
  await ask('ungroupProducts', { body: { product_ids: [ids.hose] } })
  await ask('deleteVariantGroup', tools)

  const entries = [{ product_id: ids.spade, price: '24.90' }]
  await ask('patchPriceListEntries', { params: { key: 'trade' }, query: { confirm: true }, body: { entries } })
  await ask('listPriceListEntries', { params: { key: 'trade' } })
  await ask('putPriceListFile', {
    params: { key: 'spring' },
    query: { confirm: true },
    file: { type: 'text/csv', content: `product_id;customer_group;price\n${ids.spade};;22,90\n` },
  })
  for (let i = 0; i < 2; i++) await ask('putStock', { params: { id: ids.spade }, body: { quantity: 3, cost: '8.90' } })
  await ask('patchStock', { params: { id: ids.spade }, body: { quantity: 2 } })
  await ask('getStock', { params: { id: ids.spade } })
  await ask('bulkStock', { body: { rows: [{ sku: 'GLOVES', quantity: 25, cost: '4' }] } })
  await ask('bulkOverrides', {
    body: { rows: [{ product_id: ids.hose, field: 'title', locale: 'pl', value: 'Wąż ogrodowy' }] },
  })
  const recalled = { product_id: ids.gloves, reason: 'recalled', expected: null }
  await ask('bulkExclusions', { body: { rows: [recalled, recalled] } })
  await ask('bulkExclusions', { body: { rows: [{ ...recalled, reason: null, expected: 'recalled' }] } })

  await ask('splitProduct', { params: { id: ids.spade }, body: { offers: [{ supplier: 'garden', sku: 'G-7' }] } }).then(
    async ({ data }) => {
      await ask('mergeProducts', { params: { id: ids.spade }, body: { product_ids: [data.id] } })
    },
  )

  // more rows than are written at once
  const rows = Array.from({ length: 1_001 }, (_, i) =>
    i === 0 ? { product_id: ids.spade, quantity: 4 } : { sku: `UNKNOWN-${i}`, quantity: 1 },
  )
  ids.bulk = (await ask('bulkStock', { body: { rows } })).data.id as number
  const costs = { rows: rows.map((_, i) => ({ supplier: 'acme', sku: `UNKNOWN-${i}`, cost: '1' })) }
  const canceled = await ask('bulkPrices', { body: costs })
  await ask('cancelOperation', { params: { id: canceled.data.id } })
  await ask('bulkOffers', { body: costs }).then(({ data }) => ask('cancelOperation', { params: { id: data.id } }))
  const texts = rows.map((_, i) => ({ sku: `UNKNOWN-${i}`, field: 'title', locale: 'en', value: 'None' }))
  await ask('bulkOverrides', { body: { rows: texts } }).then(({ data }) =>
    ask('cancelOperation', { params: { id: data.id } }),
  )
  const excluded = rows.map((_, i) => ({ sku: `UNKNOWN-${i}`, reason: 'recalled' }))
  await ask('bulkExclusions', { body: { rows: excluded } }).then(({ data }) =>
    ask('cancelOperation', { params: { id: data.id } }),
  )
}

/** Reads. @param work resolves when the worker has done the operation `ids.bulk`. */
export async function readCatalog(ask: Ask, ids: ExampleIds, work: () => Promise<void>): Promise<void> {
  await ask('health')
  await ask('readiness')
  await ask('listStores')
  await ask('listCustomerGroups')
  const groups = await ask('listVariantGroups')
  await ask('getVariantGroup', { params: { id: groups.data[0].id } })
  await ask('listCategories', { query: { store: 'pl' } })
  await ask('listProducts', { query: { store: 'pl', per_page: 2 } })
  await ask('getProduct', { params: { id: ids.spade }, query: { store: 'pl' } })
  await ask('listPrices', { query: { ids: `${ids.spade},${ids.hose}` } })
  await ask('getPrices', { params: { id: ids.spade } })
  const first = await ask('listChanges', { query: { store: 'main', limit: 1 }, isPassing: true })
  await ask('listChanges', { query: { store: 'main', since: first.next_since, since_id: first.next_id } })
  await ask('exportProducts', { query: { store: 'main' } })
  await ask('listDigests', { query: { store: 'main' } })
  await ask('listProductTags', { query: { store: 'main', half: 'price', limit: 2 } })
  const { next_since: since, next_id } = await ask('listChanges', { query: { since: 'now' }, isPassing: true })
  await ask('tellMirrorCheck', { body: { store: 'main', mirror: 'Medusa', since, since_id: next_id, differing: 0 } })
  await ask('listMirrorChecks')
  await ask('explainProduct', { params: { id: ids.spade }, query: { store: 'pl' } })
  await ask('getProductFields', { params: { id: ids.spade }, query: { store: 'pl' } })
  await ask('getPriceHistory', { params: { id: ids.spade }, query: { store: 'main' } })
  await ask('channelFile', { params: { file: ids.file } })
  const content = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M4 4h16v16H4z"/></svg>'
  const uploaded = await ask('uploadImage', { file: { type: 'image/svg+xml', content } })
  await ask('adoptImages', { body: { all: true } })
  const picture = { params: { file: `${uploaded.data.hash}.svg` } }
  await ask('image', picture)
  await ask('image', { ...picture, headers: { range: 'bytes=0-3' } })
  await importFiles(ask, ids)
  await work()
  await readRuns(ask, ids.runs)
  await ask('listOperationErrors', { params: { id: ids.bulk }, query: { per_page: 2 } })
  await ask('listOperations', { query: { per_page: 2 } })

  // a cost that jumps by more than the factor is held back
  await ask('patchOffer', { params: { code: 'acme', sku: 'HO-2' }, body: { cost: '172' } })
  await ask('getFindings')
  await ask('getCompleteness')
  await ask('listGaps', { params: { gap: 'no_category' }, query: { per_page: 1 } })
  await ask('getAttributeValues', { params: { key: 'length' }, query: { type: 'number' } })
  await ask('listStaleOffers', { params: { code: 'acme' } })
  await ask('confirmPrices', { body: { product_ids: [ids.hose] } })
}

/** Uploads and previews of suppliers' files, before the worker has imported them. */
async function importFiles(ask: Ask, ids: ExampleIds): Promise<void> {
  await ask('createSupplier', { body: { code: 'fence', name: 'Fence Inc', currency: 'EUR' }, isPassing: true })
  const sent = (...rows: string[]) => ({
    params: { code: 'fence' },
    file: { type: 'text/csv', content: `id,title,price,availability\n${rows.join('\n')}\n` },
  })
  const [fence, gate, hinge] = [
    'FE-1,Fence,40.00 EUR,in stock',
    'FE-2,Gate,90.00 EUR,in stock',
    'FE-3,Hinge,on request,in stock',
  ]
  const long = sent(fence, gate, 'FE-4,Bolt,2.00 EUR,in stock', 'FE-5,Post,12.00 EUR,in stock', hinge)
  await ask('detectFile', long)
  await ask('previewFile', { ...long, query: { mapping: 'google', rows: 1 } })
  for (const file of [long, sent(fence)])
    ids.runs.push((await ask('uploadFile', { ...file, query: { mapping: 'google', file_name: 'fences.csv' } })).data.id)
  const dry = await ask('uploadFile', { ...long, query: { mapping: 'google', dry_run: true }, isPassing: true })
  await ask('cancelImport', { params: { id: dry.data.id } })
}

/** Reads of the import runs after the worker has done them. */
async function readRuns(ask: Ask, [first = 0, held = 0]: readonly number[]): Promise<void> {
  const one = { params: { id: first } }
  await ask('listImports', { query: { supplier: 'fence', per_page: 2 } })
  await ask('getImport', one)
  await ask('getImportRefusals', one)
  await ask('getImportFile', one)
  await ask('listImportChanges', { ...one, query: { per_page: 1 } })
  await ask('previewUndo', one)
  await ask('undoImport', one)
  await ask('repeatImport', { ...one, body: { mode: 'delta', dry_run: true } })
  await ask('confirmImport', { params: { id: held } })
}

/** Deletes, the last requests of an account. */
export async function leaveCatalog(ask: Ask, ids: ExampleIds): Promise<void> {
  await ask('deleteStock', { params: { id: ids.spade } })
  await ask('deleteOffer', { params: { code: 'garden', sku: 'G-7' } })
  await ask('deleteProduct', { params: { id: ids.gloves } })
  await ask('deleteChannel', { params: { id: ids.channel } })
  await ask('deleteAssortmentRule', { params: { id: ids.assortment } })
  await ask('deleteExclusionRule', { params: { id: ids.exclusion } })
  await ask('deletePricingRule', { params: { id: ids.rule } })
  await ask('deleteSourceOrder', { params: { field: 'images' } })
  await ask('deleteAttribute', { params: { key: 'color' } })
  await ask('deleteCategory', { params: { id: ids.category } })
  await ask('deleteGroup', { params: { id: ids.spareGroup } })
  await ask('deletePriceList', { params: { key: 'spring' } })
  await ask('deleteTaxClass', { params: { key: 'reduced' } })
  await ask('deleteRate', { params: { currency: 'USD' } })
  await ask('deleteSource', { params: { code: 'acme', name: 'stock' } })
  await ask('deleteSupplier', { params: { code: 'garden' } })
  await ask('deleteStore', { params: { slug: 'de' } })
}

/** Requests of the operator. */
export async function operate(ask: Ask): Promise<void> {
  const made = await ask('createOperatorAccount', {
    body: { name: 'Tool shop', currency: 'EUR', locale: 'de', time_zone: 'Europe/Berlin' },
  })
  const one = { params: { account_id: made.data.id } }
  await ask('patchOperatorAccount', { ...one, body: { name: 'Tools and more' } })
  await ask('getOperatorAccount', one)
  await ask('listOperatorAccounts', { query: { per_page: 1 } })
  const products = { params: { ...one.params, budget: 'products' } }
  await ask('putOperatorLimit', { ...products, body: { limit: 50_000 } })
  await ask('listOperatorLimits', one)
  await ask('deleteOperatorLimit', products)
  await ask('createOperatorOwner', { ...one, body: { email: 'owner@example.com' } })
  await ask('putSuspension', { ...one, body: { reason: 'The invoice of October is unpaid.' } })
  await ask('deleteSuspension', one)
  await ask('putErasure', { ...one, body: { confirm: 'Tools and more', after_days: 30, reference: 'Request 17' } })
  await ask('getErasure', one)
  await ask('deleteErasure', one)
}
