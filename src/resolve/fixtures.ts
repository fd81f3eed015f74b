import { forEachField, NAME_FIELDS } from '../../contract/product-fields.ts'
import type { Payload } from '../model/payload.ts'
import { compileAccount } from './compile.ts'
import type {
  AccountInputs,
  GroupInput,
  OfferInput,
  ProductInputs,
  RuleInput,
  StoreInput,
  SupplierInput,
} from './inputs.ts'
import { resolve } from './resolve.ts'

// Plain inputs for this room's tests, to change a member of.

export const aStore = (over: Partial<StoreInput> = {}): StoreInput => ({
  storeId: 1,
  slug: 'main',
  locale: 'en',
  currency: 'EUR',
  listsByDefault: true,
  ...over,
})
export const aGroup = (over: Partial<GroupInput> = {}): GroupInput => ({
  groupId: 1,
  name: 'Retail',
  isDefault: true,
  ...over,
})
export const aRule = (over: Partial<RuleInput> = {}): RuleInput => ({
  ruleId: 1,
  name: 'Rule',
  priority: 100,
  isDefault: false,
  isActive: true,
  storeIds: null,
  groupIds: null,
  productIds: null,
  supplierIds: null,
  manufacturers: null,
  categories: null,
  costMin: null,
  costBelow: null,
  validFrom: null,
  validTo: null,
  action: 'markup',
  percent: '0',
  fixedPrice: null,
  addition: null,
  floorMarginPercent: null,
  floorProfit: null,
  floorPrice: null,
  ceilingPrice: null,
  currency: null,
  rounding: {},
  ...over,
})
export const aSupplier = (supplierId: number, over: Partial<SupplierInput> = {}): SupplierInput => ({
  supplierId,
  code: `s${supplierId}`,
  priority: 100,
  safetyBuffer: 0,
  isActive: true,
  ...over,
})
export const anOffer = (supplierId: number, over: Partial<OfferInput> = {}): OfferInput => ({
  supplierId,
  supplierSku: `S${supplierId}`,
  cost: '10',
  currency: 'EUR',
  quantity: 5,
  ...forEachField(NAME_FIELDS, () => null),
  texts: {},
  attributes: [],
  images: [],
  ...over,
})
export const aProduct = (over: Partial<ProductInputs> = {}): ProductInputs => ({
  productId: 1,
  sku: 'A',
  isDeleted: false,
  eans: [],
  offers: [],
  ownStock: null,
  overrides: [],
  attributeOverrides: [],
  listings: [],
  exclusions: [],
  holds: [],
  images: {},
  ...over,
})
/** One store, one group, a default rule that adds nothing, suppliers 1 to 3 of one priority; in EUR and English. */
export const anAccount = (over: Partial<AccountInputs> = {}): AccountInputs => ({
  currency: 'EUR',
  locale: 'en',
  anyLocale: false,
  day: '2026-11-20',
  skuPattern: null,
  priceJumpFactor: null,
  stores: [aStore()],
  groups: [aGroup()],
  rules: [aRule({ ruleId: 1, isDefault: true })],
  rates: {},
  suppliers: [aSupplier(1), aSupplier(2), aSupplier(3)],
  attributes: [],
  categories: [],
  exclusionRules: [],
  assortmentRules: [],
  sourceOrders: [],
  imageBase: null,
  ...over,
})

/** What one store shows; null where it does not list the product. */
export function payloadOf(account: AccountInputs, product: ProductInputs, storeId = 1): Payload | null {
  return resolve(compileAccount(account), product).find((entry) => entry.store.storeId === storeId)?.payload ?? null
}
