import type { Mutant } from './mutant.ts'

const UNSEEN = 'src/supplier-files/proposal/unseen-files.test.ts'
const CERTAIN = 'src/supplier-files/proposal/certain-facts.test.ts'
const ZEROS = 'src/supplier-files/proposal/zeros-and-units.test.ts'
const NOT_SOLD = 'src/supplier-files/proposal/rows-not-sold.test.ts'
const CATEGORIES = 'src/supplier-files/proposal/categories-by-id.test.ts'
const DETECT = 'src/supplier-files/proposal/detect.test.ts'
const REMARKS = 'src/supplier-files/remarks.test.ts'
const ROW_GROUPS = 'test/import/row-groups.pg.test.ts'

/** Of what detection takes for a group, a key and a currency (I174), for stock, a cost and an article (I183), and of rows that are no articles. */
export const DETECTION_MUTANTS: readonly Mutant[] = [
  {
    name: 'pieces-of-a-pack-are-stock',
    edits: [
      {
        file: 'src/supplier-files/proposal/packs.ts',
        from: "delete fields['quantity']",
        to: 'void total',
      },
    ],
    file: CERTAIN,
    test: 'are no pieces of a pack, which its price shows (I183)',
  },
  {
    name: 'any-quantity-beside-a-total-is-of-a-pack',
    edits: [
      {
        file: 'src/supplier-files/proposal/packs.ts',
        from: ' || !OF_A_PACK.test(total.name)) continue',
        to: ') continue',
      },
    ],
    file: CERTAIN,
    test: 'are pieces where the other price is what is there altogether',
  },
  {
    name: 'pieces-of-a-price-are-a-cost',
    edits: [
      {
        file: 'src/supplier-files/proposal/field-candidates.ts',
        from: "guess.field !== 'cost' || !isPriceUnit(column)",
        to: "guess.field !== 'cost' || isPriceUnit(column) || !column.isList",
      },
    ],
    file: CERTAIN,
    test: 'are none of the pieces that a price is for (I183)',
  },
  {
    name: 'records-of-another-kind-are-articles',
    edits: [
      {
        file: 'src/supplier-files/proposal/rows-of-kinds.ts',
        from: 'if (kinds.size < 2 ||',
        to: 'if (kinds.size < 20 ||',
      },
    ],
    file: CERTAIN,
    test: 'of another kind than articles, of which none has a cost, are left out with a question (I183)',
  },
  {
    name: 'what-repeats-is-an-article',
    edits: [
      {
        file: 'src/supplier-files/proposal/record-path.ts',
        from: 'first.path.startsWith(`${path}.`) && !OF_GOODS',
        to: 'first.path.endsWith(`${path}.`) && !OF_GOODS',
      },
    ],
    file: CERTAIN,
    test: 'are articles, and not the properties of the only one (I183)',
  },
  {
    name: 'a-public-price-is-taken-without-a-question',
    edits: [
      {
        file: 'src/supplier-files/proposal/public-prices.ts',
        from: "  ask(say('list_price_beside', {",
        to: "  void (say('list_price_beside', {",
      },
    ],
    file: CERTAIN,
    test: 'is the list price where it is above the cost, and that is asked: Listino (I183)',
  },
  {
    name: 'a-retail-price-is-taken',
    edits: [
      {
        file: 'src/supplier-files/proposal/public-prices.ts',
        from: 'const found = above(PUBLIC)',
        to: 'const found = above(PUBLIC) ?? above(RETAIL)',
      },
    ],
    file: CERTAIN,
    test: 'is asked about where it may be what the merchant asks for: retail_price (I183)',
  },
  {
    name: 'a-sale-price-of-nought-counts',
    edits: [
      {
        file: 'src/supplier-files/presets/presets.ts',
        from: "cost: { when: { column: 'sale_price', optional: true, matches: '[1-9]' }",
        to: "cost: { when: { column: 'sale_price', optional: true, empty: false }",
      },
    ],
    file: ZEROS,
    test: 'is no price of a sale in a feed of Google: 0.00 EUR (I190)',
  },
  {
    name: 'a-ready-mapping-costs-nought-unasked',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-amounts.ts',
        from: 'if (column === undefined || zeros === 0 || zeros < priced * ZEROS_ASKED) return',
        to: 'if (column === undefined || zeros >= 0) return',
      },
    ],
    file: ZEROS,
    test: 'is asked about where a ready mapping reads it (I190)',
  },
  {
    name: 'one-free-article-is-free',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-amounts.ts',
        from: 'if (zeros < values.length * ZEROS_ASKED && !isPricedElsewhere(own, columns, rows)) return',
        to: 'if (zeros < values.length * ZEROS_ASKED) return',
      },
    ],
    file: ZEROS,
    test: 'is asked about in a single row that has another price: RRP (I190)',
  },
  {
    name: 'a-price-in-dollars-is-in-soles',
    edits: [
      {
        file: 'src/supplier-files/proposal/name-currencies.ts',
        from: 'others.length > 0 && !others.some(',
        to: 'others.length > 99 && !others.some(',
      },
    ],
    file: ZEROS,
    test: 'are asked about, and "$" beside a currency that is not written so is USD: Precio $, Precio S/ (I190)',
  },
  {
    name: 'other-currencies-are-left-out-unasked',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-amounts.ts',
        from: '(isSaidOtherwise || isInOtherCurrency(own.name, name)) &&',
        to: 'isSaidOtherwise &&',
      },
    ],
    file: ZEROS,
    test: 'are asked about, and "$" beside a currency that is not written so is USD: price, price_usd (I190)',
  },
  {
    name: 'whole-cents-are-an-amount',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-cost.ts',
        from: "values.every((value) => value === '2'),",
        to: "values.every((value) => value === '20'),",
      },
    ],
    file: ZEROS,
    test: 'are hundredths where their name, or a number beside them, says so: price.amount (I190)',
  },
  {
    name: 'kilograms-are-pieces',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-units.ts',
        from: 'if (isMeasured) ask',
        to: 'if (isMeasured && rows.length === 0) ask',
      },
    ],
    file: ZEROS,
    test: 'is asked about in a stock: Stock (kg) (I190)',
  },
  {
    name: 'many-pieces-are-one',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-units.ts',
        from: 'if (unit !== undefined && example !== undefined)',
        to: 'if (unit === undefined && example !== undefined)',
      },
    ],
    file: ZEROS,
    test: 'is asked about in a price whose unit is many pieces: Unit, 100 pcs (I190)',
  },
  {
    name: 'the-ean-of-a-carton-is-that-of-the-article',
    edits: [
      {
        file: 'src/supplier-files/proposal/field-candidates.ts',
        from: "guess.field !== 'ean' || !hasOwnEan || !isEanOfPack(column)",
        to: "guess.field !== 'ean' || !hasOwnEan || true",
      },
    ],
    file: ZEROS,
    test: 'has no EAN of the article: EAN carton (I190)',
  },
  {
    name: 'a-price-of-a-hundred-is-that-of-one',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-cost.ts',
        from: 'if (many > 1) {',
        to: 'if (many > 1_000_000) {',
      },
    ],
    file: ZEROS,
    test: 'makes the price of as many pieces as its name says that of one, which is asked: Precio x 100 (I190)',
  },
  {
    name: 'currencies-in-words-are-dropped-unasked',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-currency.ts',
        from: 'if (column === undefined || example === undefined) return',
        to: "if (column === undefined || example !== '') return",
      },
    ],
    file: ZEROS,
    test: 'are asked about where a column has them in words of its own: MN, USD (I190)',
  },
  {
    name: 'a-stock-of-nought-everywhere-is-one',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-amounts.ts',
        from: "if (!values.includes('1')) ask(",
        to: "if (!values.includes('1')) void (",
      },
    ],
    file: ZEROS,
    test: 'in each row of a stock is asked about: Qty (I190)',
  },
  {
    name: 'percentages-are-costs-unasked',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-amounts.ts',
        from: 'if (values.length < RATE_ROWS_MIN || !values',
        to: 'if (values.length > 0 || !values',
      },
    ],
    file: ZEROS,
    test: 'of a few kinds beside prices may be percentages, which is asked: wholesale (I190)',
  },
  {
    name: 'a-lower-price-is-left-out-unasked',
    edits: [
      {
        file: 'src/supplier-files/proposal/doubtful-amounts.ts',
        from: 'if (lower.length > 0) ask',
        to: 'if (lower.length > 20) ask',
      },
    ],
    file: CERTAIN,
    test: 'are asked about, whatever they are called (I183)',
  },
  {
    name: 'what-articles-of-several-kinds-share-groups-them',
    edits: [
      {
        file: 'src/supplier-files/proposal/group-numbers.ts',
        from: 'GROUP_ID.test(lettersOf(name)) || MAYBE_PRODUCT.test(lettersOf(name))',
        to: 'GROUP_ID.test(lettersOf(name))',
      },
    ],
    file: UNSEEN,
    test: 'are none by what articles of several kinds share: model (I174)',
  },
  {
    name: 'a-number-with-two-titles-is-that-of-a-product',
    edits: [
      {
        file: 'src/supplier-files/proposal/same-titles.ts',
        from: 'pairs.size === new Set(numbers).size && ',
        to: '',
      },
    ],
    file: UNSEEN,
    test: 'are none by a number that has two titles',
  },
  {
    name: 'any-name-of-a-group-is-that-of-a-product',
    edits: [
      {
        file: 'src/supplier-files/proposal/group-numbers.ts',
        from: 'label !== undefined && !areTitles(',
        to: 'label !== undefined && label.length < 0 && !areTitles(',
      },
    ],
    file: UNSEEN,
    test: 'are those whose names their articles begin with, and no names of merchandise',
  },
  {
    name: 'the-currency-of-another-price-is-that-of-the-costs',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-currency.ts',
        from: 'if (beside !== undefined) {',
        to: 'if (beside !== undefined && beside.isList) {',
      },
    ],
    file: UNSEEN,
    test: 'are in the currency that is called like their column (I174)',
  },
  {
    name: 'another-key-is-taken-without-a-question',
    edits: [
      {
        file: 'src/supplier-files/proposal/choose-key.ts',
        from: "ask(other.question, 'sku')",
        to: 'void other.question',
      },
    ],
    file: UNSEEN,
    test: 'are those of the system where the number of articles repeats, and that is asked about (I174)',
  },
  {
    name: 'the-id-is-the-key-although-no-number-repeats',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-key.ts',
        from: 'repeated < Math.max(GAPS.rows, keys.length * REPEATED_MIN)',
        to: 'repeated < 0',
      },
    ],
    file: UNSEEN,
    test: 'are the numbers of articles where none repeats',
  },
  {
    name: 'a-list-of-addresses-is-one-of-articles',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-key.ts',
        from: 'const page = hasTitle(columns) ?',
        to: 'const page = columns.length > 0 ?',
      },
    ],
    file: UNSEEN,
    test: 'are addresses where titles repeat and nothing else differs, and of nothing without a title',
  },
  {
    name: 'an-entity-separates-categories',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-category.ts',
        from: '!ENTITY.test(value) && ',
        to: '',
      },
    ],
    file: UNSEEN,
    test: 'have one category before a semicolon, and none before that of an entity',
  },
  {
    name: 'a-switch-is-a-quantity',
    edits: [
      {
        file: 'src/supplier-files/proposal/field-candidates.ts',
        from: '(isSwitch(column) || isState(column))',
        to: 'false',
      },
    ],
    file: DETECT,
    test: 'takes no switch for a quantity where another column counts',
  },
  {
    name: 'a-doubtful-key-is-not-asked',
    edits: [
      {
        file: 'src/supplier-files/proposal/choose-key.ts',
        from: "  ask(question, 'sku')\n",
        to: '  void question\n',
      },
    ],
    file: DETECT,
    test: 'asks about what is doubtful in "EAN,Name,Cost,Stock',
  },
  {
    name: 'a-footer-is-an-article',
    edits: [{ file: 'src/supplier-files/conversion/convert.ts', from: 'if (remark !== null) return remark\n', to: '' }],
    file: ROW_GROUPS,
    test: 'sums, repeated headers and notes are no articles; an offer with such a key is kept',
  },
  {
    name: 'an-offer-called-like-a-sum-is-set-to-0',
    edits: [{ file: 'src/imports/run.ts', from: '        keep(about)\n', to: '' }],
    file: ROW_GROUPS,
    test: 'sums, repeated headers and notes are no articles; an offer with such a key is kept',
  },
  {
    name: 'a-brand-called-total-is-a-sum',
    edits: [
      {
        file: 'src/supplier-files/remarks.ts',
        from: 'return key === null || key === ',
        to: 'return key === null || key !== ',
      },
    ],
    file: REMARKS,
    test: 'where the word is its brand, before a key of figures',
  },
  {
    name: 'a-title-beside-a-sum-is-none',
    edits: [
      {
        file: 'src/supplier-files/remarks.ts',
        from: '    if (!cells.every((cell, at) => at <= place || isFigure(memberText(cell)))) return false\n',
        to: '',
      },
    ],
    file: REMARKS,
    test: 'Total;Waschmittel;4,50;12',
  },
  {
    name: 'a-key-that-is-a-sentence-is-a-note',
    edits: [
      {
        file: 'src/supplier-files/remarks.ts',
        from: ' && !(this.#hasSentencesAsKeys && this.#keyOf(cells) !== null)',
        to: '',
      },
    ],
    file: REMARKS,
    test: 'nor where the keys of articles are sentences',
  },
  {
    name: 'any-line-that-is-cut-off-is-a-footer',
    edits: [
      {
        file: 'src/supplier-files/csv/parse.ts',
        from: 'const isShort = fields.length < columns && !isStatedSum(fields)',
        to: 'const isShort = fields.length > columns && !isStatedSum(fields)',
      },
    ],
    file: REMARKS,
    test: 'in a last line without an end, which is not cut off',
  },
  {
    name: 'rows-that-are-not-sold-come-in-unasked',
    edits: [
      {
        file: 'src/supplier-files/proposal/inactive-rows.ts',
        from: 'if (count === 0 || count === rows) continue',
        to: 'if (count >= 0) continue',
      },
    ],
    file: NOT_SOLD,
    test: 'are asked about, with what leaves them out: discontinued, 0 and 1 (I191)',
  },
  {
    name: 'a-list-of-discontinued-articles-is-asked-about',
    edits: [
      {
        file: 'src/supplier-files/proposal/inactive-rows.ts',
        from: 'count === 0 || count === rows',
        to: 'count === 0',
      },
    ],
    file: NOT_SOLD,
    test: 'are not asked about where a column says nothing of a part of them: Lifecycle',
  },
  {
    name: 'entities-stay-in-titles',
    edits: [
      {
        file: 'src/supplier-files/proposal/title-html.ts',
        from: 'entities.set(entity, character)',
        to: 'void character',
      },
    ],
    file: NOT_SOLD,
    test: 'is removed, which is asked: Table &amp; chair (I191)',
  },
  {
    name: 'categories-stay-ids',
    edits: [
      {
        file: 'src/supplier-files/proposal/detect.ts',
        from: "fields['category'] = CATEGORY_MEMBER",
        to: 'void CATEGORY_MEMBER',
      },
    ],
    file: CATEGORIES,
    test: 'are the names of the category and of those that contain it',
  },
]
