import { ADDITIONAL_MEMBER_NAMES } from '../../../contract/additional-members.ts'
import { ATTRIBUTE_TYPES, DECIMAL_SIGNS } from '../../../contract/attribute-types.ts'
import { EXCLUSION_KINDS, needOf } from '../../../contract/exclusion-kinds.ts'
import {
  forEachField,
  isTextField,
  NAME_FIELDS,
  OPTIONAL_TEXTS,
  OVERRIDE_FIELDS,
  SOURCE_FIELDS,
  type NameField,
} from '../../../contract/product-fields.ts'
import {
  RULE_CONDITIONS,
  type ConditionsOf,
  type ConditionValue,
  type Form,
} from '../../../contract/rule-conditions.ts'
import type {
  AccountInputs,
  ExclusionRuleInput,
  HoldInput,
  ImageInput,
  OfferInput,
  ProductInputs,
  RoundingInput,
  RuleInput,
} from '../inputs.ts'
import { drawListEntries, drawPriceLists } from './arbitrary-price-lists.ts'
import { CONTENTS, REFERENCES } from './arbitrary-contents.ts'
import { drawTax } from './arbitrary-tax.ts'
import { drawCostTiers, drawTiers } from './arbitrary-tiers.ts'
import { AMOUNTS, CATEGORIES, CURRENCIES, DAYS, LOCALES, NAMES, PATTERNS, TEXTS } from './arbitrary-values.ts'
import { drawOften, pick, drawSometimes, drawEntries, type Draw } from './draws.ts'
import { aGroup, aRule, aStore, aSupplier } from '../fixtures.ts'

// Arbitrary inputs for this room's tests, drawn from a list of numbers that fast-check makes and shrinks in the tests. This
// room may import nothing but the model; smaller numbers and shorter lists draw simpler inputs.

/** Steps and endings of rounding that fit into each currency's digits. */
const STEPS: Readonly<Record<string, readonly [readonly [string, string], ...(readonly [string, string])[]]>> = {
  EUR: [
    ['1', '0.99'],
    ['0.05', '0'],
    ['10', '9.99'],
    ['0.03', '0.01'],
    ['1000', '0'],
  ],
  PLN: [
    ['1', '0.95'],
    ['10', '0'],
  ],
  JPY: [
    ['100', '80'],
    ['7', '3'],
  ],
  KWD: [
    ['0.250', '0'],
    ['0.005', '0.001'],
  ],
}

const id = (draw: Draw) => 1 + draw(4)
const text = (draw: Draw) => pick(draw, TEXTS)
/** EUR half the time, so that stores, rates, roundings and holds often have the same currency. */
const currency = (draw: Draw) => (draw(1) === 0 ? 'EUR' : pick(draw, CURRENCIES))
const amount = (draw: Draw) => pick(draw, AMOUNTS)
const ids = (draw: Draw) => drawEntries(draw, 3, () => id(draw))
const names = (draw: Draw) => drawEntries(draw, 3, () => pick(draw, NAMES))
const LIST_PRICES = ['9.99', '12.345678', '1000', '50 PLN', '999999999999999.999999 KWD', '7 SEK', '0', 'Acme'] as const
const SALE_DAYS = ['2026-11-15', '2026-11-20', '2026-11-30', '2027-01-01', '2026-1-1'] as const
const TAX_CLASSES = ['standard', 'STANDARD ', 'reduced', 'R7', 'zero', 'Acme'] as const
// mostly none: without a rate for its tax, an offer has no cost
const TAXES_IN = ['none', 'none', 'none', 'none', 'none', 'DE', 'PL', 'FI'] as const
const FIELD_NAMES: Readonly<Partial<Record<NameField, readonly [string, ...string[]]>>> = {
  category: CATEGORIES,
  list_price: LIST_PRICES,
  list_price_tax: TAXES_IN,
  cost_tax: TAXES_IN,
  sale_price: LIST_PRICES,
  sale_begins_on: SALE_DAYS,
  sale_ends_on: SALE_DAYS,
  tax_class: TAX_CLASSES,
  net_content: CONTENTS,
  unit_price_reference: REFERENCES,
}
const name = (draw: Draw, field: NameField) => pick<string>(draw, FIELD_NAMES[field] ?? NAMES)
const categories = (draw: Draw) => drawEntries(draw, 3, () => pick(draw, CATEGORIES))
const quantity = (draw: Draw) => pick(draw, [0, 1, 5, draw(9) - 3, 2_147_483_647])
const cost = (draw: Draw) =>
  pick(draw, [
    `${draw(200)}.${String(draw(999_999)).padStart(6, '0')}`,
    amount(draw),
    pick(draw, ['5', '100']),
    '999999999999999.999999',
  ])
/** An amount with no more decimals than the currency has. */
const shown = (draw: Draw, of: string) => (of === 'JPY' ? String(draw(3_000)) : `${draw(300)}.${draw(99)}`)
const record = <T>(draw: Draw, keys: readonly [string, ...string[]], max: number, make: () => T): Record<string, T> =>
  Object.fromEntries(
    drawEntries(
      draw,
      max,
      () => [pick(draw, keys), make()] as const,
      ([key]) => key,
    ),
  )

/** Values of conditions by their form. */
const VALUES: Readonly<Record<Form, (draw: Draw) => ConditionValue>> = {
  ids,
  names,
  paths: categories,
  number: amount,
  day: (draw) => pick(draw, DAYS),
}

const drawConditions = <K extends keyof typeof RULE_CONDITIONS>(draw: Draw, kind: K) =>
  Object.fromEntries(
    RULE_CONDITIONS[kind].map(({ field, form }) => [field, drawSometimes(draw, () => VALUES[form](draw))]),
  ) as unknown as ConditionsOf<K>

function drawRule(draw: Draw): RuleInput {
  const action = pick(draw, ['markup', 'margin', 'fixed'] as const)
  const percents = {
    markup: ['25', '0', '-100', '33.3333', '99999999.9999'],
    margin: ['20', '-50', '99.9999', '33.3333'],
    fixed: [null],
  } as const
  return {
    ruleId: 1 + draw(8),
    name: text(draw),
    priority: draw(3) - 1,
    isDefault: false,
    isActive: draw(5) < 5,
    ...drawConditions(draw, 'pricing'),
    action,
    percent: pick<string | null>(draw, percents[action]),
    fixedPrice: action === 'fixed' ? amount(draw) : null,
    currency: drawSometimes(draw, () => currency(draw)),
    ...drawLimits(draw, action !== 'fixed'),
  }
}

function drawLimits(draw: Draw, mayFollowCost: boolean) {
  const tiersFromSupplier = mayFollowCost && draw(2) === 2
  const rounding = (of: string): RoundingInput => {
    const [step, ending] = pick(draw, STEPS[of] ?? [['1', '0']])
    return { step, ending, direction: pick(draw, ['nearest', 'up', 'down']) }
  }
  return {
    addition: drawSometimes(draw, () => (draw(1) === 0 ? '' : '-') + amount(draw)),
    floorMarginPercent: drawSometimes(draw, () => pick(draw, ['15', '-20', '33.3333'])),
    floorProfit: drawSometimes(draw, () => (draw(1) === 0 ? '' : '-') + amount(draw)),
    floorPrice: drawSometimes(draw, () => amount(draw)),
    ceilingPrice: drawSometimes(draw, () => amount(draw)),
    rounding: Object.fromEntries(drawEntries(draw, 3, () => currency(draw)).map((of) => [of, rounding(of)])),
    overPriceLists: draw(5) === 5,
    tiers: tiersFromSupplier ? null : drawSometimes(draw, () => drawTiers(draw, amount)),
    tiersAbovePrice: draw(3) === 3,
    tiersFromSupplier,
    listPricePercent: drawSometimes(draw, () => pick(draw, ['0.0001', '50', '166.6667', '99999999.9999'])),
  }
}

/** Anything the schema can hold, including references to missing rows. The default rule is 99, the default group 9. */
export function drawAccount(draw: Draw): AccountInputs {
  return drawTax(draw, drawUntaxed(draw))
}

function drawUntaxed(draw: Draw): AccountInputs {
  const options = () => record(draw, ['Blue', '12.5', '__proto__'], 2, () => record(draw, LOCALES, 2, () => text(draw)))
  return {
    currency: currency(draw),
    locale: pick(draw, LOCALES),
    day: '2026-11-20',
    skuPattern: drawOften(draw, () => pick(draw, PATTERNS)),
    priceJumpFactor: drawOften(draw, () => pick(draw, ['1.0001', '2', '10'])),
    stores: [
      aStore({ storeId: 1, locale: pick(draw, LOCALES), currency: currency(draw), listsByDefault: draw(3) < 3 }),
      ...drawEntries(
        draw,
        2,
        () => aStore({ storeId: 2 + draw(2), slug: text(draw), locale: pick(draw, LOCALES), currency: currency(draw) }),
        (entry) => entry.storeId,
      ),
    ],
    groups: [
      ...drawEntries(
        draw,
        2,
        () => aGroup({ groupId: id(draw), name: text(draw), isDefault: false }),
        (entry) => entry.groupId,
      ),
      aGroup({ groupId: 9 }),
    ],
    rules: [
      ...drawEntries(
        draw,
        6,
        () => drawRule(draw),
        (rule) => rule.ruleId,
      ),
      aRule({ ruleId: 99, priority: -5, isDefault: true, percent: '25', ...drawLimits(draw, true) }),
    ],
    rates: Object.fromEntries(
      CURRENCIES.slice(0, 5).flatMap((of) =>
        draw(9) < 9 ? [[of, pick(draw, ['1', '3', '4.2875', '162.535', '0.33375', '0.000000000007'])]] : [],
      ),
    ),
    suppliers: drawEntries(
      draw,
      6,
      () => aSupplier(id(draw), { priority: draw(1), safetyBuffer: draw(4), isActive: draw(5) < 5 }),
      (entry) => entry.supplierId,
    ),
    attributes: drawEntries(
      draw,
      3,
      () => ({
        key: text(draw),
        unit: drawOften(draw, () => text(draw)),
        units: record(draw, LOCALES, 2, () => text(draw)),
        position: draw(2) - 1,
        labels: record(draw, LOCALES, 2, () => text(draw)),
        options: options(),
        type: drawOften(draw, () => pick(draw, ATTRIBUTE_TYPES)),
        separator: drawSometimes(draw, () => text(draw)),
        decimal: drawSometimes(draw, () => pick(draw, DECIMAL_SIGNS)),
      }),
      (entry) => entry.key,
    ),
    categories: drawEntries(
      draw,
      3,
      () => ({
        categoryId: id(draw),
        path: pick(draw, CATEGORIES),
        supplierPaths: categories(draw),
        names: record(draw, LOCALES, 2, () => text(draw)),
        externalId: drawSometimes(draw, () => text(draw)),
        taxClass: null,
      }),
      (entry) => entry.categoryId,
    ),
    exclusionRules: drawEntries(
      draw,
      4,
      () => drawExclusionRule(draw),
      (rule) => rule.ruleId,
    ),
    assortmentRules: drawEntries(
      draw,
      3,
      () => ({
        ruleId: id(draw),
        storeId: id(draw),
        name: text(draw),
        priority: draw(2),
        isActive: draw(3) < 3,
        isListed: draw(2) > 0,
        ...drawConditions(draw, 'assortment'),
      }),
      (rule) => rule.ruleId,
    ),
    sourceOrders: drawEntries(
      draw,
      4,
      () => ({ field: pick(draw, SOURCE_FIELDS), supplierIds: ids(draw) }),
      (order) => order.field,
    ),
    taxClasses: [],
    priceLists: drawPriceLists(draw),
    anyLocale: draw(1) === 1,
    imageBase: draw(2) === 0 ? null : 'https://pictures.example',
    additionalMembers: ADDITIONAL_MEMBER_NAMES.filter(() => draw(1) === 1),
  }
}

function drawExclusionRule(draw: Draw): ExclusionRuleInput {
  const kind = pick(draw, EXCLUSION_KINDS)
  const need = needOf(kind)
  const named = need.names === undefined ? null : need.names === 'categories' ? categories(draw) : names(draw)
  return {
    ruleId: id(draw),
    name: text(draw),
    reason: `${kind} ${draw(9)}`,
    priority: draw(1),
    isActive: draw(5) < 5,
    storeIds: drawSometimes(draw, () => ids(draw)),
    kind,
    names: named,
    supplierIds: need.member === 'supplier_ids' ? ids(draw) : null,
    amount: need.member === 'amount' ? amount(draw) : null,
    currency: need.amount?.hasCurrency === true ? drawSometimes(draw, () => currency(draw)) : null,
  }
}

export function drawProduct(draw: Draw): ProductInputs {
  const offers = drawEntries(
    draw,
    4,
    () => drawOffer(draw),
    (offer) => `${offer.supplierId} ${offer.supplierSku}`,
  )
  const eans = drawEntries(
    draw,
    3,
    () => ({
      ean: `40${draw(99)}`,
      isPrimary: false,
      supplierId: draw(4),
      supplierSku: `S${draw(1)}`,
      position: draw(1),
    }),
    (row) => `${row.ean} ${row.supplierId} ${row.supplierSku}`,
  )
  const chosen = draw(5) === 5
  return {
    productId: id(draw),
    sku: drawOften(draw, () => text(draw)),
    isDeleted: draw(20) === 20,
    createdAt: pick(draw, ['2026-11-20T10:00:00+00:00', '1999-12-31T23:59:59+00:00']),
    eans: eans.map((row, i) => ({ ...row, isPrimary: chosen && i === 0 })),
    offers,
    ownStock: drawSometimes(draw, () => ({ quantity: quantity(draw), cost: drawOften(draw, () => cost(draw)) })),
    overrides: drawEntries(
      draw,
      2,
      () => {
        const field = pick(draw, OVERRIDE_FIELDS)
        if (field === 'images')
          return {
            field,
            locale: '',
            value: JSON.stringify(drawEntries(draw, 2, () => `https://o.example/${draw(9)}.jpg`)),
          }
        if (field === 'image_alts') return { field, locale: pick(draw, LOCALES), value: JSON.stringify(drawAlts(draw)) }
        if (isTextField(field)) return { field, locale: pick(draw, LOCALES), value: text(draw) }
        return { field, locale: '', value: name(draw, field) }
      },
      (row) => `${row.field} ${row.locale}`,
    ),
    attributeOverrides: drawEntries(
      draw,
      3,
      () => ({ key: text(draw), locale: pick(draw, ['', ...LOCALES]), value: drawOften(draw, () => text(draw)) }),
      (row) => `${row.locale} ${row.key}`,
    ),
    listings: drawEntries(
      draw,
      1,
      () => ({ storeId: id(draw), isListed: draw(2) > 0 }),
      (row) => row.storeId,
    ),
    exclusions:
      draw(4) < 4
        ? []
        : drawEntries(
            draw,
            2,
            () => ({ storeId: draw(2), reason: `by hand ${draw(9)}` }),
            (row) => row.storeId,
          ),
    holds: drawEntries(
      draw,
      4,
      () => drawHold(draw),
      (row) => `${row.storeId} ${row.groupId}`,
    ),
    listEntries: drawListEntries(draw),
    priceHistory: drawEntries(
      draw,
      4,
      () => ({
        storeId: id(draw),
        from: pick(draw, ['2026-09-01', '2026-10-30', '2026-11-18', '2026-11-20']),
        shown: pick(draw, ['EUR 1:19.99 2:18.5', 'EUR 1:9', 'PLN 1:50 3:7', '', null]),
      }),
      (row) => `${row.storeId} ${row.from}`,
    ),
    images: Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`https://i.example/${i}.jpg`, pick(draw, IMAGES)] as const),
    ),
    groups: draw(1) === 0 ? [] : [{ supplierId: id(draw), key: text(draw), groupId: id(draw), position: draw(9) }],
    slugs: drawEntries(
      draw,
      2,
      () => ({ storeId: id(draw), slug: `slug-${draw(9)}` }),
      (row) => row.storeId,
    ),
    ownGroup: drawSometimes(draw, () => ({
      groupId: drawOften(draw, () => id(draw)),
      position: draw(9),
      values: { size: text(draw), [text(draw)]: text(draw) },
      title: drawSometimes(draw, () => ({ [pick(draw, LOCALES)]: text(draw) })) ?? {},
      options: drawEntries(
        draw,
        2,
        () => ({ key: text(draw), labels: { [pick(draw, LOCALES)]: text(draw) } }),
        (option) => option.key,
      ),
    })),
  }
}

const imageOf = (state: ImageInput['state'], path: string | null = null, width: number | null = null): ImageInput => {
  const copy = path === null ? null : { hash: path, type: 'image/png', width, height: width }
  return { state, path, reason: width === null ? 'timeout' : null, copy }
}
const IMAGES = [imageOf('pending'), imageOf('mirrored', '/1.png', 800), imageOf('mirrored', '/2.png'), imageOf('dead')]
const drawAlts = (draw: Draw) =>
  Object.fromEntries(drawEntries(draw, 3, () => `https://i.example/${draw(9)}.jpg`).map((url) => [url, text(draw)]))

function drawOffer(draw: Draw): OfferInput {
  const stated = draw(9) < 9 ? cost(draw) : null
  return {
    supplierId: id(draw),
    supplierSku: `S${draw(1)}`,
    cost: stated,
    costTiers: drawOften(draw, () => drawCostTiers(draw, stated)),
    currency: currency(draw),
    quantity: quantity(draw),
    ...forEachField(NAME_FIELDS, (field) => drawOften(draw, () => name(draw, field))),
    texts: record(draw, LOCALES, 3, () => ({
      title: drawOften(draw, () => text(draw)),
      ...(draw(1) === 0 ? {} : { description: text(draw) }),
      ...(draw(1) === 0 ? {} : { [pick(draw, OPTIONAL_TEXTS)]: drawOften(draw, () => text(draw)) }),
    })),
    attributes: drawEntries(
      draw,
      3,
      () => ({ key: text(draw), value: text(draw) }),
      (row) => row.key,
    ),
    images: drawEntries(draw, 3, () => `https://i.example/${draw(9)}.jpg`),
    imageAlts: drawSometimes(draw, () => record(draw, LOCALES, 2, () => drawAlts(draw))),
    group: drawSometimes(draw, () => ({
      key: text(draw),
      title: record(draw, LOCALES, 2, () => text(draw)),
      options: drawEntries(
        draw,
        2,
        () => ({ key: text(draw), label: drawOften(draw, () => text(draw)), value: text(draw) }),
        (row) => row.key,
      ),
      position: drawOften(draw, () => draw(9)),
    })),
  }
}

function drawHold(draw: Draw): HoldInput {
  const of = currency(draw)
  return {
    storeId: pick(draw, [1, 1, 1, 2]),
    groupId: pick(draw, [9, 9, 9, 1]),
    currency: of,
    shownPrice: shown(draw, of),
    shownRuleId: 1 + draw(8),
  }
}
