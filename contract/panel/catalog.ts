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
  'Words of titles, SKUs, EANs, the manufacturer and categories, or parts of such from three letters on, all of which must be there; of an EAN its first or last digits. Upper and lower case, accents and order do not count, nor whether ü is written as ue.'
const FILTER = {
  category: [1_000, 'Category path; those below it are included.'],
  manufacturer: [200, 'Manufacturer, in upper or lower case.'],
  store: [63, 'Slug of a store that lists it; `excluded` and `reason` are then about this store.'],
  reason: [200, 'Reason why a store excludes it, as clients read it.'],
} as const
const EXCLUDED = 'yes: a store excludes it; no: none does.'
const IN_STOCK = 'in: there is at least one piece; out: there is none.'
const GAPS = Object.keys(GAP_TEXTS) as (keyof typeof GAP_TEXTS)[]
const INCOMPLETE = 'What it lacks in that store, else in any of the active ones; the findings say what each means.'
const Since = 'Only products that changed in a store since then, by the newest change first if there are many.'

const MOVES = ['up', 'down', 'appeared', 'gone'] as const
const MOVED =
  'How its price for the default customer group moved in that store since `changed_since`, a day ago where it is left out: it rose or fell, or the store began or ceased to list it. Needs `store`.'

/** The filters of a list, as query parameters. */
const FILTER_QUERY = {
  search: Type.Optional(given(SEARCH_LENGTH_MAX, SEARCH)),
  category: Type.Optional(given(...FILTER.category)),
  manufacturer: Type.Optional(given(...FILTER.manufacturer)),
  supplier: Type.Optional(Type.Integer({ minimum: 1, description: 'ID of a supplier that offers it.' })),
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
  description: 'yes: the products of a group of variants are one line.',
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
  ean: Known('null: none is known.'),
  ...forEachField(LISTED_NAMES, () => Known('null: none is known.')),
  store: Known(
    'Slug of the store that is shown: the one asked for, else the first that lists it. null: none lists it.',
  ),
  stores: Type.Integer({ description: 'How many stores list it.' }),
  excluded_in: Type.Integer({ description: 'How many of them exclude it.' }),
  exclusion_reason: Known('In `store`.'),
  price: Known('Decimal text: of the first customer group in `store`. null: it has none.'),
  currency: Known('Of the price.'),
  stock: Type.Union([Type.Integer(), Null], { description: 'Pieces; null: no store lists it.' }),
  in_stock: Type.Boolean(),
  changed_at: TimeOrNull('When a store’s payload last changed.'),
  group: Type.Union(
    [
      Type.Object({
        id: Id,
        title: Known('As `store` shows it.'),
        product_ids: Type.Array(Id, { description: 'Its products that match, in the order of the group.' }),
        price_from: Known(
          'Decimal text: the lowest price of the first customer group, in the first store that lists any of them. null: none has one.',
        ),
        price_to: Known('The highest.'),
        currency: Known('Of the prices.'),
        stock: Type.Union([Type.Integer(), Null], { description: 'Pieces of all of them there.' }),
      }),
      Null,
    ],
    { description: 'With `together`: the group of variants that this line is. null: it is a product by itself.' },
  ),
})
export type ListedProduct = Static<typeof ListedProduct>

export const SEARCH_PRODUCTS = panelRoute({
  id: 'searchProducts',
  method: 'get',
  path: `${account}/products`,
  panelAccess: 'member',
  summary: 'Products by words and filters, a page at a time',
  description:
    'With `together`, a line of a group stands where its first product that matches does, and without `sort` lines are by title. Without `sort`: products with this very ID, SKU or EAN first, then those with words that begin with what is searched, then those that have it inside; each by title. A page may be short, even empty, and not the last: then so many products were looked at, and `next_after` goes on.',
  params,
  query: {
    ...FILTER_QUERY,
    sort: Type.Optional(
      Type.Unsafe<(typeof PRODUCT_SORTS)[number]>({
        type: 'string',
        enum: PRODUCT_SORTS,
        description: 'With a minus in front: descending.',
      }),
    ),
    together: Type.Optional(TOGETHER),
    group: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'ID of a group of variants: only its products, in its order, whatever `sort` and `together` say.',
      }),
    ),
    after: Type.Optional(given(600, 'meta.next_after of the page before.')),
    per_page: Clamped(1, 200, 50, 'Products at most'),
  },
  status: 200,
  answer: Type.Object({
    data: Type.Array(ListedProduct),
    meta: Type.Object({
      per_page: Type.Integer(),
      next_after: Type.Union([Text, Null], {
        description: 'What to send as after for the next page; null at the end.',
      }),
      total: Type.Union([Type.Integer(), Null], {
        description:
          'How many match, with `together` how many lines; null: many, and counting them takes its time (`/products/count`).',
      }),
      did_you_mean: Type.Union([Text, Null], {
        description:
          'Where nothing is found: a search that differs by a typing error or two and finds products with the same filters.',
      }),
      is_settling: Type.Boolean({
        description: 'Whether all products are being looked at again, so that not every one may be found yet.',
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
  summary: 'How many products match',
  params,
  query: { ...FILTER_QUERY, together: Type.Optional(TOGETHER) },
  status: 200,
  answer: Data(
    Type.Object({
      count: Type.Union([Type.Integer(), Null], { description: 'Exact; null: it took too long to count them.' }),
    }),
  ),
  problems: ['unknown-store'],
})

export const PRODUCT_CHOICES = panelRoute({
  id: 'productChoices',
  method: 'get',
  path: `${account}/product-choices`,
  panelAccess: 'member',
  summary: 'What lists of products can be filtered by in this account',
  params,
  status: 200,
  answer: Data(
    Type.Object({
      suppliers: Type.Array(Type.Object({ id: Id, code: Text, name: Text })),
      categories: Type.Array(Text, {
        description: 'Paths of the account’s own categories; suppliers’ paths are taken too.',
      }),
      reasons: Type.Array(Text, { description: 'Why stores exclude products, by name; the first 100.' }),
      locales: Type.Array(Text, { description: 'Of the account and its stores.' }),
    }),
  ),
})

const Selection = Type.Object(
  {
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10_000, description: 'These products.' })),
    filter: Type.Optional(ProductFilterBody),
    except: Type.Optional(
      Type.Array(Id, { maxItems: 5_000, description: 'With filter: products that match and are left out.' }),
    ),
  },
  { additionalProperties: false, description: 'Either ids, or all that match filter.' },
)

const TextOrNull = (description: string) => Type.Union([Text, Null], { description })

export const CHANGE_PRODUCTS = panelRoute({
  id: 'changeProducts',
  method: 'post',
  path: `${account}/products/bulk`,
  panelAccess: 'member',
  summary: 'Do the same with many products',
  description:
    'Answered once the products are known and the work is stored; the operation at /v1/account/operations/{id} does it, whether or not anybody waits.',
  params,
  query: {
    dry_run: Type.Boolean({ default: false, description: 'Check like the write, and write nothing.' }),
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
              store: TextOrNull('Slug; null: every store.'),
              reason: TextOrNull('What clients read; null: it is excluded by hand no more.'),
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
                description: 'null: the suppliers’ value again; false: the attribute is hidden.',
              }),
            },
            { additionalProperties: false, description: 'As in /v1/account/bulk/overrides.' },
          ),
        ),
        stock: Type.Optional(
          Type.Object(
            {
              quantity: Type.Union([Type.Number(), Text, Null], { description: 'null: no own stock.' }),
              cost: Type.Optional(TextOrNull('In the account’s currency.')),
            },
            { additionalProperties: false, description: 'As in /v1/account/bulk/stock.' },
          ),
        ),
      },
      { additionalProperties: false, description: 'One of exclusion, override and stock.' },
    ),
  },
  status: 202,
  answer: Data(Operation),
  problems: ['unknown-store', 'conflict'],
})

const ProductView = Type.Object({
  id: Id,
  name: Text,
  address: Type.String({ description: 'Query of the list’s address: filters, order, columns.' }),
})
export type ProductView = Static<typeof ProductView>

export const LIST_PRODUCT_VIEWS = panelRoute({
  id: 'listProductViews',
  method: 'get',
  path: `${account}/product-views`,
  panelAccess: 'member',
  summary: 'The views that this person keeps in this account, by name',
  params,
  status: 200,
  answer: List(ProductView),
})

export const PUT_PRODUCT_VIEW = panelRoute({
  id: 'putProductView',
  method: 'put',
  path: `${account}/product-views`,
  panelAccess: 'member',
  summary: 'Keep a view; one of the same name is replaced',
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
  summary: 'Forget a view',
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
