import Type from 'typebox'
import { PathKey, PerPage } from '../parameters.ts'
import { listMeta, readRoute, writeRoute } from '../route.ts'
import { Amount, closed, Id, MUST, must, Null, Text } from '../values.ts'

// The entries of a price list: the shown price of a product for a customer group.

const one = {
  params: { key: PathKey('The price list’s key.') },
  tag: 'price-lists',
} as const

const GroupId = Type.Union([Id, Null], {
  description: 'The customer group; null: the list’s, or every group where it has none.',
  ...must(MUST.id),
})

const PriceListEntry = Type.Object(
  {
    product_id: Id,
    sku: Type.Union([Text, Null], { description: 'The product’s own key.' }),
    group_id: GroupId,
    price: Type.String({ description: 'As it is shown, an exact decimal.' }),
  },
  { $id: 'PriceListEntry' },
)

const AfterEntry = Type.Optional(
  Type.String({
    pattern: '^\\d{1,15}\\.\\d{1,15}$',
    description: 'meta.next_after of the page before; the first page when left out.',
    'x-must': 'must be meta.next_after of the page before',
  }),
)

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Shown = Type.Union([Text, Null], { description: 'An exact decimal; null: no price.' })
const Beside = Type.Union([Text, Null], { description: '`compare_at_price` beside it, an exact decimal; null: none.' })

const PriceListWritten = Type.Object(
  {
    created: Count('Entries that were new.'),
    changed: Count('Entries with another price.'),
    removed: Count('Entries that were removed.'),
    unchanged: Count('Rows that say what the list says already.'),
    dry_run: Type.Boolean({ description: 'Whether nothing was written.' }),
    preview: Type.Object(
      {
        products: Count('Products of which a price changes, or what stands beside it.'),
        prices: Count('Prices that change, by store and customer group.'),
        compare_at_prices: Count(
          'Prices that stay while `compare_at_price` beside them changes: in a sale it is the price without it, which the list says.',
        ),
        up: Count('Prices that rise.'),
        down: Count('Prices that fall.'),
        jumps: Count(
          'Prices of the list that change by more than the account’s price_jump_factor; in a sale, the prices without it.',
        ),
        examples: Type.Array(
          Type.Object({
            product_id: Id,
            sku: Type.Union([Text, Null]),
            store: Text,
            group_id: Id,
            currency: Text,
            before: Shown,
            after: Shown,
            compare_at_before: Beside,
            compare_at_after: Beside,
          }),
          { description: 'The largest changes, largest first, then those beside prices that stay; at most 20.' },
        ),
      },
      { description: 'What clients read afterwards, as if the list were in force today.' },
    ),
  },
  { $id: 'PriceListWritten' },
)

const JUMPS =
  'Where prices would change by more than the account’s price_jump_factor it is refused as a whole with 409, until it is sent with `confirm=true`; none of them is held afterwards.'

const query = {
  dry_run: Type.Boolean({ default: false, description: 'Judge the rows and show what they would do; write nothing.' }),
  confirm: Type.Boolean({
    default: false,
    description: 'Prices that change by more than price_jump_factor are wanted.',
  }),
} as const

const written = {
  answer: { data: PriceListWritten },
  returns: 'What was written, and what clients read because of it.',
  problems: ['unknown-reference'],
  statuses: [200],
} as const

export const LIST_PRICE_LIST_ENTRIES = readRoute({
  ...one,
  id: 'listPriceListEntries',
  path: '/v1/account/price-lists/{key}/entries',
  summary: 'List the entries of a price list',
  description: 'By product and customer group.',
  query: { per_page: PerPage, after: AfterEntry },
  answer: {
    list: PriceListEntry,
    meta: listMeta({ after: Type.String() }, { total: Type.Integer({ description: 'Entries of the list.' }) }),
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
  description: `Up to 1,000 rows, all or none: a row sets the price of a product for a customer group, or removes it with null; entries that no row names stay. With \`expected\`, a row that would replace another price than the one that was read is refused with 409, and the others with it. ${JUMPS}`,
  query,
  body: {
    noun: 'entries',
    schema: Type.Object(
      {
        entries: Type.Array(
          Type.Object(
            {
              product_id: Type.Optional(Id),
              sku: Type.Optional(Text),
              ean: Type.Optional(Text),
              group_id: Type.Optional(GroupId),
              price: Amount(
                'As it is shown, above 0, with at most the digits of the list’s currency; null removes it.',
              ),
              expected: Type.Optional(
                Amount(
                  'The price that it replaces, as it was read; null: there was none. Where it is another one by now, nothing is written.',
                ),
              ),
            },
            closed,
          ),
          { minItems: 1, maxItems: 1_000, description: 'Each names its product by one of product_id, sku and ean.' },
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
  description: `A CSV file in UTF-8 of up to 100,000 rows and 16 MB, with the names of its columns in the first line: sku or product_id or ean, customer_group (name or ID; may be empty or left out) and price. Entries that the file does not name are removed, unless \`keep=true\`. All of it is written or nothing: a 422 names the faulty rows by their lines. ${JUMPS}`,
  query: {
    ...query,
    keep: Type.Boolean({ default: false, description: 'Entries that the file does not name stay.' }),
    decimal: Type.Optional(
      Type.Unsafe<'.' | ','>({
        type: 'string',
        enum: ['.', ','],
        description:
          'The decimal sign of its prices; left out, each price says it, and one that could be either is refused.',
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
