import Type from 'typebox'
import {
  atMostOneOf,
  Clamped,
  Ean,
  Members,
  Moment,
  NEXT_AFTER_ID,
  PathId,
  PerPage,
  ProductIds,
  Slugs,
  StoreSlug,
} from '../parameters.ts'
import { DigestList, ProductTags } from '../digest-schemas.ts'
import { catalogRoute, streamRoute } from '../route.ts'
import { LIST_MIRROR_CHECKS } from './mirror-checks.ts'
import {
  CategoryList,
  ChangeList,
  CustomerGroupList,
  PriceList,
  PRODUCT_MEMBERS,
  PricesAnswer,
  Product,
  ProductAnswer,
  ProductList,
  StoreList,
  VariantGroupAnswer,
  VariantGroupList,
} from '../schemas.ts'

// The finished catalog, which stores read.

const page = Type.Integer({
  minimum: 1,
  default: 1,
  format: 'int64',
  description:
    'Page number. A walk by pages can skip rows while products leave the store; after_id and the change feed do not.',
})
const ids = Type.Optional(
  ProductIds(
    200,
    'Up to 200 product IDs, so that a window of changes is fetched in one request. Products the store does not list are left out.',
  ),
)
const afterId = Type.Optional(
  Type.Integer({
    minimum: 0,
    format: 'int64',
    description:
      'Keyset paging: products with a higher ID. Start with 0, go on with meta.next_after_id until it is null.',
    'x-also': NEXT_AFTER_ID,
  }),
)
const id = PathId('Product ID.')
const fields = Type.Optional(
  Members(
    PRODUCT_MEMBERS,
    ['id'],
    'The members that products come with, all unless set; `id` always comes. The others are left out, those that the schema requires, too. The ETag is of what is chosen.',
  ),
)

const locales = Type.Optional(
  Type.Unsafe<'all'>({
    type: 'string',
    enum: ['all'],
    description:
      'Products come with `texts`, which has titles, descriptions and all else that follows the language, in the locale of every active store. Products times locales are at most 200: per_page is lowered to that, and of `ids` more are refused. With `fields`, `texts` comes too, with those of its members that are named, or all where none is.',
  }),
)

/** The most products of a feed answer with expand=products: the same as of a lookup by IDs. */
export const EXPANDED_MAX = 200

/** Ways to look up products besides their IDs. */
const lookUps = {
  sku: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description: 'Products with this exported SKU, 200 per `page`.',
      'x-must': 'must have 1 to 200 characters, none of them NUL',
    }),
  ),
  ean: Ean('Products with this EAN, primary or not, 200 per `page`.'),
  slug: Type.Optional(
    Slugs(
      200,
      'The product to which this slug leads in the store, or the products of up to 200, separated by commas. It may be one that the product had before: a shop sends visitors on to the product’s `slug`, which it has where the account’s additional_members name it.',
    ),
  ),
}

const WAYS_TO_CHOOSE = ['ids', 'sku', 'ean', 'slug', 'after_id']
const oneWay = atMostOneOf(...WAYS_TO_CHOOSE)
const oneWayOrPage = atMostOneOf('page', ...WAYS_TO_CHOOSE)

/** Many products may have one SKU or EAN, so a lookup by these can be combined with `page`. */
const oneWayToChoose: typeof oneWay = (given) =>
  given['sku'] === undefined && given['ean'] === undefined ? oneWayOrPage(given) : oneWay(given)

export const LIST_PRODUCTS = catalogRoute({
  id: 'listProducts',
  path: '/v1/products',
  summary: 'List the products of a store',
  description:
    'Finished products of one store, by ID ascending. Excluded products are listed too. Of page, ids, sku, ean, slug and after_id at most one may be given, but page also with sku or ean: of more than 200 products that have it, each page has 200.',
  query: {
    store: StoreSlug,
    per_page: PerPage,
    page,
    ids,
    after_id: afterId,
    ...lookUps,
    fields,
    locales,
  },
  conflicts: oneWayToChoose,
  answer: ProductList,
  returns: 'A page of the store’s products.',
  problems: ['unknown-store'],
})

export const GET_PRODUCT = catalogRoute({
  id: 'getProduct',
  path: '/v1/products/{id}',
  summary: 'Read one product',
  description: 'The finished product as the store shows it. 404 when the store does not list it.',
  params: { id },
  query: { store: StoreSlug, fields, locales },
  answer: ProductAnswer,
  returns: 'The product.',
  problems: ['unknown-store', 'unknown-product'],
})

export const LIST_PRICES = catalogRoute({
  id: 'listPrices',
  path: '/v1/prices',
  summary: 'List prices and stock of a store',
  description:
    'Prices and stock, the half of a product that changes often, with the same paging and look-ups as listProducts.',
  query: { store: StoreSlug, per_page: PerPage, page, ids, after_id: afterId, ...lookUps },
  conflicts: oneWayToChoose,
  answer: PriceList,
  returns: 'A page of prices and stock.',
  problems: ['unknown-store'],
})

export const GET_PRICES = catalogRoute({
  id: 'getPrices',
  path: '/v1/prices/{id}',
  summary: 'Read prices and stock of one product',
  description: 'One entry of GET /v1/prices.',
  params: { id },
  query: { store: StoreSlug },
  answer: PricesAnswer,
  returns: 'Prices and stock of the product.',
  problems: ['unknown-store', 'unknown-product'],
})

export const LIST_STORES = catalogRoute({
  id: 'listStores',
  path: '/v1/stores',
  summary: 'List the active stores',
  description: 'The account’s active stores, default store first.',
  answer: StoreList,
  returns: 'The active stores.',
  problems: [],
})

export const LIST_CUSTOMER_GROUPS = catalogRoute({
  id: 'listCustomerGroups',
  path: '/v1/customer-groups',
  summary: 'List the customer groups',
  description: 'The account’s customer groups by ID: each has a price in every product.',
  answer: CustomerGroupList,
  returns: 'The customer groups.',
  problems: [],
})

export const LIST_VARIANT_GROUPS = catalogRoute({
  id: 'listVariantGroups',
  path: '/v1/groups',
  summary: 'List the groups of variants',
  description:
    'Groups of which the store lists a product, by ID ascending. Start without after_id and go on with meta.next_after_id until it is null; a page may have fewer entries than per_page before the end.',
  query: {
    store: StoreSlug,
    per_page: PerPage,
    after_id: Type.Optional(
      Type.Integer({
        minimum: 0,
        format: 'int64',
        description: 'Groups with a higher ID; 0 is the same as leaving it out.',
        'x-also': NEXT_AFTER_ID,
      }),
    ),
  },
  answer: VariantGroupList,
  returns: 'A page of groups, each as its first product shows it.',
  problems: ['unknown-store'],
})

export const GET_VARIANT_GROUP = catalogRoute({
  id: 'getVariantGroup',
  path: '/v1/groups/{id}',
  summary: 'Read a group of variants with its products',
  description:
    'The products of the group that the store lists, excluded ones too, by their position in it, then by ID. Of a larger group the first 1,000 are shown. 404 when the store lists none of them, or when the group has become one with another: its products say which.',
  params: { id: PathId('Group ID, as `group.id` of products.') },
  query: { store: StoreSlug, per_page: PerPage, page, fields },
  answer: VariantGroupAnswer,
  returns: 'The group, and a page of its products.',
  problems: ['unknown-store', 'unknown-variant-group'],
})

export const LIST_CATEGORIES = catalogRoute({
  id: 'listCategories',
  path: '/v1/categories',
  summary: 'List the account’s categories',
  description:
    'The whole tree of the account’s own categories, at most 10,000, also those without products: from the top down, by position, each followed by those below it. An empty list when the account has none.',
  query: { store: StoreSlug },
  answer: CategoryList,
  returns: 'The categories, named in the store’s language.',
  problems: ['unknown-store'],
})

export const LIST_CHANGES = catalogRoute({
  id: 'listChanges',
  path: '/v1/changes',
  summary: 'Read the change feed',
  description:
    'The latest change per product after a cursor. Send neither since nor since_id to read from the beginning (this is also how a new client loads the catalog), then always both as next_since and next_id of the previous answer. When has_more is false you have every change committed before the answer. A product may be seen twice, never an older change after a newer one.',
  query: {
    store: StoreSlug,
    since: Type.Optional(
      Moment(
        'First half of the cursor: an RFC 3339 timestamp, or `now` for an empty list and the newest cursor. Alone: everything at or after that second.',
        ['next_since', 'cursor'],
      ),
    ),
    since_id: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 0,
        format: 'int64',
        description: 'Second half of the cursor; 0 is the same as leaving it out.',
        'x-also': ['next_id'],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 500, description: 'Changes per window; 500, unless set.' }),
    ),
    per_page: Type.Optional(
      Clamped(1, 1_000, 500, 'The same as limit, under the name that lists have for it; one of the two may be given'),
    ),
    wait: Type.Integer({
      minimum: 0,
      maximum: 25,
      default: 0,
      description:
        'Seconds to wait for a change when there is none yet; with `since=now` the request does not wait. At most 20 requests of a token, and 200 of an account, wait at once; further ones get 429.',
    }),
    expand: Type.Optional(
      Type.Unsafe<'products'>({
        type: 'string',
        enum: ['products'],
        description:
          'The products themselves, so that no second request is needed. A window then has at most 200 changes, and 200 unless set.',
      }),
    ),
    fields,
  },
  conflicts({ since, since_id: sinceId, limit, per_page: perPage, expand }): Record<string, string> {
    const twice: Record<string, string> =
      limit !== undefined && perPage !== undefined
        ? { per_page: 'is the same as limit: send one of the two' }
        : expand !== undefined && Number(limit) > EXPANDED_MAX
          ? { limit: `must be at most ${EXPANDED_MAX} with expand` }
          : {}
    // 0 is the default, so it is treated as left out
    if (sinceId === undefined || (typeof sinceId === 'string' && /^0+$/.test(sinceId))) return twice
    if (since === 'now') return { ...twice, since_id: 'cannot be combined with since=now' }
    return since === undefined ? { ...twice, since_id: 'is the second half of a cursor: send since with it' } : twice
  },
  answer: ChangeList,
  returns: 'The changes after the cursor, at most `limit`, and the cursor for the next request.',
  problems: ['unknown-store', 'cursor-ahead'],
})

/** The answer is streamed, as an array or one line per product. */
export const EXPORT_PRODUCTS = streamRoute({
  id: 'exportProducts',
  path: '/v1/export',
  summary: 'Stream all products of a store',
  description:
    'The finished catalog as one JSON array, or a product per line with Accept: application/x-ndjson. The cursor in the headers is from before the first product: the export plus the changes since then gives the current catalog. A transfer that ends early has no closing bracket. With a product per line it may look whole, because a proxy ended it: read /v1/products with after_id of the last product, until nothing follows.',
  query: { store: StoreSlug, fields, locales },
  answers: {
    200: {
      description: 'All products of the store, by ID ascending; the ETag is weak.',
      headers: ['ETag', 'Content-Encoding', 'Shelfwire-Next-Since', 'Shelfwire-Next-Id'],
      content: {
        'application/json': Type.Array(Type.Ref('Product')),
        'application/x-ndjson': Type.Ref('Product'),
      },
    },
    304: {
      description: 'Nothing has changed since the ETag sent as If-None-Match; there is no body.',
      headers: ['ETag', 'Shelfwire-Next-Since', 'Shelfwire-Next-Id'],
    },
  },
  problems: ['unknown-store'],
  schemas: [Product],
})

const half = Type.Optional(
  Type.Unsafe<'content' | 'price'>({
    type: 'string',
    enum: ['content', 'price'],
    description:
      'One half of each product instead of both: `price` is the members `prices` and `stock`, `content` all before them.',
  }),
)

export const LIST_DIGESTS = catalogRoute({
  id: 'listDigests',
  path: '/v1/digest',
  summary: 'Read digests by which a mirror proves that it is equal',
  description:
    'A digest of the content halves and one of the price halves for each block of 1,024 product IDs, all as of the cursor in the answer. A mirror computes the same from the products that it keeps, and asks listProductTags where one differs. Start without after_block and go on with meta.next_after_block until it is null; a page may have fewer entries than limit before the end. A token without purchase prices reads the digests of what it reads.',
  query: {
    store: StoreSlug,
    half,
    after_block: Type.Optional(
      Type.Integer({
        minimum: 0,
        format: 'int64',
        description: 'Blocks with a higher number; the first page when left out.',
        'x-also': ['next_after_block', 'next_after', 'cursor'],
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 5000, default: 1000, description: 'Blocks per page.' }),
  },
  answer: DigestList,
  returns: 'A page of blocks, by number ascending.',
  problems: ['unknown-store'],
})

export const LIST_PRODUCT_TAGS = catalogRoute({
  id: 'listProductTags',
  path: '/v1/digest/products',
  summary: 'Read the tags that digests are made of',
  description:
    'The tags of both halves of products, by ID ascending, all as of the cursor in the answer: for a block, after_id is the ID before its first one. With them a mirror finds which products differ, and reads only these. The tags of GET /v1/products/{id} are the two halves of its ETag.',
  query: {
    store: StoreSlug,
    half,
    after_id: Type.Integer({
      minimum: 0,
      default: 0,
      format: 'int64',
      description: 'Products with a higher ID.',
      'x-also': NEXT_AFTER_ID,
    }),
    limit: Type.Integer({ minimum: 1, maximum: 2048, default: 1024, description: 'Products per page.' }),
  },
  answer: ProductTags,
  returns: 'A page of products with their tags.',
  problems: ['unknown-store'],
})

export const CATALOG_ROUTES = [
  LIST_PRODUCTS,
  GET_PRODUCT,
  LIST_PRICES,
  GET_PRICES,
  LIST_STORES,
  LIST_CUSTOMER_GROUPS,
  LIST_VARIANT_GROUPS,
  GET_VARIANT_GROUP,
  LIST_CATEGORIES,
  LIST_CHANGES,
  EXPORT_PRODUCTS,
  LIST_DIGESTS,
  LIST_PRODUCT_TAGS,
  LIST_MIRROR_CHECKS,
] as const
