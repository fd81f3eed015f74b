import Type, { type Static } from 'typebox'
import { IMPORT_STATES, IMPORT_TRIGGERS } from '../import-states.ts'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId, PathKey } from '../parameters.ts'
import { Flag, Id, Null, Text } from '../values.ts'
import { ProductName, ProductThumbnail } from './product-names.ts'
import { Data, List, panelRoute, Time, TimeOrNull } from './route.ts'

// Additions to /v1/account for the pages of settings: what uses a setting, and what a change of it would do.

const account = { account_id: PathId('The account.') }
const Known = Type.Union([Text, Null])
const after = Type.Optional(
  Type.Integer({ minimum: 0, description: 'meta.next_after of the page before; the first page when left out.' }),
)
const search = Type.String({
  default: '',
  maxLength: 200,
  pattern: '^[^\\u0000]*$',
  description: 'SKU, EAN, product ID or a part of a title; empty: all.',
  'x-must': 'must have at most 200 characters, none of them NUL',
})
/** A list by ascending product ID. */
const ProductPage = <T extends Type.TSchema>(row: T) =>
  Type.Object({
    data: Type.Array(row),
    meta: Type.Object({
      per_page: Type.Integer(),
      total: Type.Integer({ description: 'How many there are in all.' }),
      next_after: Type.Union([Type.Integer(), Null], {
        description: 'What to send as after for the next page; null at the end.',
      }),
    }),
  })
const Product = { product_id: Id, ...ProductName, ...ProductThumbnail }

export const LIST_CURRENCIES = panelRoute({
  id: 'listCurrencies',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/currencies',
  panelAccess: 'member',
  summary: 'Currencies with a rate, and those that offers or stores need one for; the account’s own left out',
  params: account,
  status: 200,
  answer: List(
    Type.Object({
      currency: Text,
      rate: Type.Union([Text, Null], { description: 'null: there is none.' }),
      set_at: TimeOrNull('When it was last set; null: before that was noted, or there is none.'),
      bank_day: Type.Union([Text, Null], {
        description: 'Of which day the European Central Bank’s rate is; null: it was set by hand.',
      }),
      held_rate: Type.Union([Text, Null], {
        description: 'The bank’s rate that differs too much to be taken over by itself; null: none is held.',
      }),
      held_day: Type.Union([Text, Null], { description: 'Of which day the held rate is.' }),
      offers: Type.Integer({ description: 'Offers with a cost in it.' }),
      suppliers: Type.Array(Text, { description: 'Codes of the suppliers that have such offers.' }),
      stores: Type.Array(Text, { description: 'Slugs of the active stores that sell in it.' }),
    }),
  ),
})

/** Why the bank gave no rates: no complete answer was received, its status was not 200, or its body was not the bank's file. */
export const BANK_FAILURES = ['unreachable', 'refused', 'unusable'] as const

export const GET_BANK_ANSWER = panelRoute({
  id: 'getBankAnswer',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/bank-answer',
  panelAccess: 'member',
  summary:
    'When the European Central Bank was last asked for its rates, and what came of it; for accounts that follow it',
  params: account,
  status: 200,
  answer: Data(
    Type.Object({
      asked_at: TimeOrNull('null: it was not asked yet, or the account sets its rates by hand.'),
      is_answered: Type.Boolean({ description: 'false: nothing has come of that request yet.' }),
      day: Type.Union([Text, Null], { description: 'Of the newest rates that are known; null: none are.' }),
      failing_since: TimeOrNull('Since when requests have failed; null: the last one brought rates.'),
      failure: Type.Union([OneOf(BANK_FAILURES, {}), Null], {
        description: 'Why the last one failed; null where it is not known.',
      }),
    }),
  ),
})

export const LIST_SUPPLIER_USES = panelRoute({
  id: 'listSupplierUses',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/supplier-uses',
  panelAccess: 'member',
  summary: 'How many offers each supplier has, and its last import; suppliers with neither are left out',
  params: account,
  status: 200,
  answer: List(
    Type.Object({
      supplier_id: Id,
      offers: Type.Integer(),
      last_run: Type.Union(
        [
          Type.Object({
            state: OneOf(IMPORT_STATES, {}),
            trigger: OneOf(IMPORT_TRIGGERS, {}),
            refused: Type.Integer(),
            stale: Type.Integer(),
            created_at: Time('When it was asked for.'),
          }),
          Null,
        ],
        { description: 'The newest import, comparisons left out; null: none is on record.' },
      ),
    }),
  ),
})

export const LIST_PRICE_LIST_USES = panelRoute({
  id: 'listPriceListUses',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/price-list-uses',
  panelAccess: 'member',
  summary: 'How many entries each price list has; lists without any are left out',
  params: account,
  status: 200,
  answer: List(Type.Object({ key: Text, entries: Type.Integer() })),
})

export const FIND_LISTED_PRICES = panelRoute({
  id: 'findListedPrices',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/price-lists/{key}/found-prices',
  panelAccess: 'member',
  summary: 'The entries of a price list of products that are found by a text',
  params: { ...account, key: PathKey('The price list’s key.') },
  query: { search },
  status: 200,
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        product_id: Id,
        sku: Known,
        group_id: Type.Union([Id, Null], { description: 'null: the list’s, or every group where it has none.' }),
        price: Type.String({ description: 'As it is shown, an exact decimal.' }),
      }),
    ),
    meta: Type.Object({
      is_capped: Type.Boolean({ description: 'Whether more products are found than were looked at.' }),
    }),
  }),
  problems: ['unknown-reference'],
})

export const LIST_CHANNEL_USES = panelRoute({
  id: 'listChannelUses',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/channel-uses',
  panelAccess: 'member',
  summary: 'When each channel file was last read; those that never were are left out',
  params: account,
  status: 200,
  answer: List(Type.Object({ channel_id: Id, last_read_at: Time('To the minute.') })),
})

export const LIST_SUPPLIER_PATHS = panelRoute({
  id: 'listSupplierPaths',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/supplier-paths',
  panelAccess: 'member',
  summary: 'Suppliers’ category paths with the category that each is mapped to; those with most products first',
  params: account,
  status: 200,
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        path: Type.String({ description: 'As most products have it; letter case and blanks do not count.' }),
        suppliers: Type.Array(Text, { description: 'Codes.' }),
        products: Type.Integer({ description: 'Products with an offer in it.' }),
        category: Type.Union([Text, Null], {
          description: 'Path of the category that it, or a path above it, is mapped to; null: of none.',
        }),
      }),
    ),
    meta: Type.Object({ is_capped: Type.Boolean({ description: 'Whether there are more paths than are listed.' }) }),
  }),
})

export const GET_SKU_EXAMPLES = panelRoute({
  id: 'getSkuExamples',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/sku-examples',
  panelAccess: 'member',
  summary: 'The SKUs that a pattern gives real products, computed as they would be',
  params: account,
  query: {
    pattern: Type.String({
      default: '',
      maxLength: 1_000,
      pattern: '^[^\\u0000]*$',
      description: 'Empty: each product’s own key.',
      'x-must': 'must have at most 1000 characters, none of them NUL',
    }),
  },
  status: 200,
  answer: Data(
    Type.Object({
      faults: Type.Array(Type.Object({ at: Type.Integer(), reason: Text }), {
        description: 'What is wrong with the pattern, and where; then there are no examples.',
      }),
      examples: Type.Array(
        Type.Object({
          ...Product,
          exported: Type.Union([Text, Null], { description: 'The SKU by this pattern; null: it has none.' }),
          missing: Type.Union([Text, Null], { description: 'The placeholder without a text, or too_long.' }),
        }),
      ),
      sampled: Type.Integer({ description: 'Products that were computed, spread over the catalog.' }),
      without: Type.Integer({ description: 'How many of them get no SKU.' }),
      shared: Type.Integer({ description: 'How many of them get a SKU that another one of them gets.' }),
    }),
  ),
})

export const LIST_OWN_STOCK = panelRoute({
  id: 'listOwnStock',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/own-stock',
  panelAccess: 'member',
  summary: 'Products with own stock; with a search, the products that are found, also those without any',
  params: account,
  query: { search, after, per_page: Clamped(1, 200, 100, 'Products at most') },
  status: 200,
  answer: ProductPage(
    Type.Object({
      ...Product,
      quantity: Type.Union([Type.Integer(), Null], { description: 'null: it has no own stock.' }),
      cost: Known,
    }),
  ),
})

export const LIST_HELD_PRICES = panelRoute({
  id: 'listHeldPrices',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/held-prices',
  panelAccess: 'member',
  summary: 'Prices that moved too far and wait to be confirmed, by product',
  params: account,
  query: { after, per_page: Clamped(1, 200, 100, 'Products at most') },
  status: 200,
  answer: ProductPage(
    Type.Object({
      ...Product,
      prices: Type.Array(
        Type.Object({
          store: Known,
          group: Known,
          currency: Text,
          shown_price: Text,
          wanted_price: Text,
          cost: Type.Union([Text, Null], { description: 'Behind both prices, in `currency`; null: not known.' }),
          shown_rule: Type.Union([Text, Null], { description: 'Name of the rule behind the price that is shown.' }),
          wanted_rule: Type.Union([Text, Null], { description: 'Name of the rule behind the price that waits.' }),
          held_at: Time('Since when.'),
        }),
      ),
    }),
  ),
})

/** Findings that are counted for the first page, most urgent first. */
export const COUNTED_FINDINGS = [
  'offers_without_rate',
  'stores_without_rate',
  'tax_rates_missing',
  'prices_held',
  'prices_below_cost',
  'tax_classes_unknown',
  'contents_unread',
  'sales_doubtful',
  'list_prices_unshown',
  'pictures_failing',
  'ean_collisions',
  'sku_collisions',
  'variants_alike',
  'variant_options_twice',
  'eans_invalid',
  'variants_without_options',
  'values_unread',
  'products_incomplete',
  'supplier_paths_unmapped',
] as const

export const FindingCount = Type.Object({
  kind: OneOf(COUNTED_FINDINGS, {}),
  count: Type.Integer({ description: 'Above 0.' }),
  is_capped: Flag,
})
export type FindingCount = Static<typeof FindingCount>

export const COUNT_FINDINGS = panelRoute({
  id: 'countFindings',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/finding-counts',
  panelAccess: 'member',
  summary: 'How many findings of each kind there are; kinds without any are left out',
  params: account,
  status: 200,
  answer: Type.Object({
    data: Type.Array(FindingCount),
    meta: Type.Object({ counted_at: Time('Up to two minutes ago.') }),
  }),
})

export const PANEL_SETTINGS_ROUTES = [
  LIST_CURRENCIES,
  GET_BANK_ANSWER,
  LIST_SUPPLIER_USES,
  LIST_PRICE_LIST_USES,
  FIND_LISTED_PRICES,
  LIST_CHANNEL_USES,
  LIST_SUPPLIER_PATHS,
  GET_SKU_EXAMPLES,
  LIST_OWN_STOCK,
  LIST_HELD_PRICES,
  COUNT_FINDINGS,
] as const
