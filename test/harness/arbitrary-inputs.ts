import { ATTRIBUTE_TYPES, DECIMAL_SIGNS } from '../../contract/attribute-types.ts'
import * as fc from 'fast-check'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { EXCLUSION_KINDS } from '../../contract/exclusion-kinds.ts'
import { forEachField, NAME_FIELDS, type NameField, SOURCE_FIELDS, TEXT_FIELDS } from '../../contract/product-fields.ts'
import {
  noConditions,
  RULE_CONDITIONS,
  type ConditionsOf,
  type ConditionValue,
  type Form,
} from '../../contract/rule-conditions.ts'
import { minorDigits } from '../../src/model/money.ts'
import type {
  AccountInputs,
  AssortmentRuleInput,
  ExclusionRuleInput,
  ImageInput,
  OfferInput,
  ProductInputs,
  RoundingInput,
  RuleInput,
} from '../../src/resolve/inputs.ts'
import { listEntries, priceLists } from './arbitrary-price-lists.ts'
import { arbitraryTiers } from './arbitrary-tiers.ts'

// fast-check arbitraries for the inputs of `resolve`, within what the database schema allows: unique keys where it has unique
// keys, any text where it has text. There are only few different names and ids, so that rules match.

const LOCALES = ['en', 'pl', 'pl-PL', 'de-AT', 'zh-Hant-TW', 'und']
const CURRENCIES = ['EUR', 'JPY', 'KWD', 'PLN', 'XAU', 'ZZZ']
const NAMES = ['Acme', 'ACME ', 'Bolt', '', '__proto__', 'Ärger']
const CATEGORIES = ['Tools', 'tools/Hand tools', 'Tools / Hand tools/Saws', 'Toolsmith', '/', '']

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', ' ', '"', '\u2028', '\0', '\ud800', '__proto__', 'constructor', '1.5'),
)
const name = fc.oneof(fc.constantFrom(...NAMES), text)
const category = fc.oneof(fc.constantFrom(...CATEGORIES), text)
const id = fc.integer({ min: 1, max: 4 })
const decimal = (whole: bigint, decimals: number) =>
  fc
    .tuple(fc.bigInt(0n, whole), fc.bigInt(0n, 10n ** BigInt(decimals) - 1n))
    .map(([a, b]) => `${a}.${String(b).padStart(decimals, '0')}`)
const amount = fc.oneof(
  decimal(50n, 6),
  decimal(999_999_999_999_999n, 6),
  fc.constantFrom('0', '0.000000', '0.005', '12.5'),
)
const cost = fc.option(amount)
const locale = fc.constantFrom(...LOCALES)
const currency = fc.constantFrom(...CURRENCIES)
const quantity = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.integer({ min: 0, max: 2_147_483_647 }))
const priority = fc.integer({ min: -2, max: 2 })
const unique = <T>(entry: fc.Arbitrary<T>, key: (value: T) => string, maxLength = 4) =>
  fc.uniqueArray(entry, { selector: key, maxLength })
const some = <T>(entry: fc.Arbitrary<T>) => fc.option(fc.array(entry, { minLength: 1, maxLength: 3 }), { freq: 2 })
const texts = fc.dictionary(
  locale,
  fc.record(
    forEachField(TEXT_FIELDS, () => fc.option(text)),
    { requiredKeys: [] },
  ),
  { maxKeys: 3 },
)

/** A rounding that the catalog accepts: no more decimals than the currency has, and an ending below the step. */
const rounding = (code: string): fc.Arbitrary<RoundingInput> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 2_000 }),
      fc.nat(1_999),
      fc.constantFrom('up' as const, 'down' as const, 'nearest' as const),
    )
    .map(([step, ending, direction]) => {
      const unit = 10 ** minorDigits(code)
      return {
        step: (step / unit).toFixed(minorDigits(code)),
        ending: ((ending % step) / unit).toFixed(minorDigits(code)),
        direction,
      }
    })

const action = fc.oneof(
  fc
    .constantFrom('-100', '-33.3333', '0', '25.0000', '99999999.9999')
    .map((percent) => ({ action: 'markup' as const, percent, fixedPrice: null })),
  fc
    .constantFrom('-25', '0', '33.3333', '99.9999')
    .map((percent) => ({ action: 'margin' as const, percent, fixedPrice: null })),
  amount.map((fixedPrice) => ({ action: 'fixed' as const, percent: null, fixedPrice })),
)
const day = fc.constantFrom('2026-11-20', '2026-11-21', '2026-11-22')

/** Values of conditions of each form. */
const VALUES: Readonly<Record<Form, fc.Arbitrary<ConditionValue | null>>> = {
  ids: some(id),
  names: some(name),
  paths: some(category),
  number: cost,
  day: fc.option(day),
}
const conditions = <K extends keyof typeof RULE_CONDITIONS>(kind: K) =>
  Object.fromEntries(RULE_CONDITIONS[kind].map(({ field, form }) => [field, VALUES[form]])) as unknown as {
    [N in keyof ConditionsOf<K>]: fc.Arbitrary<ConditionsOf<K>[N]>
  }

const { tiers, costTiers } = arbitraryTiers(amount)

const pricingRule: fc.Arbitrary<RuleInput> = fc
  .tuple(
    fc.record({
      ruleId: fc.integer({ min: 1, max: 9 }),
      name: text,
      priority,
      isDefault: fc.boolean(),
      isActive: fc.boolean(),
      ...conditions('pricing'),
      addition: fc.option(
        fc.oneof(
          amount,
          amount.map((value) => `-${value}`),
        ),
      ),
      floorMarginPercent: fc.option(fc.constantFrom('-10', '0', '20', '99.9999')),
      floorProfit: fc.option(
        fc.oneof(
          amount,
          amount.map((value) => `-${value}`),
        ),
      ),
      floorPrice: cost,
      ceilingPrice: cost,
      currency: fc.option(currency),
      overPriceLists: fc.boolean(),
      tiers: fc.option(tiers),
      tiersAbovePrice: fc.boolean(),
      tiersFromSupplier: fc.boolean(),
      listPricePercent: fc.option(fc.constantFrom('0.0001', '50', '166.6667', '99999999.9999')),
    }),
    action,
    fc.record(Object.fromEntries(CURRENCIES.map((code) => [code, rounding(code)])), { requiredKeys: [] }),
  )
  .map(([rule, how, roundings]) => {
    const tiersFromSupplier = rule.tiersFromSupplier && how.action !== 'fixed'
    return {
      ...rule,
      ...how,
      rounding: roundings as Record<string, RoundingInput>,
      tiersFromSupplier,
      tiers: tiersFromSupplier ? null : rule.tiers,
    }
  })

const exclusionRule: fc.Arbitrary<ExclusionRuleInput> = fc.record({
  ruleId: fc.integer({ min: 1, max: 9 }),
  name: text,
  reason: text,
  priority,
  isActive: fc.boolean(),
  storeIds: some(id),
  kind: fc.constantFrom(...EXCLUSION_KINDS),
  names: some(fc.oneof(name, category)),
  supplierIds: some(id),
  amount: cost,
  currency: fc.option(currency),
})
const assortmentRule: fc.Arbitrary<AssortmentRuleInput> = fc.record({
  ruleId: fc.integer({ min: 1, max: 9 }),
  storeId: id,
  name: text,
  priority,
  isActive: fc.boolean(),
  isListed: fc.boolean(),
  ...conditions('assortment'),
})

const taxClass = fc.constantFrom('standard', 'reduced')

export const arbitraryAccount: fc.Arbitrary<AccountInputs> = fc.record({
  currency,
  locale,
  anyLocale: fc.boolean(),
  additionalMembers: fc.subarray([...ADDITIONAL_MEMBER_NAMES]),
  day,
  skuPattern: fc.option(
    fc.constantFrom(
      '{id}',
      '{supplier_code|upper}-{supplier_sku}',
      '{manufacturer|ascii|alnum|first:3}{ean|last:4|default:X}-{checksum}',
      '{category|slug}-{id|pad:8}',
      'broken {',
    ),
  ),
  priceJumpFactor: fc.option(fc.constantFrom('1.0001', '2.0000', '9999.9999')),
  stores: unique(
    fc.record({
      storeId: id,
      slug: text,
      locale,
      currency,
      listsByDefault: fc.boolean(),
      taxCountry: fc.constantFrom(null, 'DE', 'PL'),
      pricesIncludeTax: fc.boolean(),
    }),
    (row) => String(row.storeId),
    3,
  ),
  groups: unique(
    fc.record({
      groupId: id,
      name: text,
      isDefault: fc.boolean(),
      taxCountry: fc.constantFrom(null, null, 'PL'),
      pricesIncludeTax: fc.constantFrom(null, null, true, false),
    }),
    (row) => String(row.groupId),
    3,
  ),
  rules: unique(pricingRule, (row) => String(row.ruleId), 6),
  rates: fc.dictionary(
    currency,
    fc.constantFrom('0.000000000001', '1', '3', '4.2875', '162.535', '999999999999.999999999999'),
    { maxKeys: 5 },
  ),
  suppliers: unique(
    fc.record({
      supplierId: id,
      code: text,
      priority: fc.integer({ min: 0, max: 1 }),
      safetyBuffer: fc.integer({ min: 0, max: 4 }),
      isActive: fc.boolean(),
      costTaxCountry: fc.constantFrom(null, null, 'DE'),
      listPriceTax: fc.constantFrom(null, null, 'none', 'DE'),
    }),
    (row) => String(row.supplierId),
  ),
  attributes: unique(
    fc.record({
      key: text,
      unit: fc.option(text),
      units: fc.dictionary(locale, text, { maxKeys: 2 }),
      position: fc.integer({ min: -1, max: 1 }),
      labels: fc.dictionary(locale, text, { maxKeys: 2 }),
      options: fc.dictionary(text, fc.dictionary(locale, text, { maxKeys: 2 }), { maxKeys: 2 }),
      type: fc.option(fc.constantFrom(...ATTRIBUTE_TYPES)),
      separator: fc.option(fc.constantFrom('|', ', ', '\n')),
      decimal: fc.option(fc.constantFrom(...DECIMAL_SIGNS)),
    }),
    (row) => row.key,
  ),
  categories: unique(
    fc.record({
      categoryId: id,
      path: category,
      supplierPaths: fc.array(category, { maxLength: 3 }),
      names: fc.dictionary(locale, text),
      externalId: fc.option(text),
      taxClass: fc.constantFrom(null, 'standard', 'reduced'),
    }),
    (row) => String(row.categoryId),
  ),
  exclusionRules: unique(exclusionRule, (row) => String(row.ruleId), 4),
  assortmentRules: unique(assortmentRule, (row) => String(row.ruleId), 4),
  sourceOrders: unique(
    fc.record({ field: fc.constantFrom(...SOURCE_FIELDS), supplierIds: fc.uniqueArray(id, { maxLength: 3 }) }),
    (row) => row.field,
  ),
  taxClasses: unique(
    fc.record({
      key: taxClass,
      isDefault: fc.boolean(),
      codes: fc.array(text, { maxLength: 2 }),
      rates: fc.array(
        fc.record({
          country: fc.constantFrom('DE', 'PL'),
          validFrom: fc.constantFrom('2020-01-01', '2026-11-20', '2026-11-21'),
          percent: fc.constantFrom('0', '19', '5.5', '100'),
        }),
        { maxLength: 4 },
      ),
    }),
    (row) => row.key,
    2,
  ),
  priceLists,
  imageBase: fc.constantFrom(null, 'https://pictures.example'),
})

const listPrice = fc.constantFrom('9.99', '1000', '50 PLN', '999999999999999.999999', '0')
const content = fc.constantFrom('750 ml', '6 x 0.33 l', '100 g', '12 oz', '3 piece', '0.000001 mg', '2.5 m3', '1 m2')
const ofName = (field: NameField): fc.Arbitrary<string | null> =>
  fc.option(
    field === 'category'
      ? category
      : field === 'sale_begins_on' || field === 'sale_ends_on'
        ? fc.constantFrom('2026-11-15', '2026-11-20', '2026-12-01')
        : field === 'list_price' || field === 'sale_price'
          ? fc.oneof(listPrice, name)
          : field === 'tax_class'
            ? fc.oneof(taxClass, name)
            : field === 'cost_tax' || field === 'list_price_tax'
              ? fc.constantFrom('none', 'none', 'none', 'DE')
              : field === 'net_content' || field === 'unit_price_reference'
                ? fc.oneof(content, name)
                : name,
  )

const offers: fc.Arbitrary<OfferInput[]> = unique(
  fc.record({
    supplierId: id,
    supplierSku: text,
    cost,
    costTiers: fc.option(costTiers),
    currency,
    quantity,
    ...forEachField(NAME_FIELDS, ofName),
    texts,
    attributes: fc.array(fc.record({ key: text, value: text }), { maxLength: 3 }),
    images: fc.array(text, { maxLength: 3 }),
    imageAlts: fc.option(fc.dictionary(locale, fc.dictionary(text, text, { maxKeys: 3 }), { maxKeys: 2 })),
    group: fc.option(
      fc.record({
        key: text,
        title: fc.dictionary(locale, text, { maxKeys: 2 }),
        options: unique(fc.record({ key: text, label: fc.option(text), value: text }), (row) => row.key, 2),
        position: fc.option(fc.integer({ min: 0, max: 3 })),
      }),
    ),
  }),
  (row) => `${row.supplierId} ${row.supplierSku}`,
)
const eans = unique(
  fc.record({
    ean: fc.stringMatching(/^\d{1,14}$/),
    isPrimary: fc.constant(false),
    supplierId: fc.integer({ min: 0, max: 4 }),
    supplierSku: text,
    position: fc.integer({ min: 0, max: 2 }),
  }),
  (row) => `${row.supplierId} ${row.supplierSku} ${row.ean}`,
)

export const arbitraryProduct: fc.Arbitrary<ProductInputs> = fc.record({
  ownGroup: fc.option(
    fc.record({
      groupId: fc.option(id),
      position: fc.nat(3),
      values: fc.dictionary(text, text, { maxKeys: 2 }),
      title: fc.dictionary(locale, text, { maxKeys: 2 }),
      options: unique(
        fc.record({ key: text, labels: fc.dictionary(locale, text, { maxKeys: 2 }) }),
        (row) => row.key,
        2,
      ),
    }),
  ),
  slugs: unique(fc.record({ storeId: id, slug: fc.stringMatching(/^[a-zа-я]{1,5}(-\d{1,3})?$/) }), (row) =>
    String(row.storeId),
  ),
  groups: fc.array(fc.record({ supplierId: id, key: text, groupId: id, position: fc.nat(3) }), { maxLength: 1 }),
  productId: fc.oneof(id, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  sku: fc.option(text),
  isDeleted: fc.boolean(),
  createdAt: fc.constantFrom('2026-11-20T10:00:00+00:00', '1999-12-31T23:59:59+00:00'),
  eans: fc
    .tuple(eans, fc.boolean())
    .map(([rows, chosen]) => rows.map((row, i) => ({ ...row, isPrimary: chosen && i === 0 }))),
  offers,
  ownStock: fc.option(fc.record({ quantity, cost })),
  overrides: unique(
    fc.oneof(
      fc.record({ field: fc.constantFrom(...TEXT_FIELDS), locale, value: text }),
      fc.record({
        field: fc.constantFrom(...NAME_FIELDS),
        locale: fc.constant(''),
        value: fc.oneof(name, category),
      }),
      fc.record({
        field: fc.constant('image_alts' as const),
        locale,
        value: fc.oneof(
          fc.dictionary(text, text, { maxKeys: 3 }).map((alts) => JSON.stringify(alts)),
          text,
        ),
      }),
      fc.record({
        field: fc.constant('images' as const),
        locale: fc.constant(''),
        value: fc.oneof(
          fc.array(text, { maxLength: 3 }).map((urls) => JSON.stringify(urls)),
          text,
        ),
      }),
    ),
    (row) => `${row.field} ${row.locale}`,
  ),
  attributeOverrides: unique(
    fc.record({ key: text, locale: fc.oneof(locale, fc.constant('')), value: fc.option(text) }),
    (row) => `${row.locale} ${row.key}`,
  ),
  listings: unique(fc.record({ storeId: id, isListed: fc.boolean() }), (row) => String(row.storeId), 2),
  exclusions: unique(
    fc.record({ storeId: fc.integer({ min: 0, max: 4 }), reason: text }),
    (row) => String(row.storeId),
    2,
  ),
  listEntries,
  holds: unique(
    fc.record({
      storeId: id,
      groupId: id,
      currency,
      shownPrice: fc.constantFrom('0', '1', '12.99', '1000000'),
      shownRuleId: id,
    }),
    (row) => `${row.storeId} ${row.groupId}`,
    3,
  ),
  priceHistory: fc.array(
    fc.record({
      storeId: id,
      from: fc.constantFrom('2026-09-01', '2026-11-18', '2026-11-20'),
      shown: fc.constantFrom('EUR 1:19.99 2:18.5', 'PLN 1:50', '', null),
    }),
    { maxLength: 3 },
  ),
  images: fc.dictionary(
    text,
    fc.constantFrom<ImageInput>(
      { state: 'pending', path: null, reason: null, copy: null },
      { state: 'pending', path: null, reason: 'timeout', copy: null },
      {
        state: 'mirrored',
        path: '/images/a.jpg',
        reason: null,
        copy: { hash: 'a', type: 'image/jpeg', width: 3, height: 2 },
      },
      {
        state: 'mirrored',
        path: '/images/b.png',
        reason: 'http_500',
        copy: { hash: 'b', type: 'image/png', width: null, height: null },
      },
      { state: 'dead', path: null, reason: 'not_found', copy: null },
    ),
    { maxKeys: 4 },
  ),
})

/** A default rule, which always matches. */
export const ALWAYS: RuleInput = {
  ruleId: 99,
  name: 'Default',
  priority: 0,
  isDefault: true,
  isActive: true,
  ...noConditions('pricing'),
  action: 'markup',
  percent: '7.5',
  fixedPrice: null,
  addition: null,
  floorMarginPercent: null,
  floorProfit: null,
  floorPrice: null,
  ceilingPrice: null,
  currency: null,
  rounding: {},
  overPriceLists: false,
  tiers: null,
  tiersAbovePrice: false,
  tiersFromSupplier: false,
  listPricePercent: null,
}

/** The inputs with a default group and a default rule, which every account has. */
export function withDefaults(inputs: AccountInputs): AccountInputs {
  return {
    ...inputs,
    rules: [...inputs.rules.map((rule) => ({ ...rule, isDefault: false })), ALWAYS],
    groups: [
      ...inputs.groups.map((group) => ({ ...group, isDefault: false })),
      { groupId: 99, name: 'Default', isDefault: true, taxCountry: null, pricesIncludeTax: null },
    ],
  }
}
