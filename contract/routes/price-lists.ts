import Type from 'typebox'
import { PathKey, PerPage } from '../parameters.ts'
import { listMeta, readRoute, writeRoute } from '../route.ts'
import {
  Amount,
  closed,
  CurrencyOf,
  CustomerGroupId,
  described,
  Id,
  MUST,
  must,
  Null,
  ProductId,
  SlugOfStore,
  Text,
} from '../values.ts'

// The entries of a price list: the shown price of a product for a customer group.

const one = {
  params: { key: PathKey('The price list’s key.') },
  tag: 'price-lists',
} as const

const GroupId = Type.Union([Id, Null], {
  description: 'Customer group ID; null: the price list’s group, or every group if the list has none.',
  ...must(MUST.id),
})

const OwnSku = Type.Union([Text, Null], { description: 'Own key of the product; null if it has none.' })

const PriceListEntry = Type.Object(
  {
    product_id: ProductId,
    sku: OwnSku,
    group_id: GroupId,
    price: Type.String({ description: 'Price as it is shown, as an exact decimal.' }),
  },
  { $id: 'PriceListEntry', description: 'An entry of a price list.' },
)

const AfterEntry = Type.Optional(
  Type.String({
    pattern: '^\\d{1,15}\\.\\d{1,15}$',
    description: 'meta.next_after of the previous page; the first page if left out.',
    'x-must': 'must be meta.next_after of the page before',
  }),
)

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Shown = Type.Union([Text, Null], { description: 'Price as an exact decimal; null: no price.' })
const Beside = Type.Union([Text, Null], {
  description: '`compare_at_price` shown with the price, as an exact decimal; null: none.',
})

const PriceListWritten = Type.Object(
  {
    created: Count('Number of new entries.'),
    changed: Count('Number of entries whose price changed.'),
    removed: Count('Number of removed entries.'),
    unchanged: Count('Number of rows that change nothing.'),
    dry_run: Type.Boolean({ description: 'Whether this was a dry run, which writes nothing.' }),
    preview: Type.Object(
      {
        products: Count('Number of products of which a price or a `compare_at_price` changes.'),
        prices: Count('Number of prices that change, counted for each store and customer group.'),
        compare_at_prices: Count(
          'Number of prices that stay the same while their `compare_at_price` changes. During a sale, that is the price without the sale, which the list sets.',
        ),
        up: Count('Number of prices that rise.'),
        down: Count('Number of prices that fall.'),
        jumps: Count(
          'Number of prices of the list that change by more than the account’s price_jump_factor; during a sale, the prices without the sale count.',
        ),
        examples: Type.Array(
          Type.Object({
            product_id: ProductId,
            sku: OwnSku,
            store: SlugOfStore,
            group_id: CustomerGroupId,
            currency: CurrencyOf('prices'),
            before: Shown,
            after: Shown,
            compare_at_before: Beside,
            compare_at_after: Beside,
          }),
          {
            description:
              'Examples of changes, at most 20: price changes, the largest first, then changes of only `compare_at_price`.',
          },
        ),
      },
      { description: 'Preview of what clients read afterwards, as if the price list were valid today.' },
    ),
  },
  { $id: 'PriceListWritten', description: 'What was written of a price list, and what changes for clients.' },
)

const JUMPS =
  'If prices would change by more than the account’s price_jump_factor, the whole request is refused with 409, unless it is sent with `confirm=true`; then none of these prices is held.'

const query = {
  dry_run: Type.Boolean({
    default: false,
    description: 'Check the rows and show what they would change; write nothing.',
  }),
  confirm: Type.Boolean({
    default: false,
    description: 'Confirm prices that change by more than price_jump_factor.',
  }),
} as const

const written = {
  answer: { data: PriceListWritten },
  returns: 'What was written, and what changes for clients.',
  problems: ['unknown-reference'],
  statuses: [200],
} as const

export const LIST_PRICE_LIST_ENTRIES = readRoute({
  ...one,
  id: 'listPriceListEntries',
  path: '/v1/account/price-lists/{key}/entries',
  summary: 'List the entries of a price list',
  description: 'Entries ordered by product and customer group.',
  query: { per_page: PerPage, after: AfterEntry },
  answer: {
    list: PriceListEntry,
    meta: listMeta(
      { after: Type.String() },
      { total: Type.Integer({ description: 'Number of entries of the price list.' }) },
    ),
  },
  returns: 'A page of entries.',
  problems: ['unknown-reference'],
})

export const PATCH_PRICE_LIST_ENTRIES = writeRoute({
  ...one,
  id: 'patchPriceListEntries',
  method: 'patch',
  path: '/v1/account/price-lists/{key}/entries',
  summary: 'Write entries of a price list',
  description: `Writes up to 1,000 rows, all or none. A row sets the price of a product for a customer group, or removes it with null; entries that no row names stay. If a row has \`expected\` and the current price is different, all rows are refused with 409. ${JUMPS}`,
  query,
  body: {
    noun: 'entries',
    schema: Type.Object(
      {
        entries: Type.Array(
          Type.Object(
            {
              product_id: Type.Optional(ProductId),
              sku: Type.Optional(described(Text, 'Own key of the product.')),
              ean: Type.Optional(described(Text, 'EAN of the product.')),
              group_id: Type.Optional(GroupId),
              price: Amount(
                'Price as it is shown: above 0, with at most the minor digits of the list’s currency; null removes the entry.',
              ),
              expected: Type.Optional(
                Amount(
                  'Price that this row replaces, as it was read; null: no price. If the current price is different, nothing is written.',
                ),
              ),
            },
            closed,
          ),
          {
            minItems: 1,
            maxItems: 1_000,
            description: 'Rows; each names its product by one of product_id, sku and ean.',
          },
        ),
      },
      closed,
    ),
  },
  ...written,
})

export const PUT_PRICE_LIST_FILE = writeRoute({
  ...one,
  id: 'putPriceListFile',
  method: 'put',
  path: '/v1/account/price-lists/{key}/file',
  summary: 'Write a price list from a file',
  description: `Takes a CSV file in UTF-8 of up to 100,000 rows and 16 MB, with the column names in the first line: sku or product_id or ean, customer_group (name or ID; may be empty or left out) and price. Entries that the file does not name are removed, unless \`keep=true\`. Either all rows are written or none: a 422 names the invalid rows by their line numbers. ${JUMPS}`,
  query: {
    ...query,
    keep: Type.Boolean({ default: false, description: 'Keep entries that the file does not name.' }),
    decimal: Type.Optional(
      Type.Unsafe<'.' | ','>({
        type: 'string',
        enum: ['.', ','],
        description:
          'Decimal separator of the prices. If left out, it is recognized in each price, and an ambiguous price is refused.',
      }),
    ),
  },
  upload: {
    bytesMax: 16_777_216,
    content: { 'text/csv': Type.String({ description: 'The file.' }) },
  },
  ...written,
})

export const PRICE_LIST_ROUTES = [LIST_PRICE_LIST_ENTRIES, PATCH_PRICE_LIST_ENTRIES, PUT_PRICE_LIST_FILE] as const
