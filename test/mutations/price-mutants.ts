import type { Mutant } from './mutant.ts'

// Mutants of prices beyond rules: list prices, sales, tiers, tax, unit prices and price lists; and of which of them are public.

export const PRICE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-carry-is-forgotten',
    edits: [{ file: 'src/model/arithmetic.ts', from: '      carry = 1\n', to: '      carry = 0\n' }],
    file: 'src/model/arithmetic.test.ts',
    test: 'sums, differences, products and whole numbers are those of decimal.js, and leave their operands as they were',
  },
  {
    name: 'twelve-digits-lift-a-quotient',
    edits: [{ file: 'src/model/arithmetic.ts', from: '2 * denominator * unit >= SETTLED || ', to: '' }],
    file: 'src/model/arithmetic.test.ts',
    test: 'a quotient just below a half is left to decimal.js where its twelve digits reach the half',
  },
  {
    name: 'a-list-price-is-shown-below-the-price',
    edits: [
      {
        file: 'src/resolve/prices/list-price.ts',
        from: 'listPrice !== null && isBelow(price.computedPrice, listPrice)',
        to: 'listPrice !== null && !listPrice.isZero()',
      },
    ],
    file: 'src/resolve/prices/list-price.test.ts',
    test: 'beside a held price as that is shown, and beside none that is left out',
  },
  {
    name: 'a-sale-is-shown-after-its-last-day',
    edits: [{ file: 'src/resolve/prices/sale-price.ts', from: 'endsOn !== null && endsOn.value < day', to: 'false' }],
    file: 'src/resolve/prices/sale-price.test.ts',
    test: 'its price is shown from its first to its last day, beside the price without it',
  },
  {
    name: 'the-end-of-a-sale-is-a-jump',
    edits: [
      {
        file: 'src/shelf/encode.ts',
        from: 'must(isSale === undefined ? price : (compareAt ?? price))',
        to: 'must(price)',
      },
    ],
    file: 'test/shelf/sale-prices.pg.test.ts',
    test: 'a sale begins and ends with the account’s day: of its products alone, each once, with the lowest price before it',
  },
  {
    name: 'a-sale-begins-unmarked',
    edits: [
      {
        file: 'src/catalog/settings/days.ts',
        from: 'if (day > time.day) await salesTurn(tx, accountId, time.day, day)',
        to: 'void salesTurn',
      },
    ],
    file: 'test/shelf/sale-prices.pg.test.ts',
    test: 'a sale begins and ends with the account’s day: of its products alone, each once, with the lowest price before it',
  },
  {
    name: 'prices-alone-know-no-list-price',
    edits: [
      {
        file: 'contract/product-fields.ts',
        from: "SHOWN_BY_PRICES = [\n  'list_price',",
        to: 'SHOWN_BY_PRICES = [',
      },
    ],
    file: 'test/api/list-prices.pg.test.ts',
    test: 'a list price is announced as price, follows cost and rates, and goes without a trace',
  },
  {
    name: 'a-tier-at-the-price-is-shown',
    edits: [{ file: 'src/resolve/prices/tiers.ts', from: '!mayBeAbove && !isBelow(made, price)', to: 'false' }],
    file: 'src/resolve/prices/tiers.test.ts',
    test: 'not above the price',
  },
  {
    name: 'tiers-forget-the-floors',
    edits: [
      {
        file: 'src/resolve/prices/tiers.ts',
        from: 'boundedBy(rule, amount, basis.amount, price.currency, factor, trace).price',
        to: 'boundedBy({ ...rule, floorProfit: null }, amount, basis.amount, price.currency, factor, trace).price',
      },
    ],
    file: 'src/resolve/prices/tiers.test.ts',
    test: 'not below the floors',
  },
  {
    name: 'tiers-of-the-price-before-it-is-held',
    edits: [
      {
        file: 'src/resolve/resolve.ts',
        from: 'withTiers(priced, basis.cost, compiled, held, basis.made)',
        to: 'priced.map((price) => ({ ...price, tiers: withTiers(computed, basis.cost, compiled, held, basis.made).find((of) => of.groupId === price.groupId)?.tiers ?? [] }))',
      },
    ],
    file: 'src/resolve/prices/tiers.test.ts',
    test: 'follow from a held price, and are never above it',
  },
  {
    name: 'a-made-list-price-is-shown-while-held',
    edits: [
      {
        file: 'src/resolve/prices/list-price.ts',
        from: "if (isHeld(price, held)) return 'held'",
        to: '',
      },
    ],
    file: 'src/resolve/prices/made-list-price.test.ts',
    test: 'is left out while the price is held: it comes of the same cost',
  },
  {
    name: 'a-made-list-price-takes-the-place-of-a-stated-one',
    edits: [
      {
        file: 'src/resolve/resolve.ts',
        from: 'if (basis.listPrice === null) shown = withRule',
        to: 'if (basis.listPrice === null || compiled.groups.length > 0) shown = withRule',
      },
    ],
    file: 'src/resolve/prices/made-list-price.test.ts',
    test: 'is made only where nobody states one, whether that is shown or not',
  },
  {
    name: 'a-supplied-tier-forgets-the-tax',
    edits: [{ file: 'src/resolve/prices/tiers.ts', from: 'out: cost.withTax?.rate ?? null', to: 'out: null' }],
    file: 'src/resolve/prices/supplier-tiers.test.ts',
    test: 'have the tax taken out that is in the cost',
  },
  {
    name: 'a-supplied-tier-is-shown-while-held',
    edits: [
      {
        file: 'src/resolve/prices/tiers.ts',
        from: "isOfSupplier && isHeld(price, basis.held) ? 'held' : null",
        to: 'null',
      },
    ],
    file: 'src/resolve/prices/supplier-tiers.test.ts',
    test: 'are left out while the price is held',
  },
  {
    name: 'a-supplied-tier-is-not-guarded',
    edits: [
      {
        file: 'src/resolve/prices/tiers.ts',
        from: 'isJump(price, made, supplied.jumpFactor)',
        to: 'isJump(price, price, supplied.jumpFactor)',
      },
    ],
    file: 'src/resolve/prices/supplier-tiers.test.ts',
    test: 'further from the price than the factor are left out',
  },
  {
    name: 'tax-is-added-to-a-price-as-it-is-shown',
    edits: [
      {
        file: 'src/resolve/prices/price.ts',
        from: 'tax !== null && rule.fixed === null',
        to: 'tax !== null',
      },
    ],
    file: 'src/resolve/prices/tax.test.ts',
    test: 'is a fixed price as it is shown',
  },
  {
    name: 'floors-over-the-cost-forget-tax',
    edits: [{ file: 'src/resolve/prices/price.ts', from: 'tax === null ? net : times(net, tax)', to: 'net' }],
    file: 'src/resolve/prices/tax.test.ts',
    test: 'leaves a margin without tax',
  },
  {
    name: 'a-price-without-its-tax-is-shown',
    edits: [
      {
        file: 'src/resolve/prices/price.ts',
        from: 'tax !== null && tax.isIncluded && tax.rate === null',
        to: 'tax !== null && tax.isIncluded && tax.taxClass === null',
      },
    ],
    file: 'src/resolve/prices/tax.test.ts',
    test: 'is missing where its rate is not known, and explain says so',
  },
  {
    name: 'a-rate-of-tax-begins-unswept',
    edits: [
      {
        file: 'src/catalog/settings/days.ts',
        from: '|| (await taxRatesTurn(tx, accountId, time.day, day))',
        to: '|| false',
      },
    ],
    file: 'test/api/tax.pg.test.ts',
    test: 'a rate that begins is used from its day on, once, and a day without one changes nothing',
  },
  {
    name: 'a-unit-price-is-of-the-wanted-price',
    edits: [
      {
        file: 'src/resolve/resolve.ts',
        from: 'withUnitPrices(shown, basis.measured, store)',
        to: 'withUnitPrices(computed, basis.measured, store)',
      },
    ],
    file: 'src/resolve/prices/unit-price.test.ts',
    test: 'is beside a held price what that comes to',
  },
  {
    name: 'a-unit-price-repeats-the-price',
    edits: [
      { file: 'src/resolve/prices/unit-price.ts', from: "value.equals(price) ? 'same_as_price' : null", to: 'null' },
    ],
    file: 'src/resolve/prices/unit-price.test.ts',
    test: 'is left out where it would be the price itself, or nothing',
  },
  {
    name: 'prices-alone-know-no-content',
    edits: [
      {
        file: 'contract/product-fields.ts',
        from: "'tax_class',\n  'net_content',\n  'unit_price_reference',\n] as const",
        to: "'tax_class',\n] as const",
      },
    ],
    file: 'test/api/unit-prices.pg.test.ts',
    test: 'a content is announced, follows cost and owner, and goes without a trace',
  },
  {
    name: 'a-price-list-for-all-wins-over-one-for-the-group',
    edits: [
      {
        file: 'src/resolve/prices/price-lists.ts',
        from: 'return a.ofGroup !== 0\n',
        to: 'return a.ofGroup === 0\n',
      },
    ],
    file: 'src/resolve/prices/price-lists.test.ts',
    test: 'the entry is the one that a slow search in the order of the decision finds',
  },
  {
    name: 'a-price-list-turns-unmarked',
    edits: [
      {
        file: 'src/catalog/settings/days.ts',
        from: 'await priceListsMark(tx, accountId, await priceListsTurning(tx, accountId, time.day, day))',
        to: 'await priceListsMark(tx, accountId, [])',
      },
      {
        file: 'src/catalog/settings/days.ts',
        from: 'import { priceListsMark, priceListsTurning } from',
        to: 'import { priceListsMark } from',
      },
    ],
    file: 'test/api/price-lists.pg.test.ts',
    test: 'its first and its last day are days of the account, and only its products are announced',
  },
  {
    name: 'a-price-list-jumps-unasked',
    edits: [
      {
        file: 'src/operations/price-list/write.ts',
        from: 'preview.jumps > 0 && !isConfirmed',
        to: 'false',
      },
      {
        file: 'src/operations/price-list/write.ts',
        from: '{ isWhole, isDryRun, isConfirmed }: Options',
        to: '{ isWhole, isDryRun }: Options',
      },
    ],
    file: 'test/api/price-lists.pg.test.ts',
    test: 'prices that jump are asked for as a whole, shown before, and not held',
  },
  {
    name: 'prices-alone-know-no-tax-class',
    edits: [
      {
        file: 'contract/product-fields.ts',
        from: "'sale_ends_on',\n  'tax_class',\n  'net_content'",
        to: "'sale_ends_on',\n  'net_content'",
      },
    ],
    file: 'test/api/tax.pg.test.ts',
    test: 'a product’s class is the owner’s, the feed’s or the default, and explained',
  },
  {
    name: 'an-offer-says-nothing-of-tax-in-its-cost',
    edits: [{ file: 'src/resolve/sourcing/sourcing.ts', from: 'own ?? offer.cost_tax', to: 'own' }],
    file: 'src/resolve/prices/tax-in.test.ts',
    test: 'what the owner says of a product goes before its offers, each of which says it of its own cost',
  },
  {
    name: 'a-list-price-is-shown-with-tax-beside-a-price-without',
    edits: [
      {
        file: 'src/resolve/prices/list-price.ts',
        from: 'known === undefined || known.tax !== price.tax',
        to: 'known === undefined',
      },
    ],
    file: 'src/resolve/prices/tax-in.test.ts',
    test: 'what the owner states of a list price is about the owner’s alone',
  },
  {
    name: 'a-category-above-names-no-class',
    edits: [{ file: 'src/resolve/prices/tax.ts', from: 'at = tree.above(at)', to: 'at = null' }],
    file: 'src/resolve/prices/tax.test.ts',
    test: 'is that of the nearest category upward which names one, and explained',
  },
  {
    name: 'a-group-is-shown-the-tax-of-the-store',
    edits: [
      {
        file: 'src/resolve/prices/tax.ts',
        from: 'group.taxCountry === null && group.pricesIncludeTax === null',
        to: 'group.taxCountry === null',
      },
    ],
    file: 'src/resolve/prices/tax.test.ts',
    test: 'is shown prices without tax where it says so, and with the tax of its own country',
  },
  {
    name: 'a-class-of-a-category-is-deleted',
    edits: [
      {
        file: 'src/catalog/settings/prices/tax-classes.sql.ts',
        from: "if (category?.used === true) return 'category'",
        to: '',
      },
    ],
    file: 'test/api/tax-places.pg.test.ts',
    test: 'products of a category are in its class, from that moment on, and the class cannot be deleted',
  },
  {
    name: 'prices-say-which-is-public-unasked',
    edits: [
      {
        file: 'src/resolve/compile.ts',
        from: "account.additionalMembers.includes('prices_is_default')",
        to: 'true',
      },
    ],
    file: 'src/resolve/content/additional-members.test.ts',
    test: 'is not said in other accounts',
  },
  {
    name: 'the-first-price-is-the-public-one',
    edits: [
      {
        file: 'src/resolve/prices/price.ts',
        from: 'group.saysDefault ? group.isDefault : null',
        to: 'group.saysDefault ? prices.length === 0 : null',
      },
    ],
    file: 'src/resolve/content/additional-members.test.ts',
    test: 'is said by each price where the account has chosen it: the default group’s, wherever it stands',
  },
  {
    name: 'a-far-rate-of-the-bank-is-taken-over',
    edits: [{ file: 'src/bank-rates/plan.ts', from: 'percent.greaterThan(greatest)', to: 'percent.isNegative()' }],
    file: 'test/bank-rates/bank-rates.pg.test.ts',
    test: 'an account that wants them gets those of its currencies with one sweep; one that differs too much is held, and said once',
  },
  {
    name: 'a-file-of-few-currencies-is-read',
    edits: [{ file: 'src/bank-rates/read-file.ts', from: 'rates.size <= CURRENCIES_MIN', to: 'rates.size < 0' }],
    file: 'src/bank-rates/read-file.test.ts',
    test: 'few currencies is refused as a whole',
  },
]
