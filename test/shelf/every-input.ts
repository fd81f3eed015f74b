import { createAssortmentRule, editAssortmentRule } from '../../src/catalog/settings/assortment-rules.ts'
import { categoriesList } from '../../src/catalog/settings/categories.sql.ts'
import { createCategory, editCategory, type NewCategory } from '../../src/catalog/settings/categories.ts'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import { createExclusionRule, editExclusionRule } from '../../src/catalog/settings/exclusion-rules.ts'
import { excludeProducts } from '../../src/catalog/products/exclusions.ts'
import { mergeProducts } from '../../src/catalog/products/merge-split.ts'
import { dropAbsentOffers, writeOffers, zeroOffers } from '../../src/catalog/products/offers.ts'
import { createRule, editRule, type PricingRuleChanges } from '../../src/catalog/settings/pricing-rules.ts'
import { editProduct } from '../../src/catalog/products/edit-product.ts'
import * as products from '../../src/catalog/products/products.ts'
import { createGroup, renameGroup } from '../../src/catalog/settings/groups.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/attribute-definitions.ts'
import { setRates } from '../../src/catalog/settings/rates.ts'
import { setSourceOrder } from '../../src/catalog/settings/source-orders.ts'
import { editStore } from '../../src/catalog/settings/stores.ts'
import { deleteSupplier, editSupplier } from '../../src/catalog/settings/suppliers.ts'
import type { Tx } from '../../src/db/sql.ts'
import type { OfferRecord } from '../../src/model/offer.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { confirmPrices } from '../../src/shelf/confirm-prices.ts'
import { offer, type TestAccount, type Said } from '../harness/account.ts'

/** What a case has to work with: the account of fixtures() and what was made of it. */
export interface Ground {
  account: TestAccount
  /** p1: offers of both suppliers; p2: of the first alone, with images; p3: own stock; p4: of the second alone. */
  p1: number
  p2: number
  p3: number
  p4: number
  /** A rule before the default one that only Hand tools of Acme in the first store match. */
  ruleId: number
  exclusionId: number
  assortmentId: number
}

type Work = (tx: Tx, ground: Ground) => Promise<Said>
export type Kind = 'price' | 'content' | 'removed'

/** Changes one input, after `before` has made it one that counts; the kinds that must then be in the feed, and no others. */
export interface Case {
  before?: Work
  change: Work
  kinds: readonly Kind[]
}

const ALL = { cost: '10.00', quantity: 5 }
export const OFFERS: Record<'first' | 'second', OfferRecord[]> = {
  first: [
    offer('A1', { ...ALL, eans: ['4006381333931', '96385074'] }),
    offer('A2', {
      ...ALL,
      manufacturer: 'Bolt',
      images: ['https://images.example.com/a2.jpg'],
      attributes: [{ key: 'weight', value: '1.5' }],
    }),
    offer('A3', ALL),
  ],
  second: [
    offer('B1', {
      cost: '48.00',
      quantity: 9,
      eans: ['4006381333931'],
      manufacturer: 'Zeta',
      category: 'Other',
      texts: { en: { title: 'Second' } },
    }),
    offer('B4', { cost: '20.00', quantity: 3 }),
  ],
}

/** What a rule condition is changed to so that it no longer matches, and what else the rule needs. */
const rule = (
  change: PricingRuleChanges,
  before: PricingRuleChanges = {},
  kinds: readonly Kind[] = ['price'],
): Case => ({
  before: async (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, before),
  change: async (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, change),
  kinds,
})
const feed = (record: Partial<OfferRecord>, kinds: readonly Kind[]): Case => ({
  change: async (tx, { account }) =>
    (await writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A2', ...record }])).productIds,
  kinds,
})
const exclusion = (
  before: Parameters<typeof editExclusionRule>[3],
  change: Parameters<typeof editExclusionRule>[3],
): Case => ({
  before: async (tx, { account, exclusionId }) => editExclusionRule(tx, account.accountId, exclusionId, before),
  change: async (tx, { account, exclusionId }) => editExclusionRule(tx, account.accountId, exclusionId, change),
  kinds: ['content'],
})
const assortment = (
  before: Parameters<typeof editAssortmentRule>[3],
  change: Parameters<typeof editAssortmentRule>[3],
  kinds: readonly Kind[],
): Case => ({
  before: async (tx, { account, assortmentId }) => editAssortmentRule(tx, account.accountId, assortmentId, before),
  change: async (tx, { account, assortmentId }) => editAssortmentRule(tx, account.accountId, assortmentId, change),
  kinds,
})
const category = (before: NewCategory, change: Partial<NewCategory>): Case => ({
  before: async (tx, { account }) => void (await createCategory(tx, account.accountId, before)),
  change: async (tx, { account }) =>
    editCategory(tx, account.accountId, (await categoriesList(tx, account.accountId))[0]?.categoryId ?? 0, change),
  kinds: ['price'],
})
const definition = (unit: string | null, position: number, label: string, option?: string) => ({
  key: 'color',
  unit,
  position,
  labels: { en: label },
  ...(option === undefined ? {} : { options: { red: { en: option } } }),
})

/**
 * Every column of every table that shelving reads: a case that changes it, or why no payload depends on it. The test
 * compares this list with the schema, so a new column without a line here fails.
 */
export const EVERY_INPUT: Readonly<Record<string, Case | string>> = {
  'account.account_id': 'key',
  'account.name': 'no payload names the account',
  'account.currency': 'never changes: costs and rates are stated in it',
  'account.locale': {
    change: (tx, { account }) => editAccount(tx, account.accountId, { locale: 'fr' }),
    kinds: ['content'],
  },
  'account.time_zone': 'gives account_inputs.day, which is the input',
  'account.created_at': 'no payload depends on it',
  'account.sku_pattern': {
    change: (tx, { account }) => editAccount(tx, account.accountId, { skuPattern: 'X-{id}' }),
    kinds: ['content'],
  },
  'account.price_jump_factor': {
    before: async (tx, { account }) => {
      await editAccount(tx, account.accountId, { priceJumpFactor: '1.5' })
      await editRule(tx, account.accountId, await defaultRule(tx, account), { percent: '900' })
    },
    change: (tx, { account }) => editAccount(tx, account.accountId, { priceJumpFactor: null }),
    kinds: ['price'],
  },
  'account_inputs.account_id': 'key',
  'account_inputs.version': 'bookkeeping: says when the shared inputs must be read again',
  'account_inputs.day': {
    before: (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, { validFrom: '2999-01-01' }),
    change: (tx, { account }) => advanceAccount(tx, account.accountId, RESOLVER_VERSION, '2999-01-01'),
    kinds: ['price'],
  },
  'account_inputs.ends_at': 'when the clock looks at the account again',
  'account_inputs.resolver':
    'which resolver the account was swept for; equal inputs may give another payload with another one',
  'store.account_id': 'key',
  'store.store_id': 'key',
  'store.slug': 'never changes',
  'store.name': 'not a member of the product object',
  'store.locale': {
    before: (tx, { account, p1 }) =>
      products.setOverrides(tx, account.accountId, [{ productId: p1, field: 'title', locale: 'de', value: 'Deutsch' }]),
    change: (tx, { account }) => editStore(tx, account.accountId, account.storeIds[0], { locale: 'de' }),
    kinds: ['content'],
  },
  'store.currency': {
    change: (tx, { account }) => editStore(tx, account.accountId, account.storeIds[0], { currency: 'USD' }),
    kinds: ['price'],
  },
  'store.is_default': 'decides which store a request reads that names none',
  'store.is_active':
    'an inactive store is not read; when it comes back a sweep brings it up to date (src/shelf/shelve.pg.test.ts)',
  'store.deleted_at': 'a deleted store is inactive, and never comes back (test/catalog/deletion.pg.test.ts)',
  'store.lists_by_default': {
    change: (tx, { account }) => editStore(tx, account.accountId, account.storeIds[1], { listsByDefault: false }),
    kinds: ['removed'],
  },
  'customer_group.account_id': 'key',
  'customer_group.group_id': {
    change: async (tx, { account }) => void (await createGroup(tx, account.accountId, 'Third')),
    kinds: ['price'],
  },
  'customer_group.name': {
    change: (tx, { account }) => renameGroup(tx, account.accountId, account.groupId, 'Trade'),
    kinds: ['price'],
  },
  'customer_group.is_default': 'never changes',
  'exchange_rate.account_id': 'key',
  'exchange_rate.currency': {
    before: (tx, { account }) => editStore(tx, account.accountId, account.storeIds[0], { currency: 'GBP' }),
    change: (tx, { account }) => setRates(tx, account.accountId, [{ currency: 'GBP', rate: '0.85' }]),
    kinds: ['price', 'content'],
  },
  'exchange_rate.rate': {
    change: (tx, { account }) => setRates(tx, account.accountId, [{ currency: 'PLN', rate: '4.5' }]),
    kinds: ['price'],
  },
  'pricing_rule.account_id': 'key',
  'pricing_rule.rule_id': {
    change: async (tx, { account }) =>
      void (await createRule(tx, account.accountId, { name: 'New', percent: '1', priority: 1 })),
    kinds: ['price'],
  },
  'pricing_rule.name': 'shown by explain alone',
  'pricing_rule.priority': {
    before: async (tx, { account }) =>
      void (await createRule(tx, account.accountId, { name: 'Other', percent: '2', priority: 50 })),
    change: (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, { priority: 60 }),
    kinds: ['price'],
  },
  'pricing_rule.is_default': 'never changes',
  'pricing_rule.is_active': rule({ isActive: false }),
  'pricing_rule.store_ids': {
    change: (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, { storeIds: [account.storeIds[2]] }),
    kinds: ['price'],
  },
  'pricing_rule.group_ids': {
    change: (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, { groupIds: [account.groupId] }),
    kinds: ['price'],
  },
  'pricing_rule.product_ids': {
    change: (tx, { account, ruleId, p4 }) => editRule(tx, account.accountId, ruleId, { productIds: [p4] }),
    kinds: ['price'],
  },
  'pricing_rule.supplier_ids': {
    change: (tx, { account, ruleId }) =>
      editRule(tx, account.accountId, ruleId, { supplierIds: [account.suppliers[1]!.supplierId] }),
    kinds: ['price'],
  },
  'pricing_rule.manufacturers': rule({ manufacturers: ['Nobody'] }),
  'pricing_rule.categories': rule({ categories: ['Nothing'] }),
  'pricing_rule.cost_min': rule({ costMin: '11' }),
  'pricing_rule.cost_below': rule({ costBelow: '9' }),
  'pricing_rule.valid_from': rule({ validFrom: '2999-01-01' }),
  'pricing_rule.valid_to': rule({ validTo: '2000-01-01' }),
  'pricing_rule.action': rule({ action: 'margin' }),
  'pricing_rule.percent': rule({ percent: '51' }),
  'pricing_rule.fixed_price': rule({ fixedPrice: '12' }, { action: 'fixed', fixedPrice: '11' }),
  'pricing_rule.addition': rule({ addition: '0.5' }),
  'pricing_rule.floor_margin_percent': rule({ floorMarginPercent: '50' }),
  'pricing_rule.floor_profit': rule({ floorProfit: '30' }),
  'pricing_rule.floor_price': rule({ floorPrice: '99' }),
  'pricing_rule.ceiling_price': rule({ ceilingPrice: '11' }),
  'pricing_rule.currency': rule({ currency: 'USD' }, { addition: '1' }),
  'pricing_rule.rounding': rule({ rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } } }),
  'exclusion_rule.account_id': 'key',
  'exclusion_rule.rule_id': {
    change: async (tx, { account }) =>
      void (await createExclusionRule(tx, account.accountId, { name: 'No stock', kind: 'category', names: ['Tools'] })),
    kinds: ['content'],
  },
  'exclusion_rule.name': 'shown by explain alone',
  'exclusion_rule.reason': exclusion({}, { reason: 'because' }),
  'exclusion_rule.priority': {
    before: async (tx, { account }) =>
      void (await createExclusionRule(tx, account.accountId, {
        name: 'Other',
        reason: 'other',
        kind: 'manufacturer',
        names: ['Bolt'],
        priority: 200,
      })),
    change: (tx, { account, exclusionId }) => editExclusionRule(tx, account.accountId, exclusionId, { priority: 300 }),
    kinds: ['content'],
  },
  'exclusion_rule.is_active': exclusion({}, { isActive: false }),
  'exclusion_rule.store_ids': {
    change: (tx, { account, exclusionId }) =>
      editExclusionRule(tx, account.accountId, exclusionId, { storeIds: [account.storeIds[2]] }),
    kinds: ['content'],
  },
  'exclusion_rule.kind': exclusion({}, { kind: 'category' }),
  'exclusion_rule.names': exclusion({}, { names: ['Acme'] }),
  'exclusion_rule.supplier_ids': {
    before: (tx, { account, exclusionId }) =>
      editExclusionRule(tx, account.accountId, exclusionId, {
        kind: 'supplier',
        names: null,
        supplierIds: [account.suppliers[0]!.supplierId],
      }),
    change: (tx, { account, exclusionId }) =>
      editExclusionRule(tx, account.accountId, exclusionId, { supplierIds: [account.suppliers[1]!.supplierId] }),
    kinds: ['content'],
  },
  'exclusion_rule.amount': exclusion({ kind: 'price_above', names: null, amount: '1000' }, { amount: '5' }),
  'exclusion_rule.currency': exclusion({ kind: 'price_above', names: null, amount: '13' }, { currency: 'USD' }),
  'assortment_rule.account_id': 'key',
  'assortment_rule.rule_id': {
    change: async (tx, { account }) =>
      void (await createAssortmentRule(tx, account.accountId, {
        storeId: account.storeIds[1],
        name: 'Out',
        isListed: false,
        categories: ['Tools'],
      })),
    kinds: ['removed'],
  },
  'assortment_rule.store_id': 'never changes',
  'assortment_rule.name': 'shown by explain alone',
  'assortment_rule.priority': {
    before: async (tx, { account }) =>
      void (await createAssortmentRule(tx, account.accountId, {
        storeId: account.storeIds[2],
        name: 'In',
        isListed: true,
        priority: 200,
      })),
    change: (tx, { account, assortmentId }) =>
      editAssortmentRule(tx, account.accountId, assortmentId, { priority: 300 }),
    kinds: ['price', 'content'],
  },
  'assortment_rule.is_active': assortment({}, { isActive: false }, ['price', 'content']),
  'assortment_rule.is_listed': assortment({}, { isListed: true }, ['price', 'content']),
  'assortment_rule.supplier_ids': {
    change: (tx, { account, assortmentId }) =>
      editAssortmentRule(tx, account.accountId, assortmentId, { supplierIds: [account.suppliers[1]!.supplierId] }),
    kinds: ['price', 'content'],
  },
  'assortment_rule.manufacturers': assortment({}, { manufacturers: ['Acme'] }, ['removed', 'price', 'content']),
  'assortment_rule.categories': assortment({}, { categories: ['Other'] }, ['price', 'content']),
  'source_order.account_id': 'key',
  'source_order.field': {
    change: (tx, { account }) => setSourceOrder(tx, account.accountId, 'title', [account.suppliers[1]!.supplierId]),
    kinds: ['content'],
  },
  'source_order.supplier_ids': {
    before: (tx, { account }) =>
      setSourceOrder(tx, account.accountId, 'manufacturer', [account.suppliers[0]!.supplierId]),
    change: (tx, { account }) =>
      setSourceOrder(tx, account.accountId, 'manufacturer', [account.suppliers[1]!.supplierId]),
    kinds: ['content'],
  },
  'supplier.account_id': 'key',
  'supplier.supplier_id': 'key',
  'supplier.code': 'never changes',
  'supplier.name': 'not a member of the product object',
  'supplier.currency': 'of costs that state none: becomes offer.currency',
  'supplier.priority': {
    change: (tx, { account }) =>
      editSupplier(tx, account.accountId, account.suppliers[0]!.supplierId, { priority: 50 }),
    kinds: ['price', 'content'],
  },
  'supplier.safety_buffer': {
    change: (tx, { account }) =>
      editSupplier(tx, account.accountId, account.suppliers[0]!.supplierId, { safetyBuffer: 2 }),
    kinds: ['price'],
  },
  'supplier.deleted_at': {
    change: (tx, { account }) => deleteSupplier(tx, account.accountId, account.suppliers[0]!.supplierId),
    kinds: ['price', 'content'],
  },
  'supplier.is_active': {
    change: (tx, { account }) =>
      editSupplier(tx, account.accountId, account.suppliers[0]!.supplierId, { isActive: false }),
    kinds: ['price', 'content'],
  },
  'attribute_definition.account_id': 'key',
  'attribute_definition.key': {
    change: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'Colour')]),
    kinds: ['content'],
  },
  'attribute_definition.unit': {
    before: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'Colour')]),
    change: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition('RAL', 0, 'Colour')]),
    kinds: ['content'],
  },
  'attribute_definition.position': {
    before: async (tx, { account, p1 }) => {
      await setAttributeDefinitions(tx, account.accountId, [
        definition(null, 5, 'Colour'),
        { key: 'size', unit: null, position: 7, labels: {} },
      ])
      return products.setOverrides(tx, account.accountId, [
        { productId: p1, field: 'attribute', key: 'size', locale: '', value: 'L' },
      ])
    },
    change: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition(null, 9, 'Colour')]),
    kinds: ['content'],
  },
  'attribute_definition.labels': {
    before: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'Colour')]),
    change: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'Color')]),
    kinds: ['content'],
  },
  'attribute_definition.units': {
    before: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'Colour')]),
    change: (tx, { account }) =>
      setAttributeDefinitions(tx, account.accountId, [{ ...definition(null, 0, 'Colour'), units: { de: 'RAL' } }]),
    kinds: ['content'],
  },
  'category.account_id': 'key',
  'category.category_id': {
    change: async (tx, { account }) =>
      void (await createCategory(tx, account.accountId, { path: 'Own', supplierPaths: ['tools'] })),
    kinds: ['price'],
  },
  'category.path': category({ path: 'Own', supplierPaths: ['Tools'] }, { path: 'Tools/Own' }),
  'category.supplier_paths': category(
    { path: 'Own', supplierPaths: ['Nothing'] },
    { supplierPaths: ['Nothing', 'Tools / Hand tools'] },
  ),
  'attribute_definition.options': {
    change: (tx, { account }) =>
      setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'color', 'Scarlet')]),
    kinds: ['content'],
  },
  'product.account_id': 'key',
  'product.product_id': {
    change: async (tx, { account }) => products.createProducts(tx, account.accountId, [{ sku: 'N' }]),
    kinds: ['price', 'content'],
  },
  'product.sku': {
    change: (tx, { account, p1 }) =>
      editProduct(tx, account.accountId, p1, {
        sku: 'OURS',
        overrides: [],
        attributeOverrides: [],
        attributeResets: [],
        listings: [],
        exclusions: [],
      }),
    kinds: ['content'],
  },
  'product.created_at': 'no payload depends on it',
  'product.deleted_at': {
    change: (tx, { account, p2 }) => products.deleteProducts(tx, account.accountId, [p2]),
    kinds: ['removed'],
  },
  'product_ean.account_id': 'key',
  'product_ean.product_id': 'key',
  'product_ean.supplier_id': 'key',
  'product_ean.supplier_sku': 'key',
  'product_ean.ean': feed({ eans: ['96385074'] }, ['content']),
  'product_ean.position': {
    change: async (tx, { account }) =>
      (
        await writeOffers(tx, account.accountId, account.suppliers[0]!, [
          { sku: 'A1', eans: ['96385074', '4006381333931'] },
        ])
      ).productIds,
    kinds: ['content'],
  },
  'product_ean.is_primary': {
    change: (tx, { account, p1 }) => products.setPrimaryEan(tx, account.accountId, p1, '96385074'),
    kinds: ['content'],
  },
  'product_ean.gtin': 'joins new offers to products; which product an offer belongs to is the input',
  'offer.account_id': 'key',
  'offer.supplier_id': 'key',
  'offer.supplier_sku': 'key',
  'offer.offer_number': 'bookkeeping of imports',
  'offer.product_id': {
    change: (tx, { account, p1, p4 }) => mergeProducts(tx, account.accountId, p1, [p4]),
    kinds: ['price', 'removed'],
  },
  'offer.cost': feed({ cost: '10.01' }, ['price']),
  'offer.currency': feed({ cost: '10.00', currency: 'USD' }, ['price']),
  'offer.quantity': feed({ quantity: 6 }, ['price']),
  'offer.absent_since': {
    // with the quantity at 0 already, being absent alone is nothing that a client reads
    before: async (tx, { account }) =>
      (await writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A2', quantity: 0 }])).productIds,
    change: (tx, { account }) => zeroOffers(tx, account.accountId, account.suppliers[0]!.supplierId, ['A2']),
    kinds: [],
  },
  'offer.feed_hash': 'bookkeeping of imports',
  'offer.dropped_at': {
    before: async (tx, { account }) => {
      const productIds = await zeroOffers(tx, account.accountId, account.suppliers[0]!.supplierId, ['A2'])
      await tx`update offer set absent_since = now() - interval '31 days' where account_id = ${account.accountId} and supplier_sku = 'A2'`
      return productIds
    },
    change: async (tx, { account }) => void (await dropAbsentOffers(tx, account.accountId)),
    kinds: ['price', 'content'],
  },
  'offer_content.account_id': 'key',
  'offer_content.product_id': 'key',
  'offer_content.supplier_id': 'key',
  'offer_content.supplier_sku': 'key',
  'offer_content.manufacturer': feed({ manufacturer: 'Nut' }, ['price', 'content']),
  'offer_content.category': {
    before: (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, { manufacturers: ['Bolt'] }),
    ...feed({ category: 'Elsewhere' }, ['price']),
  },
  'offer_content.texts': feed({ texts: { en: { title: 'New title' } } }, ['content']),
  'offer_content.attributes': feed({ attributes: [] }, ['content']),
  'offer_content.images': feed({ images: ['https://images.example.com/new.jpg'] }, ['content']),
  'own_stock.account_id': 'key',
  'own_stock.product_id': 'key',
  'own_stock.quantity': {
    change: (tx, { account, p3 }) =>
      products.setOwnStock(tx, account.accountId, [{ productId: p3, quantity: 8, cost: '7' }]),
    kinds: ['price'],
  },
  'own_stock.cost': {
    change: (tx, { account, p3 }) =>
      products.setOwnStock(tx, account.accountId, [{ productId: p3, quantity: 4, cost: '6' }]),
    kinds: ['price'],
  },
  'product_override.account_id': 'key',
  'product_override.product_id': 'key',
  'product_override.field': {
    change: (tx, { account, p1 }) =>
      products.setOverrides(tx, account.accountId, [
        { productId: p1, field: 'manufacturer', locale: '', value: 'Ours' },
      ]),
    kinds: ['content'],
  },
  'product_override.locale': {
    change: (tx, { account, p1 }) =>
      products.setOverrides(tx, account.accountId, [{ productId: p1, field: 'title', locale: 'de', value: 'Deutsch' }]),
    kinds: ['content'],
  },
  'product_override.value': {
    change: (tx, { account, p1 }) =>
      products.setOverrides(tx, account.accountId, [
        { productId: p1, field: 'description', locale: 'en', value: 'Ours' },
      ]),
    kinds: ['content'],
  },
  'attribute_override.account_id': 'key',
  'attribute_override.product_id': 'key',
  'attribute_override.key': {
    change: (tx, { account, p1 }) =>
      products.setOverrides(tx, account.accountId, [
        { productId: p1, field: 'attribute', key: 'size', locale: '', value: 'L' },
      ]),
    kinds: ['content'],
  },
  'attribute_override.locale': {
    change: (tx, { account, p1 }) =>
      products.setOverrides(tx, account.accountId, [
        { productId: p1, field: 'attribute', key: 'color', locale: 'de', value: 'rot' },
      ]),
    kinds: ['content'],
  },
  'attribute_override.value': {
    change: (tx, { account, p1 }) =>
      products.setOverrides(tx, account.accountId, [
        { productId: p1, field: 'attribute', key: 'color', locale: '', value: false },
      ]),
    kinds: ['content'],
  },
  'product_listing.account_id': 'key',
  'product_listing.product_id': 'key',
  'product_listing.store_id': 'key',
  'product_listing.is_listed': {
    change: (tx, { account, p1 }) => products.setListing(tx, account.accountId, account.storeIds[0], [p1], false),
    kinds: ['removed'],
  },
  'product_exclusion.account_id': 'key',
  'product_exclusion.product_id': 'key',
  'product_exclusion.store_id': {
    change: (tx, { account, p1 }) => excludeProducts(tx, account.accountId, account.storeIds[0], [p1]),
    kinds: ['content'],
  },
  'product_exclusion.reason': {
    before: (tx, { account, p1 }) => excludeProducts(tx, account.accountId, null, [p1]),
    change: (tx, { account, p1 }) => excludeProducts(tx, account.accountId, null, [p1], 'recalled'),
    kinds: ['content'],
  },
  'price_hold.account_id': 'key',
  'price_hold.product_id': 'key',
  'price_hold.store_id': 'key',
  'price_hold.group_id': 'key',
  'price_hold.currency': 'a hold in another currency than the store’s has no effect; store.currency is the input',
  'price_hold.shown_cost': 'written with shown_price',
  'price_hold.shown_price': {
    before: async (tx, { account }) => {
      await editAccount(tx, account.accountId, { priceJumpFactor: '2' })
      await editRule(tx, account.accountId, await defaultRule(tx, account), { percent: '900' })
    },
    change: (tx, { account, p1, p2, p3, p4 }) => confirmPrices(tx, account.accountId, [p1, p2, p3, p4]),
    kinds: ['price'],
  },
  'price_hold.shown_rule_id': 'written with shown_price',
  'price_hold.wanted_cost': 'what a confirmation will show; no payload reads it',
  'price_hold.wanted_price': 'what a confirmation will show; no payload reads it',
  'price_hold.wanted_rule_id': 'what a confirmation will show; no payload reads it',
  'price_hold.held_at': 'for the owner',
}

async function defaultRule(tx: Tx, account: TestAccount): Promise<number> {
  const [row] = await tx<
    { rule_id: number }[]
  >`select rule_id from pricing_rule where account_id = ${account.accountId} and is_default`
  return row?.rule_id ?? 0
}
