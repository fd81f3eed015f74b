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
    'Page number. Reading page by page can skip products while others leave the store; after_id and the change feed do not skip any.',
})
const ids = Type.Optional(
  ProductIds(
    200,
    'Up to 200 product IDs, for example those of a page of changes. Products that the store does not list are left out.',
  ),
)
const afterId = Type.Optional(
  Type.Integer({
    minimum: 0,
    format: 'int64',
    description:
      'Keyset paging: only products with a higher ID. Start with 0, and continue with meta.next_after_id until it is null.',
    'x-also': NEXT_AFTER_ID,
  }),
)
const id = PathId('Product ID.')
const fields = Type.Optional(
  Members(
    PRODUCT_MEMBERS,
    ['id'],
    'Members of products to return; all by default. `id` is always returned. Other members are left out, including those that the schema requires. The ETag covers only the chosen members.',
  ),
)

const locales = Type.Optional(
  Type.Unsafe<'all'>({
    type: 'string',
    enum: ['all'],
    description:
      'With `all`, products also have `texts`: titles, descriptions and all other members that depend on the language, in the locale of every active store. Products times locales can be at most 200: per_page is lowered accordingly, and more `ids` are refused. With `fields`, `texts` has only those of its members that `fields` names, or all if it names none of them.',
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
      description: 'Only products with this exported SKU, 200 per `page`.',
      'x-must': 'must have 1 to 200 characters, none of them NUL',
    }),
  ),
  ean: Ean('Only products with this EAN, primary or not, 200 per `page`.'),
  slug: Type.Optional(
    Slugs(
      200,
      'Slug of a product in the store, or up to 200 slugs separated by commas. Earlier slugs of a product find it, too: a shop can then redirect visitors to its present `slug`, which products have if the account’s additional_members include it.',
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
    'Finished products of one store, by ID ascending, including excluded products. Send at most one of page, ids, sku, ean, slug and after_id; only page can be combined with sku or ean, which return 200 products per page.',
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
  description: 'The finished product as the store shows it. 404 if the store does not list it.',
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
  description: 'Only prices and stock, which change most often, with the same paging and filters as listProducts.',
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
  description: 'Prices and stock of one product, as in GET /v1/prices. 404 if the store does not list the product.',
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
  description: 'The account’s active stores, the default store first.',
  answer: StoreList,
  returns: 'The active stores.',
  problems: [],
})

export const LIST_CUSTOMER_GROUPS = catalogRoute({
  id: 'listCustomerGroups',
  path: '/v1/customer-groups',
  summary: 'List the customer groups',
  description: 'The account’s customer groups, by ID ascending. Every product with prices has one for each group.',
  answer: CustomerGroupList,
  returns: 'The customer groups.',
  problems: [],
})

export const LIST_VARIANT_GROUPS = catalogRoute({
  id: 'listVariantGroups',
  path: '/v1/groups',
  summary: 'List the groups of variants',
  description:
    'Groups of variants of which the store lists at least one product, by ID ascending. Start without after_id, and continue with meta.next_after_id until it is null; any page may have fewer entries than per_page.',
  query: {
    store: StoreSlug,
    per_page: PerPage,
    after_id: Type.Optional(
      Type.Integer({
        minimum: 0,
        format: 'int64',
        description: 'Only groups with a higher ID; 0 by default.',
        'x-also': NEXT_AFTER_ID,
      }),
    ),
  },
  answer: VariantGroupList,
  returns: 'A page of groups, each with the values that its first product shows.',
  problems: ['unknown-store'],
})

export const GET_VARIANT_GROUP = catalogRoute({
  id: 'getVariantGroup',
  path: '/v1/groups/{id}',
  summary: 'Read a group of variants with its products',
  description:
    'The group with those of its products that the store lists, including excluded products, by position in the group, then by ID; at most the first 1,000. 404 if the store lists none of them, or if the group was joined with another one, which its products then name.',
  params: { id: PathId('ID of the group, as in `group.id` of products.') },
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
    'All categories of the account, at most 10,000, including those without products. Each category is followed by the categories below it; categories with the same parent are sorted by position. Empty if the account has none.',
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
    'The latest change of each product after a cursor. A new client sends neither since nor since_id, to read from the beginning; then it always sends next_since and next_id of the previous answer as since and since_id. When has_more is false, all changes that were committed before the answer have been returned. A product may be returned again, but never an older change after a newer one.',
  query: {
    store: StoreSlug,
    since: Type.Optional(
      Moment(
        'First half of the cursor: an RFC 3339 timestamp, or `now` for an empty list and the newest cursor. Without since_id: all changes at or after that second.',
        ['next_since', 'cursor'],
      ),
    ),
    since_id: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 0,
        format: 'int64',
        description: 'Second half of the cursor; 0 by default.',
        'x-also': ['next_id'],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 500,
        description: 'Largest number of changes in the answer; 500 by default.',
      }),
    ),
    per_page: Type.Optional(
      Clamped(1, 1_000, 500, 'Same as limit, by the name that other lists use; send at most one of the two'),
    ),
    wait: Type.Integer({
      minimum: 0,
      maximum: 25,
      default: 0,
      description:
        'Number of seconds to wait for a change if there is none yet; ignored with `since=now`. At most 20 requests of a token and 200 of an account can wait at the same time; further ones get 429.',
    }),
    expand: Type.Optional(
      Type.Unsafe<'products'>({
        type: 'string',
        enum: ['products'],
        description:
          'With `products`, the answer also has the products themselves, so that no second request is needed. limit is then at most 200, which is also the default.',
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
    'All products of a store as one JSON array, or one product per line with Accept: application/x-ndjson. The cursor in the headers is from before the first product: the export plus the changes since then gives the current catalog. If the transfer ends early, the closing bracket is missing. With one product per line an incomplete transfer may look complete, because a proxy ended it: then read GET /v1/products with after_id of the last product until nothing follows.',
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
      'One half of each product instead of both: `price` covers the members `prices` and `stock`, `content` all members before them.',
  }),
)

export const LIST_DIGESTS = catalogRoute({
  id: 'listDigests',
  path: '/v1/digest',
  summary: 'Read digests for comparing a mirror with the store',
  description:
    'For each block of 1,024 product IDs, one digest of the content halves and one of the price halves, all at the cursor in the answer. A mirror computes the same digests from its products, and calls listProductTags for blocks that differ. Start without after_block, and continue with meta.next_after_block until it is null; any page may have fewer entries than limit. For a token without purchase prices, digests are computed without them.',
  query: {
    store: StoreSlug,
    half,
    after_block: Type.Optional(
      Type.Integer({
        minimum: 0,
        format: 'int64',
        description: 'Only blocks with a higher number; by default the first page.',
        'x-also': ['next_after_block', 'next_after', 'cursor'],
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: 5000,
      default: 1000,
      description: 'Largest number of blocks per page.',
    }),
  },
  answer: DigestList,
  returns: 'A page of blocks, by number ascending.',
  problems: ['unknown-store'],
})

export const LIST_PRODUCT_TAGS = catalogRoute({
  id: 'listProductTags',
  path: '/v1/digest/products',
  summary: 'Read the tags from which digests are computed',
  description:
    'The tags of both halves of products, by ID ascending, all at the cursor in the answer. To read a block, start with after_id = 1,024 × block − 1 (0 for block 0). With the tags a mirror finds the products that differ, and reads only these. The tags of a product are the two halves of the ETag of GET /v1/products/{id}.',
  query: {
    store: StoreSlug,
    half,
    after_id: Type.Integer({
      minimum: 0,
      default: 0,
      format: 'int64',
      description: 'Only products with a higher ID.',
      'x-also': NEXT_AFTER_ID,
    }),
    limit: Type.Integer({
      minimum: 1,
      maximum: 2048,
      default: 1024,
      description: 'Largest number of products per page.',
    }),
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
