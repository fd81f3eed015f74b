import { PRICING_CONDITIONS } from '../../contract/rule-conditions.ts'
import { createAssortmentRule, editAssortmentRule } from '../../src/catalog/settings/rules/assortment-rules.ts'
import { categoriesList } from '../../src/catalog/settings/content/categories.sql.ts'
import { createCategory, editCategory, type NewCategory } from '../../src/catalog/settings/content/categories.ts'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import { createExclusionRule, editExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { createRule, editRule, type PricingRuleChanges } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import * as products from '../../src/catalog/products/products.ts'
import { createGroup, editGroup } from '../../src/catalog/settings/stores/groups.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { setSourceOrder } from '../../src/catalog/settings/suppliers/source-orders.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { deleteSupplier, editSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { CONDITION_CASES } from '../../src/resolve/fixtures.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { editAccount } from '../../src/shelf/account.ts'
import type { Tx } from '../../src/db/sql.ts'
import type { TestAccount } from '../harness/account.ts'
import { defaultRule, type Case, type Kind } from './input-case.ts'
import { TAX_INPUTS } from './tax-inputs.ts'

/** A case that changes a rule's condition so that it no longer matches. */
const rule = (
  change: PricingRuleChanges,
  before: PricingRuleChanges = {},
  kinds: readonly Kind[] = ['price'],
): Case => ({
  before: async (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, before),
  change: async (tx, { account, ruleId }) => editRule(tx, account.accountId, ruleId, change),
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
const category = (before: NewCategory, change: Partial<NewCategory>, kinds: readonly Kind[]): Case => ({
  before: async (tx, { account }) => void (await createCategory(tx, account.accountId, before)),
  change: async (tx, { account }) =>
    editCategory(tx, account.accountId, (await categoriesList(tx, account.accountId))[0]?.categoryId ?? 0, change),
  kinds,
})
const definition = (unit: string | null, position: number, label: string, option?: string) => ({
  key: 'color',
  unit,
  position,
  labels: { en: label },
  ...(option === undefined ? {} : { options: { red: { en: option } } }),
})

/** A size of 1,250, whose value as a number depends only on the decimal separator of its definition. */
async function numberInFrench(tx: Tx, { accountId }: TestAccount, productId: number, decimal: ',' | null) {
  await setAttributeDefinitions(tx, accountId, [
    { key: 'size', unit: null, position: 7, labels: {}, type: 'number', decimal },
  ])
  return products.setOverrides(tx, accountId, [
    { productId, field: 'attribute', key: 'size', locale: '', value: '1,250' },
  ])
}

/** The inputs that all products of an account share; a part of EVERY_INPUT. */
export const SETTING_INPUTS: Readonly<Record<string, Case | string>> = {
  ...TAX_INPUTS,
  'account.account_id': 'key',
  'account.name': 'no payload names the account',
  'account.currency': 'never changes: costs and rates are stated in it',
  'account.locale': {
    change: (tx, { account }) => editAccount(tx, account.accountId, { locale: 'fr' }),
    kinds: ['content'],
  },
  'account.any_locale': {
    before: async (tx, { account }) => {
      await editStore(tx, account.accountId, account.storeIds[0], { locale: 'fr' })
      return editAccount(tx, account.accountId, { locale: 'fr' })
    },
    change: (tx, { account }) => editAccount(tx, account.accountId, { anyLocale: true }),
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
  'account.adopt_images': 'says what becomes of a picture later; its state is the input',
  'account.rates_from': 'says who sets rates later; they are the input',
  'account.rates_least_change_percent': 'says which of the bank’s rates are taken over later',
  'account.rates_greatest_change_percent': 'says which of the bank’s rates are held later',
  'account.additional_members': {
    change: (tx, { account }) =>
      editAccount(tx, account.accountId, { additionalMembers: ['eans', 'prices_is_default'] }),
    kinds: ['price', 'content'],
  },
  'account.requires_second_factor': 'who may sign in to the panel',
  'account.suspended_at': 'whether its requests are answered, and whether loops work for it',
  'account.suspension_reason': 'what its members read in the panel',
  'account.session_idle_minutes': 'how long sessions of the panel open the account',
  'account.session_hours': 'how long sessions of the panel open the account',
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
    change: (tx, { account }) => editGroup(tx, account.accountId, account.groupId, { name: 'Trade' }),
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
  'exchange_rate.set_at': 'shown in the panel alone',
  'exchange_rate.bank_day': 'says where the rate comes from',
  'exchange_rate.bank_seen_day': 'bookkeeping: when the bank’s rates were compared with it',
  'exchange_rate.held_rate': 'waits to become the rate, which is the input',
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
  ...Object.fromEntries(
    PRICING_CONDITIONS.flatMap(({ name, field }) => {
      const never = { ...CONDITION_CASES[field] }
      return 'never' in never ? [[`pricing_rule.${name}`, rule({ [field]: never.never })]] : []
    }),
  ),
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
  'pricing_rule.tiers': rule({ tiers: [{ quantity: 10, by: 'percent_off', amount: '5' }] }),
  'pricing_rule.tiers_above_price': rule(
    { tiersAbovePrice: true },
    { tiers: [{ quantity: 10, by: 'price', amount: '999999' }] },
  ),
  'pricing_rule.list_price_percent': rule({ listPricePercent: '900' }),
  'pricing_rule.tiers_from_supplier': {
    ...rule({ tiersFromSupplier: true }),
    before: async (tx, { account }) => {
      const costTiers = [{ quantity: 10, cost: '5' }]
      const own = ['A1', 'A3'].map((sku) => ({ sku, costTiers }))
      const first = await writeOffers(tx, account.accountId, account.suppliers[0]!, own)
      const second = await writeOffers(tx, account.accountId, account.suppliers[1]!, [{ sku: 'B1', costTiers }])
      return [...first.productIds, ...second.productIds]
    },
  },
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
  'supplier.zeroed_share_max': 'of imports',
  'supplier.refused_share_max': 'of imports',
  'supplier.prices_lost_share_max': 'of imports',
  'supplier.prices_zero_share_max': 'of imports',
  'supplier.prices_jump_share_max': 'of imports',
  'supplier.prices_jump_factor': 'of imports',
  'supplier.emptied_share_max': 'of imports',
  'supplier.swapped_share_max': 'of imports',
  'supplier.silent_days_max': 'of findings',
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
  'attribute_definition.type': {
    before: (tx, { account }) => setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'Colour')]),
    change: (tx, { account }) =>
      setAttributeDefinitions(tx, account.accountId, [{ ...definition(null, 0, 'Colour'), type: 'list' }]),
    kinds: ['content'],
  },
  'attribute_definition.separator': {
    before: (tx, { account }) =>
      setAttributeDefinitions(tx, account.accountId, [{ ...definition(null, 0, 'Colour'), type: 'list' }]),
    change: (tx, { account }) =>
      setAttributeDefinitions(tx, account.accountId, [
        { ...definition(null, 0, 'Colour'), type: 'list', separator: 'e' },
      ]),
    kinds: ['content'],
  },
  'attribute_definition.decimal_sign': {
    before: (tx, { account, p1 }) => numberInFrench(tx, account, p1, null),
    change: (tx, { account, p1 }) => numberInFrench(tx, account, p1, ','),
    kinds: ['content'],
  },
  'category.account_id': 'key',
  'category.category_id': {
    change: async (tx, { account }) =>
      void (await createCategory(tx, account.accountId, { path: 'Own', supplierPaths: ['tools'] })),
    kinds: ['price', 'content'],
  },
  'category.path': category({ path: 'Own', supplierPaths: ['Tools'] }, { path: 'Tools/Own' }, ['price', 'content']),
  'category.supplier_paths': category(
    { path: 'Own', supplierPaths: ['Nothing'] },
    { supplierPaths: ['Nothing', 'Tools / Hand tools'] },
    ['price', 'content'],
  ),
  'category.names': category({ path: 'Own', supplierPaths: ['Tools'] }, { names: { en: 'Ours' } }, ['content']),
  'category.external_id': category({ path: 'Own', supplierPaths: ['Tools'] }, { externalId: 'c-1' }, ['content']),
  'category.position': 'the order of GET /v1/categories, which no payload has',
  'attribute_definition.options': {
    change: (tx, { account }) =>
      setAttributeDefinitions(tx, account.accountId, [definition(null, 0, 'color', 'Scarlet')]),
    kinds: ['content'],
  },
}
