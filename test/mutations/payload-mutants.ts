import { DIGEST_MUTANTS } from './digest-mutants.ts'
import type { Mutant } from './mutant.ts'
import { PRICE_MUTANTS } from './price-mutants.ts'

// Mutants of the parts of a payload: attributes, texts and price arithmetic; and of its digests.

const TEXTS = 'test/api/texts.pg.test.ts'
const WITHOUT_COSTS = 'test/api/without-costs.pg.test.ts'
const PRICE_LINES = 'test/api/price-lines.pg.test.ts'
const ATTRIBUTES = 'src/resolve/content/attributes.ts'
const ROUNDING = 'src/resolve/prices/rounding.ts'

export const PAYLOAD_MUTANTS: readonly Mutant[] = [
  ...DIGEST_MUTANTS,
  ...PRICE_MUTANTS,
  {
    name: 'every-shelving-counts-as-a-change-of-the-content',
    edits: [
      {
        file: 'src/shelf/payloads/diff.ts',
        from: 'kept.halves === null || kept.halves.contentTag === stored?.contentTag',
        to: 'kept.halves === null',
      },
    ],
    file: 'test/api/additional-members.pg.test.ts',
    test: 'updated_at moves with the content alone, created_at never, and a write that changes nothing leaves the ETag as it is',
  },
  {
    name: 'a-clock-that-is-behind-takes-a-change-back',
    edits: [{ file: 'src/shelf/payloads/diff.ts', from: 'before > time ? before : time', to: 'time' }],
    file: 'test/api/additional-members.pg.test.ts',
    test: 'updated_at moves with the content alone, created_at never, and a write that changes nothing leaves the ETag as it is',
  },
  {
    name: 'a-member-is-shown-that-was-not-chosen',
    edits: [
      {
        file: 'src/resolve/content/additional-members.ts',
        from: 'if (named.includes(member)) finding.push',
        to: 'finding.push',
      },
    ],
    file: 'src/resolve/content/additional-members.test.ts',
    test: 'are only those that the account has chosen',
  },
  {
    name: 'a-page-ends-where-the-longer-of-its-halves-ends',
    edits: [
      {
        file: 'src/shelf/reads/payload-pages.sql.ts',
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
        from: "return { head: '{\"data\":', members, tail: '}', tag }",
        to: "return { head: '{\"data\":', members, tail: '}', tag: tagOf(content) }",
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
        file: 'src/shelf/reads/chosen-members.ts',
        from: 'if ((at - before) % 2 === 0) return at',
        to: 'return at',
      },
    ],
    file: 'src/shelf/reads/chosen-members.test.ts',
    test: 'a quote within a text does not end it',
  },
  {
    name: 'a-page-shows-costs-to-everybody',
    edits: [
      {
        file: 'src/shelf/reads/payload-pages.sql.ts',
        from: 'seesCosts ? { price: half.price, priceTag: half.tag }',
        to: 'seesCosts || isWhole ? { price: half.price, priceTag: half.tag }',
      },
    ],
    file: WITHOUT_COSTS,
    test: 'whatever it reads is the answer of other tokens without base_cost, and no purchase price is anywhere in it',
  },
  {
    name: 'large-pages-are-read-ahead',
    edits: [
      {
        file: 'src/shelf/reads/payload-walk.ts',
        from: 'nextAfterId !== null && isSmall ? read(nextAfterId)',
        to: 'nextAfterId !== null ? read(nextAfterId)',
      },
    ],
    file: 'test/shelf/payload-walk.pg.test.ts',
    test: 'the next page of small products is read while one is sent; that of large ones is read after it',
  },
  {
    name: 'changes-elsewhere-prolong-a-poll',
    edits: [{ file: 'src/feed/waiters.ts', from: 'if (timeoutMs <= 0) return false\n', to: '\n' }],
    file: 'test/feed/waiters.pg.test.ts',
    test: 'a waiter is told of changes until its deadline, and of none after it',
  },
  {
    name: 'changes-show-costs-to-everybody',
    edits: [
      {
        file: 'src/serve/routes/changes.ts',
        from: 'found.map((row) => seenBy(caller, row))',
        to: 'found',
      },
    ],
    file: WITHOUT_COSTS,
    test: 'whatever it reads is the answer of other tokens without base_cost, and no purchase price is anywhere in it',
  },
  {
    name: 'a-tag-is-a-hash-of-the-cost-that-is-left-out',
    edits: [
      {
        file: 'src/shelf/reads/without-costs.ts',
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
        from: 'floor !== null && ceiling !== null && isBelow(ceiling, floor)',
        to: 'floor !== null && ceiling !== null && isBelow(ceiling, floor) && rounding === null',
      },
      {
        file: ROUNDING,
        from: '  return ceiling === null || !isBelow(ceiling, price)\n',
        to: '  return ceiling === null || !isBelow(ceiling, price) || (floor !== null && isBelow(ceiling, floor))\n',
      },
    ],
    file: PRICE_LINES,
    test: 'where the floor lies above the ceiling the price is the floor, half up to the minor digits',
  },
  {
    name: 'a-bound-at-the-minor-digits-is-not-named',
    edits: [
      {
        file: 'src/resolve/prices/price.ts',
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
  {
    name: 'a-product-that-comes-back-is-new',
    edits: [
      {
        file: 'src/shelf/payloads/write-payloads.ts',
        from: 'const left = new Set((await Promise.all(logged)).flat().map(keyOf))',
        to: 'const left = new Set<string>()',
      },
    ],
    file: 'test/shelf/entering.pg.test.ts',
    test: 'a product that comes back into one store',
  },
  {
    name: 'a-half-without-the-other-is-new',
    edits: [
      {
        file: 'src/shelf/payloads/write-payloads.ts',
        from: ' && (alone.size === 0 || !alone.has(keyOf(fresh)))',
        to: '',
      },
    ],
    file: 'test/shelf/entering.pg.test.ts',
    test: 'a half without its other half is repaired',
  },
  {
    name: 'skipped-products-are-not-replaced',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: 'ids.slice(limit, limit + missing)',
        to: 'ids.slice(0, missing)',
      },
    ],
    file: 'test/shelf/concurrency.pg.test.ts',
    test: 'whoever skips products that are locked locks as many others',
  },
]
