import { isDimension, isInPayload, isSaleField, NAME_FIELDS, type SaleField } from '../../contract/product-fields.ts'
import { setListing, setPrimaryEan, setSlug } from '../harness/product-edits.ts'
import { excludeProducts } from '../../src/catalog/products/listings/exclusions.ts'
import { mergeProducts } from '../../src/catalog/products/merge-split.ts'
import { dropAbsentOffers, writeOffers, zeroOffers } from '../../src/catalog/products/offers/offers.ts'
import { variantGroupsList } from '../../src/catalog/products/variants/variant-groups.sql.ts'
import {
  createVariantGroup,
  editVariantGroup,
  ungroupProducts,
  type VariantGroupChanges,
} from '../../src/catalog/products/variants/variant-groups.ts'
import { editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { createTaxClass } from '../../src/catalog/settings/prices/tax-classes.ts'
import { editProduct } from '../harness/product-edits.ts'
import * as products from '../../src/catalog/products/products.ts'
import type { OfferGroup, OfferRecord } from '../../src/model/offer.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { confirmPrices } from '../../src/shelf/confirm-prices.ts'
import { defaultRule, type Case, type Ground, type Kind } from './input-case.ts'

const feed = (record: Partial<OfferRecord>, kinds: readonly Kind[]): Case => ({
  change: async (tx, { account }) =>
    (await writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A2', ...record }])).productIds,
  kinds,
})

const GROUP: OfferGroup = {
  key: 'tee',
  title: { en: 'Tee' },
  options: [{ key: 'size', label: 'Size', value: 'M' }],
  position: 2,
}

/** Puts two products into an own group. */
const grouped: Case['change'] = (tx, { account, p1, p2 }) =>
  createVariantGroup(tx, account.accountId, {
    title: { en: 'Tee' },
    options: [{ key: 'size', labels: { en: 'Size' } }],
    products: [{ productId: p1, options: { size: 'M' } }, { productId: p2 }],
  })
const edited =
  (changes: (ground: Ground) => VariantGroupChanges): Case['change'] =>
  async (tx, ground) => {
    const [group] = await variantGroupsList(tx, ground.account.accountId)
    return editVariantGroup(tx, ground.account.accountId, group!, changes(ground))
  }

/** Adds slugs to the members of the account's products. */
const addressed: Case['change'] = (tx, { account }) =>
  editAccount(tx, account.accountId, { additionalMembers: ['slug'] })
const slug =
  (text: string | null): Case['change'] =>
  (tx, { account, p1 }) =>
    setSlug(tx, account.accountId, p1, account.storeIds[0], text)

/** The tax class of the second product's offer. */
const taxClass: Case = {
  ...feed({ tax_class: 'Standard' }, ['price']),
  before: async (tx, { account }) => {
    await createTaxClass(tx, account.accountId, {
      key: 'standard',
      name: 'Standard',
      isDefault: false,
      codes: [],
      rates: [],
    })
    return editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' })
  },
}

/** The country whose tax the amounts of the second product's offer include, in a store with tax. */
const taxIn = (field: 'cost_tax' | 'list_price_tax'): Case => ({
  ...feed({ [field]: 'DE' }, ['price']),
  before: async (tx, { account }) => {
    const rates = [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }]
    await createTaxClass(tx, account.accountId, {
      key: 'standard',
      name: 'Standard',
      isDefault: true,
      codes: [],
      rates,
    })
    await editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' })
    await writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A2', list_price: '1000' }])
  },
})

/** The reference quantity of the unit price, stated by the second product's offer. */
const unitPriceReference: Case = {
  ...feed({ unit_price_reference: '100 ml' }, ['price']),
  before: feed({ net_content: '750 ml' }, []).change,
}
/** A sale of the second product's offer that has begun. */
const sale = (record: Partial<OfferRecord>): Case => ({
  ...feed(record, ['price']),
  before: async (tx, { account }) =>
    writeOffers(tx, account.accountId, account.suppliers[0]!, [
      { sku: 'A2', sale_price: '1', sale_begins_on: '2020-01-01' },
    ]),
})

/** Cases for the fields of sales. */
const SALES: Readonly<Record<SaleField, Case>> = {
  sale_price: sale({ sale_price: '2' }),
  sale_begins_on: sale({ sale_begins_on: '2999-01-01' }),
  sale_ends_on: sale({ sale_ends_on: '2020-01-02' }),
}
const NAMES = Object.fromEntries(
  NAME_FIELDS.map((field) => [
    `offer_content.${field}`,
    field === 'tax_class'
      ? taxClass
      : field === 'cost_tax' || field === 'list_price_tax'
        ? taxIn(field)
        : isSaleField(field)
          ? SALES[field]
          : field === 'list_price'
            ? feed({ [field]: '1000' }, ['price'])
            : field === 'net_content'
              ? feed({ [field]: '750 ml' }, ['price', 'content'])
              : field === 'unit_price_reference'
                ? unitPriceReference
                : feed({ [field]: 'Another' }, isInPayload(field) || isDimension(field) ? ['content'] : []),
  ]),
)

/** The inputs of single products; a part of EVERY_INPUT. */
export const PRODUCT_INPUTS: Readonly<Record<string, Case | string>> = {
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
  'product.created_at': 'never changes',
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
    change: (tx, { account, p1 }) => setPrimaryEan(tx, account.accountId, p1, '96385074'),
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
  'offer.cost_tiers': {
    ...feed({ costTiers: [{ quantity: 10, cost: '5' }] }, ['price']),
    before: async (tx, { account }) =>
      editRule(tx, account.accountId, await defaultRule(tx, account), { tiersFromSupplier: true }),
  },
  'offer.currency': feed({ cost: '10.00', currency: 'USD' }, ['price']),
  'offer.quantity': feed({ quantity: 6 }, ['price']),
  'offer.absent_since': {
    // the quantity is 0 already, so clients cannot see that the offer is absent
    before: async (tx, { account }) =>
      (await writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A2', quantity: 0 }])).productIds,
    change: (tx, { account }) => zeroOffers(tx, account.accountId, account.suppliers[0]!.supplierId, ['A2']),
    kinds: [],
  },
  'offer.feed_hash': 'bookkeeping of imports',
  'offer.stale_since': 'for findings: the offer keeps what it had',
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
  ...NAMES,
  'offer_content.manufacturer': feed({ manufacturer: 'Nut' }, ['price', 'content']),
  'offer_content.category': {
    before: (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, { manufacturers: ['Bolt'] }),
    ...feed({ category: 'Elsewhere' }, ['price']),
  },
  'offer_content.texts': feed({ texts: { en: { title: 'New title' } } }, ['content']),
  'offer_content.attributes': feed({ attributes: [] }, ['content']),
  'offer_content.images': feed({ images: ['https://images.example.com/new.jpg'] }, ['content']),
  'offer_content.image_alts': {
    before: (tx, { account }) => editAccount(tx, account.accountId, { additionalMembers: ['image_details'] }),
    change: async (tx, { account }) =>
      (
        await writeOffers(tx, account.accountId, account.suppliers[0]!, [
          { sku: 'A2', imageAlts: { en: { 'https://images.example.com/a2.jpg': 'Bolt from above' } } },
        ])
      ).productIds,
    kinds: ['content'],
  },
  'offer_content.variant_group': feed({ group: GROUP }, ['content']),
  'variant_group_member.account_id': 'key',
  'variant_group_member.product_id': 'key',
  'variant_group_member.supplier_id': 'key',
  'variant_group_member.group_key': 'which statements are joined; what is shown is offer_content.variant_group',
  // one supplier groups two products, then the other adds a third one to the group
  'variant_group_member.group_id': {
    before: async (tx, { account }) => {
      const [one, two] = account.suppliers
      const first = await writeOffers(tx, account.accountId, one!, [
        { sku: 'A1', group: GROUP },
        { sku: 'A2', group: GROUP },
      ])
      const second = await writeOffers(tx, account.accountId, two!, [{ sku: 'B4', group: { ...GROUP, key: 'theirs' } }])
      return [...first.productIds, ...second.productIds]
    },
    change: async (tx, { account }) =>
      (
        await writeOffers(tx, account.accountId, account.suppliers[1]!, [
          { sku: 'B1', group: { ...GROUP, key: 'theirs' } },
        ])
      ).productIds,
    kinds: ['content'],
  },
  'variant_group_member.position': {
    before: async (tx, { account }) =>
      (await writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A2', group: GROUP }])).productIds,
    ...feed({ group: { ...GROUP, position: 9 } }, ['content']),
  },
  'own_variant_group.account_id': 'key',
  'own_variant_group.group_id': 'key; products are put into another group by own_variant.group_id',
  'own_variant_group.title': {
    before: grouped,
    change: edited(() => ({ title: { en: 'Another' } })),
    kinds: ['content'],
  },
  'own_variant_group.options': {
    before: grouped,
    change: edited(() => ({ options: [{ key: 'size', labels: { en: 'Width' } }] })),
    kinds: ['content'],
  },
  'own_variant.account_id': 'key',
  'own_variant.product_id': { change: grouped, kinds: ['content'] },
  'own_variant.group_id': {
    before: grouped,
    change: (tx, { account, p1 }) => ungroupProducts(tx, account.accountId, [p1], false),
    kinds: ['content'],
  },
  'own_variant.position': {
    before: grouped,
    change: edited(({ p1, p2 }) => ({ products: [{ productId: p2 }, { productId: p1, options: { size: 'M' } }] })),
    kinds: ['content'],
  },
  'own_variant.options': {
    before: grouped,
    change: edited(({ p1, p2 }) => ({ products: [{ productId: p1, options: { size: 'XL' } }, { productId: p2 }] })),
    kinds: ['content'],
  },
  'product_slug.account_id': 'key',
  'product_slug.store_id': 'key',
  'product_slug.product_id': 'key; a slug that is taken from another product is an old one',
  'product_slug.slug': { before: addressed, change: slug('by-hand'), kinds: ['content'] },
  'product_slug.retired': { before: addressed, between: [slug('by-hand')], change: slug(null), kinds: ['content'] },
  'product_slug.is_own': 'for the owner',
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
    change: (tx, { account, p1 }) => setListing(tx, account.accountId, account.storeIds[0], [p1], false),
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
  'price_history.account_id': 'key',
  'price_history.product_id': 'key',
  'price_history.store_id': 'key',
  'price_history.history_id': 'order',
  'price_history.from_at': 'written with payloads, never changed: in a sale the prices before it are read',
  'price_history.shown': 'written with payloads, never changed: in a sale the prices before it are read',
  'price_hold.account_id': 'key',
  'price_hold.product_id': 'key',
  'price_hold.store_id': 'key',
  'price_hold.group_id': 'key',
  'price_hold.currency': 'a hold in another currency than the store’s has no effect; store.currency is the input',
  'price_hold.shown_cost': 'equal to wanted_cost: the cost is not held',
  'price_hold.shown_price': {
    before: async (tx, { account }) => {
      await editAccount(tx, account.accountId, { priceJumpFactor: '2' })
      await editRule(tx, account.accountId, await defaultRule(tx, account), { percent: '900' })
    },
    change: (tx, { account, p1, p2, p3, p4 }) => confirmPrices(tx, account.accountId, [p1, p2, p3, p4]),
    kinds: ['price'],
  },
  'price_hold.shown_rule_id': 'written with shown_price',
  'price_hold.wanted_cost': 'for the owner: the cost of the wanted price; no payload reads it',
  'price_hold.wanted_price': 'what a confirmation will show; no payload reads it',
  'price_hold.wanted_rule_id': 'what a confirmation will show; no payload reads it',
  'price_hold.held_at': 'for the owner',
}
