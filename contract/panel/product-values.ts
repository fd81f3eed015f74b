import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId, ProductIds } from '../parameters.ts'
import { GRID_NAMES, TEXT_FIELDS } from '../product-fields.ts'
import { Amount, Id, Null, Quantity, Text } from '../values.ts'
import { ProductName, ProductThumbnail } from './product-names.ts'
import { Data, List, panelRoute, TimeOrNull } from './route.ts'

// The owner's values of products beside the suppliers': as cells of a spreadsheet, and pictures.

const account = '/panel/api/accounts/{account_id}'
const params = { account_id: PathId('Account ID.') }
const Known = (description: string) => Type.Union([Text, Null], { description })

/** Most products of one answer. */
export const CELL_PRODUCTS_MAX = 200
/** Most columns of one answer. */
export const CELL_COLUMNS_MAX = 40

const ProductCell = Type.Object({
  own: Type.Union([Text, Type.Literal(false), Null], {
    description: 'Value that the owner set; false: the attribute is hidden; null: none is set.',
  }),
  supplied: Known('Value from suppliers; for columns that cannot be set here, the value that stores read. null: none.'),
})

const ProductCells = Type.Object({
  id: Id,
  ...ProductName,
  ...ProductThumbnail,
  stock: Type.Union(
    [
      Type.Object({
        quantity: Quantity('Number of pieces in stock.'),
        cost: Amount('Cost of one piece, in the account’s currency; null if unknown.'),
      }),
      Null,
    ],
    { description: 'Own stock; null if there is none.' },
  ),
  cells: Type.Array(ProductCell, { description: 'One cell for each column, in the order of the columns.' }),
})
export type ProductCells = Static<typeof ProductCells>

export const PRODUCT_CELLS = panelRoute({
  id: 'productCells',
  method: 'get',
  path: `${account}/product-cells`,
  panelAccess: 'member',
  summary: 'Read the owner’s and the suppliers’ values of some products',
  description: 'Products in the order of the IDs; products that the account does not have are left out.',
  params,
  query: {
    ids: Type.Optional(ProductIds(CELL_PRODUCTS_MAX, `Up to ${CELL_PRODUCTS_MAX} product IDs.`)),
    columns: Type.String({
      maxLength: 6_000,
      default: '',
      description: `Up to ${CELL_COLUMNS_MAX} columns, separated by commas: ${[...TEXT_FIELDS.map((field) => `${field}.LOCALE`), ...GRID_NAMES].join(', ')}, attribute.KEY, excluded (from every store), excluded.STORE, price.KEY (in a price list, for the list’s group or every group); and, read-only here, slug.STORE, eans (all EANs, separated by commas) and image_alts.LOCALE (of the first ten pictures, in their order). Keys are percent-encoded.`,
      'x-must': 'must have at most 6000 characters',
    }),
  },
  status: 200,
  answer: List(ProductCells),
})

const ProductPicture = Type.Object({
  url: Type.String({ description: 'URL of the picture, as the owner or the suppliers state it.' }),
  is_listed: Type.Boolean({ description: 'Whether the picture is in the list that stores read.' }),
  suppliers: Type.Array(Text, { description: 'Codes of the suppliers whose offers contain the picture.' }),
  state: OneOf(['pending', 'mirrored', 'dead', 'original'], {
    description: 'State of the picture, as in GET /v1/account/products/{id}/fields.',
  }),
  reason: Known('Why the picture is dead, or why the last fetch failed; null if neither.'),
  shown: Known('URL that stores read; null if the picture is left out.'),
  type: Known('Media type; null if unknown.'),
  width: Type.Union([Type.Integer(), Null]),
  height: Type.Union([Type.Integer(), Null]),
  bytes: Type.Union([Type.Integer(), Null]),
  alts: Type.Array(
    Type.Object({
      locale: Type.String({ description: 'Locale of one or more of the account’s stores.' }),
      text: Known('Alternative text that these stores read; null if there is none.'),
      found_in: Known('Locale of the text; null if there is none.'),
      supplier: Known('Code of the supplier that states the text; null if the owner set it, or if there is none.'),
    }),
    { description: 'Alternative texts, ordered by locale.' },
  ),
  is_uploaded: Type.Boolean({
    description: 'Whether the picture was uploaded: it is the account’s own and never fetched.',
  }),
  is_adopted: Type.Boolean({
    description: 'Whether the picture is the account’s own because the service’s copy was adopted.',
  }),
  looks: Type.Integer({ description: 'Number of consecutive failed fetches.' }),
  reasons: Type.Array(Type.Object({ reason: Text, looks: Type.Integer() }), {
    description: 'Why those fetches failed, the most frequent reason first.',
  }),
  failed_since: TimeOrNull('Since when fetches have failed; null if the last one succeeded, or if there was none.'),
  fetched_at: TimeOrNull('When the picture was last fetched; null if never.'),
  next_fetch_at: TimeOrNull('When the picture is fetched next; null if never.'),
})
export type ProductPicture = Static<typeof ProductPicture>

export const PRODUCT_PICTURES = panelRoute({
  id: 'productPictures',
  method: 'get',
  path: `${account}/product-pictures`,
  panelAccess: 'member',
  summary: 'List all pictures of a product with their states',
  description: 'First the pictures that stores read, in their order, then the others that suppliers state.',
  params,
  query: { product: Type.Integer({ minimum: 0, default: 0, format: 'int64', description: 'Product ID.' }) },
  status: 200,
  answer: Data(
    Type.Object({
      is_own: Type.Boolean({ description: 'Whether the owner set the list; otherwise it is a supplier’s.' }),
      supplier: Known('Code of the supplier whose list it is; null if there is none.'),
      pictures: Type.Array(ProductPicture),
    }),
  ),
  problems: ['unknown-product'],
})

export const PRODUCT_VALUE_ROUTES = [PRODUCT_CELLS, PRODUCT_PICTURES] as const
