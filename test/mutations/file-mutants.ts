import type { Mutant } from './mutant.ts'

const SHAPES = 'test/shapes/parsers.test.ts'
const DOUBTFUL = 'src/supplier-files/proposal/doubtful-files.test.ts'
const COSTS = 'src/supplier-files/proposal/propose-cost.test.ts'
const HTML = 'src/supplier-files/xlsx/html-sheet.test.ts'
const EACH = 'src/supplier-files/proposal/propose-each.test.ts'

/** Faults in the limits for suppliers' files, and in the questions of detection. */
export const FILE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-json-file-is-nested-as-deep-as-it-likes',
    edits: [
      {
        file: 'src/supplier-files/json/parse.ts',
        from: 'if (++this.#depth > importDepthMax)',
        to: 'if (++this.#depth > Infinity)',
      },
    ],
    file: SHAPES,
    test: 'nested lists: the limit holds in every mode, with turns for others',
  },
  {
    name: 'a-later-json-element-is-nested-as-deep-as-it-likes',
    edits: [{ file: 'src/supplier-files/json/scan.ts', from: 'if (++level > deepest) return null', to: 'level++' }],
    file: 'src/supplier-files/json/parse.test.ts',
    test: 'checks the depth of later elements as of the first',
  },
  {
    name: 'an-element-has-any-number-of-attributes',
    edits: [
      {
        file: 'src/supplier-files/xml/parse.ts',
        from: 'if (++this.#attributes > importColumnsMax)',
        to: 'if (++this.#attributes > Infinity)',
      },
    ],
    file: SHAPES,
    test: 'attributes: the limit holds in every mode, with turns for others',
  },
  // tables in HTML (I163)
  {
    name: 'a-page-of-a-server-is-a-table',
    edits: [{ file: 'src/supplier-files/xlsx/html-sheet.ts', from: '&& !OF_PAGE.test(text) &&', to: '&&' }],
    file: HTML,
    test: 'is not a page to sign in, which is refused as a page',
  },
  {
    name: 'an-html-table-may-be-cut-off',
    edits: [
      {
        file: 'src/supplier-files/xlsx/html-sheet.ts',
        from: 'if (!isClosed) throw',
        to: 'if (this.#row < 0) throw',
      },
    ],
    file: HTML,
    test: 'is refused where it is cut off, and where a tag or a text has no end',
  },
  {
    name: 'rows-outside-of-a-table-are-passed-over',
    edits: [
      {
        file: 'src/supplier-files/xlsx/html-sheet.ts',
        from: 'if (this.#tables === 0 && this.#row > 0) throw',
        to: 'if (this.#row < 0) throw',
      },
    ],
    file: HTML,
    test: 'is refused where a text has the end of a table: no row is lost in silence',
  },
  {
    name: 'an-html-table-is-cut-off-between-two',
    edits: [
      {
        file: 'src/supplier-files/xlsx/html-sheet.ts',
        from: "else if (name === 'html' && !this.#isInCell) this.#isDocument = true",
        to: "else if (name === 'html') return",
      },
    ],
    file: HTML,
    test: 'is refused where it is cut off between two tables',
  },
  {
    name: 'a-piece-of-html-makes-any-number-of-cells',
    edits: [
      {
        file: 'src/supplier-files/xlsx/html-sheet.ts',
        from: 'if (this.cellsAtHand > CELLS_AT_ONCE) yield',
        to: 'if (this.cellsAtHand > Infinity) yield',
      },
    ],
    file: HTML,
    test: 'hands on its rows before a piece makes more than some cells of them',
  },
  {
    name: 'cells-of-one-table-take-columns-of-the-next',
    edits: [
      { file: 'src/supplier-files/xlsx/taken-columns.ts', from: 'this.#shift += ROWS_MAX', to: 'this.#shift += 0' },
    ],
    file: HTML,
    test: 'passes over columns as a table of each of them does',
  },
  {
    name: 'a-tag-of-html-has-any-length',
    edits: [
      {
        file: 'src/supplier-files/xlsx/html-sheet.ts',
        from: 'if (this.#rest.length > TAG_MAX) throw',
        to: 'if (this.#rest.length > Infinity) throw',
      },
    ],
    file: HTML,
    test: 'is refused where it is cut off, and where a tag or a text has no end',
  },
  // questions of detection (I139), and lists of articles within records (I149)
  {
    name: 'sheets-that-are-alike-are-passed-over',
    edits: [
      { file: 'src/supplier-files/proposal/detect.ts', from: 'if (alike.length > 0)', to: 'if (alike.length > 9)' },
    ],
    file: DOUBTFUL,
    test: 'is asked about where other sheets have the same columns',
  },
  {
    name: 'the-first-of-several-articles-is-read-in-silence',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-by-names.ts',
        from: 'if (!isList || most < 2 ||',
        to: 'if (!isList || most < 99 ||',
      },
    ],
    file: DOUBTFUL,
    test: 'is asked about where a record lists several articles',
  },
  {
    name: 'a-selling-price-is-a-cost-in-silence',
    edits: [
      {
        file: 'src/supplier-files/proposal/lower-prices.ts',
        from: 'const PAID_SHARE_MIN = 0.25',
        to: 'const PAID_SHARE_MIN = 25',
      },
    ],
    file: COSTS,
    test: 'is asked about where it is a selling price beside lower amounts under a name that says nothing',
  },
  {
    name: 'a-percentage-is-what-dealers-pay',
    edits: [
      {
        file: 'src/supplier-files/proposal/dealer-rates.ts',
        from: 'isLowerPrice(paid, price) &&',
        to: 'paid !== price &&',
      },
    ],
    file: COSTS,
    test: 'is no exchange rate and no percentage: Price,Dealer_Rate,Stock',
  },
  {
    name: 'a-carton-costs-what-a-piece-does',
    edits: [
      {
        file: 'src/supplier-files/proposal/unit-price.ts',
        from: 'if (single !== undefined)',
        to: 'if (single === undefined)',
      },
    ],
    file: COSTS,
    test: 'is asked about beside a price of one piece',
  },
  {
    name: 'a-record-has-any-number-of-rows',
    edits: [
      {
        file: 'src/supplier-files/conversion/each-row.ts',
        from: 'if (--left < 0 || row === TOO_MANY)',
        to: 'if (row === TOO_MANY)',
      },
      { file: 'src/supplier-files/conversion/each-row.ts', from: 'let left =', to: 'const left =' },
    ],
    file: 'src/supplier-files/conversion/each-row.test.ts',
    test: 'come in pages, and a record with too many of them is refused',
  },
  {
    name: 'a-version-has-the-price-of-its-product',
    edits: [
      { file: 'src/supplier-files/proposal/share-of-record.ts', from: 'const NEARER = 0.5', to: 'const NEARER = -0.5' },
    ],
    file: EACH,
    test: 'are proposed with a question: versions share the title of their record, and are a group',
  },
  {
    name: 'any-list-is-one-of-articles',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-each.ts',
        from: 'if (!isOfVersions && !ARTICLES.test(nameOf(path))) return false',
        to: "if (!isOfVersions && path === '') return false",
      },
    ],
    file: EACH,
    test: 'are not a list of another name',
  },
  {
    name: 'stock-of-an-article-is-articles',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-each.ts',
        from: '    !(recordHasKey && recordHasCost) &&\n',
        to: '',
      },
    ],
    file: EACH,
    test: 'are not versions with a stock but no price',
  },
  {
    name: 'products-of-a-category-are-one-group',
    edits: [
      { file: 'src/supplier-files/proposal/share-of-record.ts', from: 'list.distinct.includes(name) && ', to: '' },
    ],
    file: EACH,
    test: 'are a group by what names the record: one with an id that others have, too',
  },
  {
    name: 'articles-without-versions-have-no-key',
    edits: [
      {
        file: 'src/supplier-files/proposal/share-of-record.ts',
        from: "fields['sku'] = { when: isWithout, use: key.name, else: sku }",
        to: "fields['sku'] = sku",
      },
    ],
    file: EACH,
    test: 'are beside articles of one version, with no list',
  },
  {
    name: 'records-are-taken-apart-untried',
    edits: [
      {
        file: 'src/supplier-files/proposal/detect.ts',
        from: '!attempted.isDoubtful && (await isFullyImportable(attempted.mapping, head))',
        to: '!attempted.isDoubtful && head.length > 0',
      },
    ],
    file: EACH,
    test: 'are not taken apart where some of them would not come in: a version has no key',
  },
  {
    name: 'copies-at-inner-levels-are-not-counted',
    edits: [
      {
        file: 'src/supplier-files/conversion/each-row.ts',
        from: 'copying.members += size',
        to: 'if (at === 0) copying.members += size',
      },
    ],
    file: 'src/supplier-files/conversion/each-row.test.ts',
    test: 'of a large record are limited by what is copied at an inner level',
  },
  {
    name: 'lists-beside-the-one-that-is-read-are-not-asked-about',
    edits: [
      {
        file: 'src/supplier-files/proposal/detect.ts',
        from: 'if (alike !== undefined)',
        to: 'if (alike !== undefined && head.length < 0)',
      },
    ],
    file: 'src/supplier-files/proposal/first-sight.test.ts',
    test: 'are asked about where another one has the same members (I168)',
  },
  {
    name: 'a-sale-price-of-0-is-the-cost',
    edits: [
      {
        file: 'src/supplier-files/proposal/sale-prices.ts',
        from: "matches: '[1-9]' }",
        to: "matches: '.' }",
      },
    ],
    file: 'src/supplier-files/proposal/sale-prices.test.ts',
    test: 'is the cost where a row has one, the other is shown beside it, and that is asked about (I168)',
  },
  {
    name: 'a-sale-price-counts-on-every-day',
    edits: [
      {
        file: 'src/supplier-files/proposal/sale-prices.ts',
        from: 'name.length <= NAME_LENGTH_MAX && saysDaysOfSale(name)',
        to: 'name.length < 0 && saysDaysOfSale(name)',
      },
    ],
    file: 'src/supplier-files/proposal/sale-prices.test.ts',
    test: 'is none where it is above the price, a percentage, or counts between two days',
  },
  {
    name: 'a-group-of-merchandise-is-one-of-versions',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-group.ts',
        from: '  isMaybeOfVersions(name) &&\n',
        to: '  name.length < 0 &&\n',
      },
    ],
    file: 'src/supplier-files/proposal/first-sight.test.ts',
    test: 'are none by the number of a category beside it, although the articles of each are called alike',
  },
  {
    name: 'an-article-of-little-is-the-foot-of-a-page',
    edits: [
      {
        file: 'src/supplier-files/proposal/propose-skip.ts',
        from: 'keys?.mayBe(keyOf(row)) === false',
        to: "keyOf(row) !== '\\u0000'",
      },
    ],
    file: 'src/supplier-files/proposal/first-sight.test.ts',
    test: 'leave out no article of which little is there, and ask about it: A9;;;;discontinued',
  },
]
