import Type, { type Static } from 'typebox'
import { IMPORT_STATES, IMPORT_TRIGGERS } from '../import-states.ts'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId, PathKey } from '../parameters.ts'
import { Flag, Id, Null, Text } from '../values.ts'
import { ProductName, ProductThumbnail } from './product-names.ts'
import { Data, List, panelRoute, Time, TimeOrNull } from './route.ts'

// Additions to /v1/account for the pages of settings: what uses a setting, and what a change of it would do.

const account = { account_id: PathId('Account ID.') }
const Known = Type.Union([Text, Null])
const after = Type.Optional(
  Type.Integer({ minimum: 0, description: 'meta.next_after of the previous page; the first page if left out.' }),
)
const search = Type.String({
  default: '',
  maxLength: 200,
  pattern: '^[^\\u0000]*$',
  description: 'Search text: SKU, EAN, product ID or part of a title; empty: all.',
  'x-must': 'must have at most 200 characters, none of them NUL',
})
/** A list by ascending product ID. */
const ProductPage = <T extends Type.TSchema>(row: T) =>
  Type.Object({
    data: Type.Array(row),
    meta: Type.Object({
      per_page: Type.Integer(),
      total: Type.Integer({ description: 'Number of entries on all pages.' }),
      next_after: Type.Union([Type.Integer(), Null], {
        description: 'Value of `after` for the next page; null on the last page.',
      }),
    }),
  })
const Product = { product_id: Id, ...ProductName, ...ProductThumbnail }

export const LIST_CURRENCIES = panelRoute({
  id: 'listCurrencies',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/currencies',
  panelAccess: 'member',
  summary: 'List currencies that have a rate or need one for offers or stores, without the account’s own',
  params: account,
  status: 200,
  answer: List(
    Type.Object({
      currency: Text,
      rate: Type.Union([Text, Null], { description: 'Exchange rate; null if there is none.' }),
      set_at: TimeOrNull('When the rate was last set; null if this was not recorded, or if there is no rate.'),
      bank_day: Type.Union([Text, Null], {
        description: 'Day of the European Central Bank’s rate; null if the rate was set by hand.',
      }),
      held_rate: Type.Union([Text, Null], {
        description:
          'Held rate: a rate of the European Central Bank that differs too much to be taken over automatically; null if none is held.',
      }),
      held_day: Type.Union([Text, Null], { description: 'Day of the held rate; null if none is held.' }),
      offers: Type.Integer({ description: 'Number of offers with a cost in this currency.' }),
      suppliers: Type.Array(Text, { description: 'Codes of the suppliers that have such offers.' }),
      stores: Type.Array(Text, { description: 'Slugs of the active stores that sell in this currency.' }),
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
  summary: 'Read the result of the last request to the European Central Bank, for accounts that follow its rates',
  params: account,
  status: 200,
  answer: Data(
    Type.Object({
      asked_at: TimeOrNull(
        'When the rates were last requested; null if never, or if the account sets its rates by hand.',
      ),
      is_answered: Type.Boolean({ description: 'Whether that request was answered.' }),
      day: Type.Union([Text, Null], { description: 'Day of the newest known rates; null if none are known.' }),
      failing_since: TimeOrNull('Since when requests have failed; null if the last one succeeded.'),
      failure: Type.Union([OneOf(BANK_FAILURES, {}), Null], {
        description: 'Why the last request failed; null if unknown, or if it did not fail.',
      }),
    }),
  ),
})

export const LIST_SUPPLIER_USES = panelRoute({
  id: 'listSupplierUses',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/supplier-uses',
  panelAccess: 'member',
  summary: 'List suppliers with the number of their offers and their last import; suppliers with neither are left out',
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
            created_at: Time('When the import was requested.'),
          }),
          Null,
        ],
        { description: 'Newest import, not counting dry runs; null if there is none.' },
      ),
    }),
  ),
})

export const LIST_PRICE_LIST_USES = panelRoute({
  id: 'listPriceListUses',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/price-list-uses',
  panelAccess: 'member',
  summary: 'List price lists with the number of their entries; lists without entries are left out',
  params: account,
  status: 200,
  answer: List(Type.Object({ key: Text, entries: Type.Integer() })),
})

export const FIND_LISTED_PRICES = panelRoute({
  id: 'findListedPrices',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/price-lists/{key}/found-prices',
  panelAccess: 'member',
  summary: 'Search the entries of a price list by product',
  params: { ...account, key: PathKey('The price list’s key.') },
  query: { search },
  status: 200,
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        product_id: Id,
        sku: Known,
        group_id: Type.Union([Id, Null], {
          description: 'Customer group ID; null: the price list’s group, or every group if the list has none.',
        }),
        price: Type.String({ description: 'Price as it is shown, as an exact decimal.' }),
      }),
    ),
    meta: Type.Object({
      is_capped: Type.Boolean({ description: 'Whether the search found more products than were checked.' }),
    }),
  }),
  problems: ['unknown-reference'],
})

export const LIST_CHANNEL_USES = panelRoute({
  id: 'listChannelUses',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/channel-uses',
  panelAccess: 'member',
  summary: 'List channel files with the time when they were last read; files that never were are left out',
  params: account,
  status: 200,
  answer: List(Type.Object({ channel_id: Id, last_read_at: Time('When the file was last read, to the minute.') })),
})

export const LIST_SUPPLIER_PATHS = panelRoute({
  id: 'listSupplierPaths',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/supplier-paths',
  panelAccess: 'member',
  summary: 'List suppliers’ category paths and the category that each is mapped to, those with most products first',
  params: account,
  status: 200,
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'Category path in its most frequent spelling; letter case and blanks are ignored.',
        }),
        suppliers: Type.Array(Text, { description: 'Codes of the suppliers that use the path.' }),
        products: Type.Integer({ description: 'Number of products with an offer in this path.' }),
        category: Type.Union([Text, Null], {
          description:
            'Path of the account’s category to which this path, or a path above it, is mapped; null if it is not mapped.',
        }),
      }),
    ),
    meta: Type.Object({ is_capped: Type.Boolean({ description: 'Whether there are more paths than listed.' }) }),
  }),
})

export const GET_SKU_EXAMPLES = panelRoute({
  id: 'getSkuExamples',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/sku-examples',
  panelAccess: 'member',
  summary: 'Preview the SKUs that a pattern gives to products of the account',
  params: account,
  query: {
    pattern: Type.String({
      default: '',
      maxLength: 1_000,
      pattern: '^[^\\u0000]*$',
      description: 'SKU pattern; empty: each product’s own key.',
      'x-must': 'must have at most 1000 characters, none of them NUL',
    }),
  },
  status: 200,
  answer: Data(
    Type.Object({
      faults: Type.Array(Type.Object({ at: Type.Integer(), reason: Text }), {
        description: 'Errors in the pattern with their positions; if there are any, there are no examples.',
      }),
      examples: Type.Array(
        Type.Object({
          ...Product,
          exported: Type.Union([Text, Null], { description: 'SKU that this pattern gives; null if it gives none.' }),
          missing: Type.Union([Text, Null], {
            description: 'Why there is no SKU: the placeholder that has no value, or too_long; otherwise null.',
          }),
        }),
      ),
      sampled: Type.Integer({ description: 'Number of products that were checked, spread over the catalog.' }),
      without: Type.Integer({ description: 'Number of checked products that get no SKU.' }),
      shared: Type.Integer({ description: 'Number of checked products whose SKU another checked product also gets.' }),
    }),
  ),
})

export const LIST_OWN_STOCK = panelRoute({
  id: 'listOwnStock',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/own-stock',
  panelAccess: 'member',
  summary: 'List products with own stock; with a search, all products that match, also those without own stock',
  params: account,
  query: { search, after, per_page: Clamped(1, 200, 100, 'Products at most') },
  status: 200,
  answer: ProductPage(
    Type.Object({
      ...Product,
      quantity: Type.Union([Type.Integer(), Null], {
        description: 'Number of pieces in own stock; null if the product has none.',
      }),
      cost: Known,
    }),
  ),
})

export const LIST_HELD_PRICES = panelRoute({
  id: 'listHeldPrices',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/held-prices',
  panelAccess: 'member',
  summary: 'List held prices, which changed too much and need confirmation, by product',
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
          cost: Type.Union([Text, Null], {
            description: 'Cost from which both prices are made, in `currency`; null if unknown.',
          }),
          shown_rule: Type.Union([Text, Null], { description: 'Name of the rule that made the shown price.' }),
          wanted_rule: Type.Union([Text, Null], { description: 'Name of the rule that made the wanted price.' }),
          held_at: Time('Since when the price has been held.'),
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
  count: Type.Integer({ description: 'Number of findings, above 0.' }),
  is_capped: Flag,
})
export type FindingCount = Static<typeof FindingCount>

export const COUNT_FINDINGS = panelRoute({
  id: 'countFindings',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/finding-counts',
  panelAccess: 'member',
  summary: 'Count the findings of each kind; kinds without findings are left out',
  params: account,
  status: 200,
  answer: Type.Object({
    data: Type.Array(FindingCount),
    meta: Type.Object({ counted_at: Time('When the findings were counted: up to two minutes ago.') }),
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
