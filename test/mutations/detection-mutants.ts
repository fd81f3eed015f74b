import type { Mutant } from './mutant.ts'

const UNSEEN = 'src/supplier-files/proposal/unseen-files.test.ts'
const CERTAIN = 'src/supplier-files/proposal/certain-facts.test.ts'
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
]
