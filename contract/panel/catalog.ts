import Type, { type Static } from 'typebox'
import { GAP_TEXTS } from '../findings.ts'
import { OneOf } from '../one-of.ts'
import { Operation } from '../operation-schemas.ts'
import { Clamped, Moment, PathId } from '../parameters.ts'
import { forEachField, LISTED_NAMES } from '../product-fields.ts'
import { Id, Null, Text } from '../values.ts'
import { NAME_PRODUCTS, ProductName, ProductThumbnail } from './product-names.ts'
import { Data, List, panelRoute, TimeOrNull } from './route.ts'

// Lists of products, actions on many products, and saved views of a list. What stores read of a product, and why, is at /v1.

const account = '/panel/api/accounts/{account_id}'
const params = { account_id: PathId('The account.') }
const Known = (description: string) => Type.Union([Text, Null], { description })

/** The most characters of a search. */
export const SEARCH_LENGTH_MAX = 200
const given = (lengthMax: number, description: string) =>
  Type.String({
    maxLength: lengthMax,
    pattern: '^[^\\u0000]*$',
    description,
    'x-must': `must have at most ${lengthMax} characters, none of them NUL`,
  })

const SEARCH =
  'Search words, all of which must occur in the titles, SKUs, EANs, manufacturer or categories of the product: whole words, parts of words from three letters on, or the first or last digits of an EAN. Case, accents, the order of the words, and ü or ue make no difference.'
const FILTER = {
  category: [1_000, 'Path of a category, including the categories below it.'],
  manufacturer: [200, 'Manufacturer, regardless of case.'],
  store: [63, 'Slug of a store that lists the product; `excluded` and `reason` then refer to this store.'],
  reason: [200, 'Reason why a store excludes the product, as clients read it.'],
} as const
const EXCLUDED = 'yes: at least one store excludes the product; no: none does.'
const IN_STOCK = 'in: at least one piece is in stock; out: none is.'
const GAPS = Object.keys(GAP_TEXTS) as (keyof typeof GAP_TEXTS)[]
const INCOMPLETE =
  'Gap of the product in `store`, or in any active store if `store` is left out; GET /v1/account/findings describes the kinds.'
const Since =
  'Only products that changed in a store since this time; if there are many, those that changed last come first.'

const MOVES = ['up', 'down', 'appeared', 'gone'] as const
const MOVED =
  'How the price for the default customer group changed in `store` since `changed_since` (by default a day ago). up, down: it rose or fell; appeared, gone: the store began or ceased to list the product. Requires `store`.'

/** The filters of a list, as query parameters. */
const FILTER_QUERY = {
  search: Type.Optional(given(SEARCH_LENGTH_MAX, SEARCH)),
  category: Type.Optional(given(...FILTER.category)),
  manufacturer: Type.Optional(given(...FILTER.manufacturer)),
  supplier: Type.Optional(Type.Integer({ minimum: 1, description: 'ID of a supplier that offers the product.' })),
  store: Type.Optional(given(...FILTER.store)),
  excluded: Type.Optional(Type.Unsafe<'yes' | 'no'>({ type: 'string', enum: ['yes', 'no'], description: EXCLUDED })),
  reason: Type.Optional(given(...FILTER.reason)),
  incomplete: Type.Optional(
    Type.Unsafe<keyof typeof GAP_TEXTS>({ type: 'string', enum: GAPS, description: INCOMPLETE }),
  ),
  stock: Type.Optional(Type.Unsafe<'in' | 'out'>({ type: 'string', enum: ['in', 'out'], description: IN_STOCK })),
  changed_since: Type.Optional(Moment(Since)),
  moved: Type.Optional(Type.Unsafe<(typeof MOVES)[number]>({ type: 'string', enum: [...MOVES], description: MOVED })),
}

const TOGETHER = Type.Unsafe<'yes' | 'no'>({
  type: 'string',
  enum: ['yes', 'no'],
  description: 'yes: the products of a group of variants are shown as one line.',
})

/** The same filters in a body. */
export const ProductFilterBody = Type.Object(
  {
    search: Type.Optional(Type.String({ maxLength: SEARCH_LENGTH_MAX })),
    category: Type.Optional(Type.String({ maxLength: FILTER.category[0] })),
    manufacturer: Type.Optional(Type.String({ maxLength: FILTER.manufacturer[0] })),
    supplier: Type.Optional(Id),
    store: Type.Optional(Type.String({ maxLength: FILTER.store[0] })),
    excluded: Type.Optional(Type.Union([Type.Literal('yes'), Type.Literal('no')])),
    reason: Type.Optional(Type.String({ maxLength: FILTER.reason[0] })),
    incomplete: Type.Optional(OneOf(GAPS, {})),
    stock: Type.Optional(Type.Union([Type.Literal('in'), Type.Literal('out')])),
    changed_since: Type.Optional(Type.String({ maxLength: 60 })),
    moved: Type.Optional(OneOf(MOVES, {})),
  },
  { additionalProperties: false },
)
export type ProductFilterBody = Static<typeof ProductFilterBody>

export const PRODUCT_SORTS = ['sku', '-sku', 'title', '-title', 'id', '-id', '-changed'] as const

const ListedProduct = Type.Object({
  id: Id,
  ...ProductName,
  ...ProductThumbnail,
  ean: Known('Primary EAN; null: none.'),
  ...forEachField(LISTED_NAMES, () => Known('Value of the field; null: none.')),
  store: Known(
    'Slug of the store whose values are shown: that of the query, else the first one that lists the product; null: no store lists it.',
  ),
  stores: Type.Integer({ description: 'Number of stores that list the product.' }),
  excluded_in: Type.Integer({ description: 'Number of stores that list the product and exclude it.' }),
  exclusion_reason: Known('Reason why `store` excludes the product; null: it does not.'),
  price: Known('Price for the first customer group in `store`, a decimal; null: none.'),
  currency: Known('Currency of the price.'),
  stock: Type.Union([Type.Integer(), Null], {
    description: 'Number of pieces in stock; null: no store lists the product.',
  }),
  in_stock: Type.Boolean(),
  changed_at: TimeOrNull('When the product last changed in any store.'),
  group: Type.Union(
    [
      Type.Object({
        id: Id,
        title: Known('Title of the group in `store`.'),
        product_ids: Type.Array(Id, {
          description: 'IDs of the group’s products that match, in the order of the group.',
        }),
        price_from: Known(
          'Lowest price for the first customer group, in the first store that lists any of these products, a decimal; null: none has a price.',
        ),
        price_to: Known('Highest price, like price_from.'),
        currency: Known('Currency of these prices.'),
        stock: Type.Union([Type.Integer(), Null], {
          description: 'Number of pieces of all these products in that store.',
        }),
      }),
      Null,
    ],
    { description: 'With `together`: group of variants that this line shows; null: the line shows a single product.' },
  ),
})
export type ListedProduct = Static<typeof ListedProduct>

export const SEARCH_PRODUCTS = panelRoute({
  id: 'searchProducts',
  method: 'get',
  path: `${account}/products`,
  panelAccess: 'member',
  summary: 'Search products',
  description:
    'Products that match words and filters, page by page. Without `sort`: products with exactly this ID, SKU or EAN first, then those with words that begin with the search words, then those that contain them; each sorted by title. With `together`, the line of a group has the place of its first product that matches, and without `sort` lines are sorted by title. A page may have few products or none although it is not the last: then the largest number of products was examined, and `next_after` continues from there.',
  params,
  query: {
    ...FILTER_QUERY,
    sort: Type.Optional(
      Type.Unsafe<(typeof PRODUCT_SORTS)[number]>({
        type: 'string',
        enum: PRODUCT_SORTS,
        description: 'Order of the list; with a leading minus: descending.',
      }),
    ),
    together: Type.Optional(TOGETHER),
    group: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'ID of a group of variants: only its products, in the order of the group; `sort` and `together` are ignored.',
      }),
    ),
    after: Type.Optional(given(600, 'Value of meta.next_after of the previous page; by default the first page.')),
    per_page: Clamped(1, 200, 50, 'Largest number of products'),
  },
  status: 200,
  answer: Type.Object({
    data: Type.Array(ListedProduct),
    meta: Type.Object({
      per_page: Type.Integer(),
      next_after: Type.Union([Text, Null], {
        description: 'Value of `after` for the next page; null on the last page.',
      }),
      total: Type.Union([Type.Integer(), Null], {
        description:
          'Number of products that match, or of lines with `together`; null: there are many, and `/products/count` counts them.',
      }),
      did_you_mean: Type.Union([Text, Null], {
        description:
          'If nothing is found: a similar search, with one or two typing errors corrected, that finds products with the same filters; else null.',
      }),
      is_settling: Type.Boolean({
        description: 'Whether all products are being computed again, so that the search may not find all of them yet.',
      }),
    }),
  }),
  problems: ['unknown-store'],
})

export const COUNT_PRODUCTS = panelRoute({
  id: 'countProducts',
  method: 'get',
  path: `${account}/products/count`,
  panelAccess: 'member',
  summary: 'Count products',
  params,
  query: { ...FILTER_QUERY, together: Type.Optional(TOGETHER) },
  status: 200,
  answer: Data(
    Type.Object({
      count: Type.Union([Type.Integer(), Null], {
        description: 'Number of products that match; null: counting took too long.',
      }),
    }),
  ),
  problems: ['unknown-store'],
})

export const PRODUCT_CHOICES = panelRoute({
  id: 'productChoices',
  method: 'get',
  path: `${account}/product-choices`,
  panelAccess: 'member',
  summary: 'List the values of product filters',
  params,
  status: 200,
  answer: Data(
    Type.Object({
      suppliers: Type.Array(Type.Object({ id: Id, code: Text, name: Text })),
      categories: Type.Array(Text, {
        description: 'Paths of the account’s own categories; the filter also accepts suppliers’ paths.',
      }),
      reasons: Type.Array(Text, {
        description: 'Reasons why stores exclude products, in alphabetical order; the first 100.',
      }),
      locales: Type.Array(Text, { description: 'Locales of the account and its stores.' }),
    }),
  ),
})

const Selection = Type.Object(
  {
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10_000, description: 'IDs of the products.' })),
    filter: Type.Optional(ProductFilterBody),
    except: Type.Optional(
      Type.Array(Id, { maxItems: 5_000, description: 'With filter: IDs of products that match, but are not changed.' }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Products to change: either `ids`, or all products that match `filter`.',
  },
)

const TextOrNull = (description: string) => Type.Union([Text, Null], { description })

export const CHANGE_PRODUCTS = panelRoute({
  id: 'changeProducts',
  method: 'post',
  path: `${account}/products/bulk`,
  panelAccess: 'member',
  summary: 'Change many products',
  description:
    'Makes the same change to many products. The answer comes when the list of products is stored; GET /v1/account/operations/{id} shows the progress of the change.',
  params,
  query: {
    dry_run: Type.Boolean({
      default: false,
      description: 'Whether to check only, exactly like the write, and write nothing.',
    }),
  },
  body: {
    noun: 'bulk change',
    bytesMax: 1_048_576,
    schema: Type.Object(
      {
        selection: Selection,
        exclusion: Type.Optional(
          Type.Object(
            {
              store: TextOrNull('Slug of the store; null: all stores.'),
              reason: TextOrNull('Reason that clients read; null: the manual exclusion is removed.'),
            },
            { additionalProperties: false },
          ),
        ),
        override: Type.Optional(
          Type.Object(
            {
              field: Text,
              locale: Type.Optional(Text),
              key: Type.Optional(Text),
              value: Type.Union([Text, Type.Literal(false), Null], {
                description:
                  'Value of the override; null: the suppliers’ value is used again; false: the attribute is hidden.',
              }),
            },
            { additionalProperties: false, description: 'Override, as in /v1/account/bulk/overrides.' },
          ),
        ),
        stock: Type.Optional(
          Type.Object(
            {
              quantity: Type.Union([Type.Number(), Text, Null], {
                description: 'Number of pieces; null: no own stock.',
              }),
              cost: Type.Optional(TextOrNull('Cost in the account’s currency; null: not known.')),
            },
            { additionalProperties: false, description: 'Own stock, as in /v1/account/bulk/stock.' },
          ),
        ),
      },
      { additionalProperties: false, description: 'The selection, and one of exclusion, override and stock.' },
    ),
  },
  status: 202,
  answer: Data(Operation),
  problems: ['unknown-store', 'conflict'],
})

const ProductView = Type.Object({
  id: Id,
  name: Text,
  address: Type.String({ description: 'Query string of the list’s URL: filters, order and columns.' }),
})
export type ProductView = Static<typeof ProductView>

export const LIST_PRODUCT_VIEWS = panelRoute({
  id: 'listProductViews',
  method: 'get',
  path: `${account}/product-views`,
  panelAccess: 'member',
  summary: 'List the person’s saved views in this account, by name',
  params,
  status: 200,
  answer: List(ProductView),
})

export const PUT_PRODUCT_VIEW = panelRoute({
  id: 'putProductView',
  method: 'put',
  path: `${account}/product-views`,
  panelAccess: 'member',
  summary: 'Save a view, or replace the one with the same name',
  params,
  body: {
    noun: 'view',
    schema: Type.Object({ name: Text, address: Type.String({ maxLength: 2_000 }) }, { additionalProperties: false }),
  },
  status: 200,
  answer: Data(ProductView),
  problems: ['conflict'],
})

export const DELETE_PRODUCT_VIEW = panelRoute({
  id: 'deleteProductView',
  method: 'delete',
  path: `${account}/product-views/{view_id}`,
  panelAccess: 'member',
  summary: 'Delete a saved view',
  params: { ...params, view_id: PathId('The view.') },
  status: 204,
  problems: ['unknown-reference'],
})

export const PANEL_CATALOG_ROUTES = [
  SEARCH_PRODUCTS,
  NAME_PRODUCTS,
  COUNT_PRODUCTS,
  PRODUCT_CHOICES,
  CHANGE_PRODUCTS,
  LIST_PRODUCT_VIEWS,
  PUT_PRODUCT_VIEW,
  DELETE_PRODUCT_VIEW,
] as const
