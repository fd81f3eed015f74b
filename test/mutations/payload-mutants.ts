import { DIGEST_MUTANTS } from './digest-mutants.ts'
import type { Mutant } from './mutant.ts'

// Mutants of what a payload is made of: attributes, texts and the arithmetic of prices; and of its digests.

const TEXTS = 'test/api/texts.pg.test.ts'
const WITHOUT_COSTS = 'test/api/without-costs.pg.test.ts'
const PRICE_LINES = 'test/api/price-lines.pg.test.ts'
const ATTRIBUTES = 'src/resolve/attributes.ts'
const ROUNDING = 'src/resolve/rounding.ts'

export const PAYLOAD_MUTANTS: readonly Mutant[] = [
  ...DIGEST_MUTANTS,
  {
    name: 'every-shelving-counts-as-a-change-of-the-content',
    edits: [
      {
        file: 'src/shelf/diff.ts',
        from: 'kept.halves === null || kept.halves.contentTag === stored?.contentTag',
        to: 'kept.halves === null',
      },
    ],
    file: 'test/api/additional-members.pg.test.ts',
    test: 'updated_at moves with the content alone, created_at never, and a write that changes nothing leaves the ETag as it is',
  },
  {
    name: 'a-clock-that-is-behind-takes-a-change-back',
    edits: [{ file: 'src/shelf/diff.ts', from: 'before > time ? before : time', to: 'time' }],
    file: 'test/api/additional-members.pg.test.ts',
    test: 'updated_at moves with the content alone, created_at never, and a write that changes nothing leaves the ETag as it is',
  },
  {
    name: 'a-member-is-shown-that-was-not-chosen',
    edits: [
      {
        file: 'src/resolve/additional-members.ts',
        from: 'if (named.includes(member)) finding.push',
        to: 'finding.push',
      },
    ],
    file: 'src/resolve/additional-members.test.ts',
    test: 'are only those that the account has chosen',
  },
  {
    name: 'a-list-price-is-shown-below-the-price',
    edits: [
      {
        file: 'src/resolve/list-price.ts',
        from: 'listPrice.greaterThan(price.computedPrice)',
        to: '!listPrice.isZero()',
      },
    ],
    file: 'src/resolve/list-price.test.ts',
    test: 'beside a held price as that is shown, and beside none that is left out',
  },
  {
    name: 'a-sale-is-shown-after-its-last-day',
    edits: [{ file: 'src/resolve/sale-price.ts', from: 'endsOn !== null && endsOn.value < day', to: 'false' }],
    file: 'src/resolve/sale-price.test.ts',
    test: 'its price is shown from its first to its last day, beside the price without it',
  },
  {
    name: 'the-end-of-a-sale-is-a-jump',
    edits: [
      {
        file: 'src/shelf/price-guard.ts',
        from: 'isOfSale(entry) ? (entry.compare_at_price ?? entry.computed_price) : entry.computed_price',
        to: 'entry.computed_price',
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
        from: "['list_price', 'tax_class',",
        to: "['tax_class',",
      },
    ],
    file: 'test/api/list-prices.pg.test.ts',
    test: 'a list price is announced as price, follows cost and rates, and goes without a trace',
  },
  {
    name: 'a-tier-at-the-price-is-shown',
    edits: [{ file: 'src/resolve/tiers.ts', from: '!mayBeAbove && !made.lessThan(price)', to: 'false' }],
    file: 'src/resolve/tiers.test.ts',
    test: 'not above the price',
  },
  {
    name: 'tiers-forget-the-floors',
    edits: [
      {
        file: 'src/resolve/tiers.ts',
        from: 'boundedBy(rule, amount, cost, price.currency, factor, trace).price',
        to: 'boundedBy({ ...rule, floorProfit: null }, amount, cost, price.currency, factor, trace).price',
      },
    ],
    file: 'src/resolve/tiers.test.ts',
    test: 'not below the floors',
  },
  {
    name: 'tiers-of-the-price-before-it-is-held',
    edits: [
      {
        file: 'src/resolve/resolve.ts',
        from: 'withTiers(priced, basis.cost, compiled.money, basis.made)',
        to: 'priced.map((price) => ({ ...price, tiers: withTiers(computed, basis.cost, compiled.money, basis.made).find((of) => of.groupId === price.groupId)?.tiers ?? [] }))',
      },
    ],
    file: 'src/resolve/tiers.test.ts',
    test: 'follow from a held price, and are never above it',
  },
  {
    name: 'tax-is-added-to-a-price-as-it-is-shown',
    edits: [
      {
        file: 'src/resolve/price.ts',
        from: 'tax !== null && rule.fixed === null',
        to: 'tax !== null',
      },
    ],
    file: 'src/resolve/tax.test.ts',
    test: 'is a fixed price as it is shown',
  },
  {
    name: 'floors-over-the-cost-forget-tax',
    edits: [{ file: 'src/resolve/price.ts', from: 'tax === null ? net : net.times(tax)', to: 'net' }],
    file: 'src/resolve/tax.test.ts',
    test: 'leaves a margin without tax',
  },
  {
    name: 'a-price-without-its-tax-is-shown',
    edits: [
      {
        file: 'src/resolve/price.ts',
        from: 'tax !== null && tax.isIncluded && tax.rate === null',
        to: 'tax !== null && tax.isIncluded && tax.taxClass === null',
      },
    ],
    file: 'src/resolve/tax.test.ts',
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
        from: 'withUnitPrices(besideListPrice(shown, listPrice), basis.measured, store)',
        to: 'withUnitPrices(besideListPrice(computed, listPrice), basis.measured, store)',
      },
    ],
    file: 'src/resolve/unit-price.test.ts',
    test: 'is beside a held price what that comes to',
  },
  {
    name: 'a-unit-price-repeats-the-price',
    edits: [{ file: 'src/resolve/unit-price.ts', from: "value.equals(price) ? 'same_as_price' : null", to: 'null' }],
    file: 'src/resolve/unit-price.test.ts',
    test: 'is left out where it would be the price itself, or nothing',
  },
  {
    name: 'prices-alone-know-no-content',
    edits: [
      {
        file: 'contract/product-fields.ts',
        from: "'tax_class', 'net_content', 'unit_price_reference'] as const",
        to: "'tax_class'] as const",
      },
    ],
    file: 'test/api/unit-prices.pg.test.ts',
    test: 'a content is announced, follows cost and owner, and goes without a trace',
  },
  {
    name: 'a-price-list-for-all-wins-over-one-for-the-group',
    edits: [
      {
        file: 'src/resolve/price-lists.ts',
        from: 'return a.ofGroup !== 0\n',
        to: 'return a.ofGroup === 0\n',
      },
    ],
    file: 'src/resolve/price-lists.test.ts',
    test: 'what docs/rules.md says of several lists',
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
        from: "'list_price', 'tax_class', 'net_content'",
        to: "'list_price', 'net_content'",
      },
    ],
    file: 'test/api/tax.pg.test.ts',
    test: 'a product’s class is the owner’s, the feed’s or the default, and explained',
  },
  {
    name: 'a-category-above-names-no-class',
    edits: [{ file: 'src/resolve/tax.ts', from: 'at = tree.above(at)', to: 'at = null' }],
    file: 'src/resolve/tax.test.ts',
    test: 'is that of the nearest category upward which names one, and explained',
  },
  {
    name: 'a-group-is-shown-the-tax-of-the-store',
    edits: [
      {
        file: 'src/resolve/tax.ts',
        from: 'group.taxCountry === null && group.pricesIncludeTax === null',
        to: 'group.taxCountry === null',
      },
    ],
    file: 'src/resolve/tax.test.ts',
    test: 'is shown prices without tax where it says so, and with the tax of its own country',
  },
  {
    name: 'a-class-of-a-category-is-deleted',
    edits: [
      {
        file: 'src/catalog/settings/tax-classes.sql.ts',
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
    file: 'src/resolve/additional-members.test.ts',
    test: 'is not said in other accounts',
  },
  {
    name: 'the-first-price-is-the-public-one',
    edits: [
      {
        file: 'src/resolve/price.ts',
        from: 'group.saysDefault ? group.isDefault : null',
        to: 'group.saysDefault ? prices.length === 0 : null',
      },
    ],
    file: 'src/resolve/additional-members.test.ts',
    test: 'is said by each price where the account has chosen it: the default group’s, wherever it stands',
  },
  {
    name: 'a-page-ends-where-the-longer-of-its-halves-ends',
    edits: [
      {
        file: 'src/shelf/payload-pages.sql.ts',
        from: 'Math.min(lastPrice, lastContent.id)',
        to: 'Math.max(lastPrice, lastContent.id)',
      },
    ],
    file: 'test/api/pages.pg.test.ts',
    test: 'a page is its products byte for byte, with the same tag however it was asked for',
  },
  {
    name: 'some-members-have-the-tag-of-all',
    edits: [
      {
        file: 'src/serve/routes/products.ts',
        from: '      return { body, tag: tagOf(body) }',
        to: '      return { body, tag: row.contentTag + row.priceTag }',
      },
    ],
    file: 'test/api/pages.pg.test.ts',
    test: 'fields: a tag is of what was chosen; it stays while that does, and never is that of another choice',
  },
  {
    name: 'texts-in-all-locales-have-the-tag-of-one-store',
    edits: [
      {
        file: 'src/serve/routes/products.ts',
        from: 'return { body: `{"data":${members.join()}}`, tag }',
        to: 'return { body: `{"data":${members.join()}}`, tag: tagOf(content) }',
      },
    ],
    file: 'test/api/all-locales.pg.test.ts',
    test: 'the tag is that of the body: it changes with a text of another store, and stays while no text does',
  },
  {
    name: 'a-store-that-does-not-list-a-product-hides-its-texts',
    edits: [
      {
        file: 'src/serve/all-locales.ts',
        from: 'stores.filter(({ locale }) => locale !== store.locale)',
        to: 'stores.filter((one, i) => one.locale !== store.locale && stores.findIndex((other) => other.locale === one.locale) === i)',
      },
    ],
    file: 'test/api/all-locales.pg.test.ts',
    test: 'texts are what reading the stores of each locale gives, and all else is the store’s own',
  },
  {
    name: 'an-escaped-quote-ends-a-text',
    edits: [
      {
        file: 'src/shelf/chosen-members.ts',
        from: 'if ((at - before) % 2 === 0) return at',
        to: 'return at',
      },
    ],
    file: 'src/shelf/chosen-members.test.ts',
    test: 'a quote within a text does not end it',
  },
  {
    name: 'a-page-shows-costs-to-everybody',
    edits: [
      {
        file: 'src/shelf/payload-pages.sql.ts',
        from: 'seesCosts ? { price: half.price, priceTag: half.tag }',
        to: 'seesCosts || isWhole ? { price: half.price, priceTag: half.tag }',
      },
    ],
    file: WITHOUT_COSTS,
    test: 'whatever it reads is the answer of other tokens without base_cost, and no purchase price is anywhere in it',
  },
  {
    name: 'changes-show-costs-to-everybody',
    edits: [
      {
        file: 'src/serve/routes/changes.ts',
        from: 'products: products.map((row) => seenBy(caller, row)) }',
        to: 'products }',
      },
    ],
    file: WITHOUT_COSTS,
    test: 'whatever it reads is the answer of other tokens without base_cost, and no purchase price is anywhere in it',
  },
  {
    name: 'a-tag-is-a-hash-of-the-cost-that-is-left-out',
    edits: [
      {
        file: 'src/shelf/without-costs.ts',
        from: 'priceTag: tagOf(shown)',
        to: 'priceTag: tagOf(price)',
      },
    ],
    file: WITHOUT_COSTS,
    test: 'its tags say nothing of a cost: they stay while only that changes, and the others’ do not',
  },
  {
    name: 'a-new-token-sees-more-than-the-one-it-replaces',
    edits: [{ file: 'src/accounts/rotate-token.ts', from: '    seesCosts: old.seesCosts,\n', to: '' }],
    file: 'test/panel/tokens.pg.test.ts',
    test: 'a token that sees no costs is listed as that, and so is the one that replaces it',
  },
  {
    name: 'every-locale-behind-the-accounts',
    edits: [
      {
        file: ATTRIBUTES,
        from: '[...localeParents(locale), EVERY, ...localeChain(locale, accountLocale)]',
        to: '[...localeChain(locale, accountLocale), EVERY]',
      },
    ],
    file: TEXTS,
    test: 'an attribute for * is shown in every store whose locale is not named',
  },
  {
    name: 'own-values-as-they-are-written',
    edits: [
      {
        file: ATTRIBUTES,
        from: 'value: showValue(key, value, definitions),',
        to: `value: source.from === 'override' ? value : showValue(key, value, definitions),`,
      },
    ],
    file: TEXTS,
    test: 'the owner’s values get the store’s decimal sign and the translations of options',
  },
  {
    name: 'a-floor-over-the-ceiling-goes-to-the-next-step',
    edits: [
      {
        file: ROUNDING,
        from: 'floor !== null && ceiling !== null && floor.greaterThan(ceiling)',
        to: 'floor !== null && ceiling !== null && floor.greaterThan(ceiling) && rounding === null',
      },
      {
        file: ROUNDING,
        from: '  return ceiling === null || price.lessThanOrEqualTo(ceiling)\n',
        to: '  return ceiling === null || price.lessThanOrEqualTo(ceiling) || (floor !== null && floor.greaterThan(ceiling))\n',
      },
    ],
    file: PRICE_LINES,
    test: 'where the floor lies above the ceiling the price is the floor, half up to the minor digits',
  },
  {
    name: 'a-bound-at-the-minor-digits-is-not-named',
    edits: [
      {
        file: 'src/resolve/price.ts',
        from: `(by !== 'direction' && by !== 'bounds')) return by\n`,
        to: `(by !== 'direction' && by !== 'bounds')) return 'minor_digits'\n`,
      },
    ],
    file: PRICE_LINES,
    test: 'a bound at the minor digits has a line that says so',
  },
  {
    name: 'blank-texts-of-before-are-shown',
    edits: [
      {
        file: 'src/model/blank.ts',
        from: '  return isBlank(shown) ? null : shown\n',
        to: `  return shown === '' && text === '' ? null : text\n`,
      },
    ],
    file: TEXTS,
    test: 'blank texts that were stored before they were trimmed do not stand in front of real ones',
  },
  {
    name: 'marks-of-what-was-just-written-are-read-late',
    edits: [
      {
        file: 'src/shelf/read-batch.ts',
        from: 'const marking = marksOf(tx, accountId, productIds).execute()',
        to: 'const marking = new Promise((resolve) => setTimeout(resolve, 50)).then(() => marksOf(tx, accountId, productIds))',
      },
    ],
    file: 'test/mutations/guards.pg.test.ts',
    test: 'what is written while a product that was just written is read (price)',
  },
  {
    name: 'marks-that-nobody-has-read-are-deleted',
    edits: [
      {
        file: 'src/catalog/stale/marks.sql.ts',
        from: 'and mark_id = any(${marks.map((mark) => mark.markId)}::bigint[])',
        to: 'and ${marks.map((mark) => mark.markId)}::bigint[] is not null',
      },
    ],
    file: 'test/mutations/guards.pg.test.ts',
    test: 'what is written while a product that was just written is read (price)',
  },
  {
    name: 'a-new-store-is-not-compared',
    edits: [{ file: 'src/shelf/read-batch.ts', from: 'const isSame = known === account', to: 'const isSame = true' }],
    file: 'test/mutations/guards.pg.test.ts',
    test: 'a product that was just written (price)',
  },
  {
    name: 'a-mixed-mark-counts-as-price',
    edits: [{ file: 'src/shelf/read-batch.ts', from: 'priced.delete(productId)', to: 'void [productId, half]' }],
    file: 'test/shelf/marks.pg.test.ts',
    test: 'one whole-product mark among price marks',
  },
]
