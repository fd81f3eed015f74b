import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId, ProductIds } from '../parameters.ts'
import { GRID_NAMES, TEXT_FIELDS } from '../product-fields.ts'
import { Amount, Id, Null, Quantity, Text } from '../values.ts'
import { ProductName, ProductThumbnail } from './product-names.ts'
import { Data, List, panelRoute, TimeOrNull } from './route.ts'

// The owner's values of products beside the suppliers': as cells of a spreadsheet, and pictures.

const account = '/panel/api/accounts/{account_id}'
const params = { account_id: PathId('The account.') }
const Known = (description: string) => Type.Union([Text, Null], { description })

/** Most products of one answer. */
export const CELL_PRODUCTS_MAX = 200
/** Most columns of one answer. */
export const CELL_COLUMNS_MAX = 40

const ProductCell = Type.Object({
  own: Type.Union([Text, Type.Literal(false), Null], {
    description: 'What the owner set; false: the attribute is hidden. null: nothing.',
  }),
  supplied: Known('What suppliers say; of columns that cannot be set here, what stores are given. null: nothing.'),
})

const ProductCells = Type.Object({
  id: Id,
  ...ProductName,
  ...ProductThumbnail,
  stock: Type.Union(
    [
      Type.Object({
        quantity: Quantity('Pieces on hand.'),
        cost: Amount('What a piece cost, in the account’s currency; null: not known.'),
      }),
      Null,
    ],
    { description: 'Own stock; null: there is none.' },
  ),
  cells: Type.Array(ProductCell, { description: 'One for each column, in their order.' }),
})
export type ProductCells = Static<typeof ProductCells>

export const PRODUCT_CELLS = panelRoute({
  id: 'productCells',
  method: 'get',
  path: `${account}/product-cells`,
  panelAccess: 'member',
  summary: 'What the owner set of some products, beside what suppliers say',
  description: 'In the order of the IDs; products that the account does not have are left out.',
  params,
  query: {
    ids: Type.Optional(ProductIds(CELL_PRODUCTS_MAX, `Up to ${CELL_PRODUCTS_MAX} product IDs.`)),
    columns: Type.String({
      maxLength: 6_000,
      default: '',
      description: `Up to ${CELL_COLUMNS_MAX}, by commas: ${[...TEXT_FIELDS.map((field) => `${field}.LOCALE`), ...GRID_NAMES].join(', ')}, attribute.KEY, excluded (from every store), excluded.STORE, price.KEY (in a price list, for its own group or every one); and, not to be set here, slug.STORE, eans (all of them, by commas) and image_alts.LOCALE (of its first ten pictures, in their order). Keys are percent-encoded.`,
      'x-must': 'must have at most 6000 characters',
    }),
  },
  status: 200,
  answer: List(ProductCells),
})

const ProductPicture = Type.Object({
  url: Type.String({ description: 'As it is named.' }),
  is_listed: Type.Boolean({ description: 'Whether it is in the list that stores are given.' }),
  suppliers: Type.Array(Text, { description: 'Codes of those whose offers name it.' }),
  state: OneOf(['pending', 'mirrored', 'dead', 'original'], {
    description: 'As in GET /v1/account/products/{id}/fields.',
  }),
  reason: Known('Why it is dead, or why it could not be fetched the last time.'),
  shown: Known('The URL that stores read; null: it is left out.'),
  type: Known('Media type; null: not known.'),
  width: Type.Union([Type.Integer(), Null]),
  height: Type.Union([Type.Integer(), Null]),
  bytes: Type.Union([Type.Integer(), Null]),
  alts: Type.Array(
    Type.Object({
      locale: Type.String({ description: 'A locale of the account’s stores.' }),
      text: Known('What the picture shows, as those stores read it; null: nobody says it.'),
      found_in: Known('The locale that the text is of.'),
      supplier: Known('Code of the supplier whose text it is; null: the owner’s, or none.'),
    }),
    { description: 'In the order of the locales.' },
  ),
  is_uploaded: Type.Boolean({ description: 'It is the account’s own, and never fetched.' }),
  is_adopted: Type.Boolean({ description: 'It is the account’s own because our copy was adopted.' }),
  looks: Type.Integer({ description: 'In a row that did not find it.' }),
  reasons: Type.Array(Type.Object({ reason: Text, looks: Type.Integer() }), {
    description: 'Why those looks did not, the most frequent first.',
  }),
  failed_since: TimeOrNull('Since when it cannot be fetched; null: the last time it could, or nobody has tried.'),
  fetched_at: TimeOrNull('When it was last fetched; null: never.'),
  next_fetch_at: TimeOrNull('When it is fetched next; null: never.'),
})
export type ProductPicture = Static<typeof ProductPicture>

export const PRODUCT_PICTURES = panelRoute({
  id: 'productPictures',
  method: 'get',
  path: `${account}/product-pictures`,
  panelAccess: 'member',
  summary: 'Every picture of a product with its state',
  description: 'Those of the list that stores are given in its order, then the others that suppliers name.',
  params,
  query: { product: Type.Integer({ minimum: 0, default: 0, format: 'int64', description: 'The product’s ID.' }) },
  status: 200,
  answer: Data(
    Type.Object({
      is_own: Type.Boolean({ description: 'Whether the list is the owner’s; otherwise it is a supplier’s.' }),
      supplier: Known('Code of the supplier whose list it is.'),
      pictures: Type.Array(ProductPicture),
    }),
  ),
  problems: ['unknown-product'],
})

export const PRODUCT_VALUE_ROUTES = [PRODUCT_CELLS, PRODUCT_PICTURES] as const
