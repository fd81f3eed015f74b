import Type, { type Static } from 'typebox'
import { FieldSource } from '../field-sources.ts'
import { OneOf } from '../one-of.ts'
import { PathId, StoreSlug } from '../parameters.ts'
import { SOURCE_FIELDS } from '../product-fields.ts'
import { Id, Null, Text } from '../values.ts'
import { ProductName, ProductThumbnail, ProductTitle } from './product-names.ts'
import { Data, panelRoute, Time, TimeOrNull } from './route.ts'

// One product in the panel: for each field the possible values and the reason for the one shown, the offers, the edits, and previews
// of a merge or a split. The owner's own values are read and written at /v1/account/products.

const one = '/panel/api/accounts/{account_id}/products/{product_id}'
const params = { account_id: PathId('Account ID.'), product_id: PathId('Product ID.') }
const problems = ['unknown-product'] as const

/** Fields that take their value from one source. The SKU is made of several values. */
const FIELDS = SOURCE_FIELDS.filter((field) => field !== 'sku')

const Candidate = Type.Object({
  value: Type.Union([Text, Type.Array(Text), Null], {
    description:
      'Value as the store would show it; for images, their URLs. Long texts are shortened. null: the attribute is hidden.',
  }),
  length: Type.Integer({ description: 'Length of the whole text in UTF-16 units; for images, their number.' }),
  stated: Type.Union([Text, Null], { description: 'Value as the source states it; null if it is the same.' }),
  source: FieldSource,
  supplier: Type.Union([Type.Object({ code: Text, name: Text }), Null], {
    description: 'Supplier that states the value; null if it is not a supplier’s.',
  }),
  behind: Type.Union([OneOf(['override', 'locale', 'inactive', 'order'], {}), Null], {
    description:
      'Why the first candidate comes before this one. override: your own value takes precedence over suppliers’; locale: its locale comes first; inactive: inactive suppliers come last; order: its supplier comes first. null for the first candidate, which is shown.',
  }),
})
export type Candidate = Static<typeof Candidate>

export const LIST_CANDIDATES = panelRoute({
  id: 'listCandidates',
  method: 'get',
  path: `${one}/candidates`,
  panelAccess: 'member',
  summary: 'List the values that a field could show in a store, in their order of precedence',
  params,
  query: {
    store: StoreSlug,
    field: Type.Unsafe<Exclude<(typeof SOURCE_FIELDS)[number], 'sku'>>({
      type: 'string',
      enum: FIELDS,
      default: 'title',
    }),
    key: Type.Optional(Type.String({ maxLength: 200, description: 'Key of the attribute; only for attributes.' })),
  },
  status: 200,
  answer: Data(
    Type.Object({
      candidates: Type.Array(Candidate, { description: 'Possible values; the first one is shown.' }),
      has_order: Type.Boolean({
        description: 'Whether the field has a source order; otherwise suppliers come in the order of their priority.',
      }),
      locales: Type.Array(Text, { description: 'Locales in which the store looks for texts, in this order.' }),
    }),
  ),
  problems: [...problems, 'unknown-store'],
})

const RunChange = Type.Object({
  run_id: Id,
  at: Time('When the import ended, or began.'),
  kind: OneOf(['created', 'changed', 'zeroed', 'left'], {
    description:
      'What the import did to the offer. zeroed: its quantity became 0, because the file did not contain it any more; left: an undo did not revert it.',
  }),
  trigger: Text,
  file_name: Type.Union([Text, Null]),
  members: Type.Array(Text, { description: 'Members that changed, such as cost, quantity or title.' }),
})

const ProductOffer = Type.Object({
  supplier: Type.Object({ id: Id, code: Text, name: Text, is_active: Type.Boolean(), priority: Type.Integer() }),
  sku: Text,
  cost: Type.Union([Text, Null]),
  cost_tiers: Type.Union([Type.Array(Type.Object({ quantity: Type.Integer(), cost: Text })), Null], {
    description: 'Cost of one piece from a minimum quantity on; null if there are no tiers.',
  }),
  currency: Text,
  quantity: Type.Integer({ description: 'Number of pieces, as the supplier reported it.' }),
  eans: Type.Array(Text),
  shared_eans: Type.Array(Text, {
    description: 'EANs that another offer of the product also has, and by which this offer joined the product.',
  }),
  title: Type.Union([Text, Null], {
    description: 'Title in the account’s locale, else in any other; null if there is none.',
  }),
  title_locale: Type.Union([Text, Null], {
    description: 'Locale of the title if it is not the account’s; otherwise null.',
  }),
  locales: Type.Array(Text, { description: 'Locales of the offer’s texts.' }),
  images: Type.Integer(),
  stale_since: TimeOrNull(
    'Since when rows of the offer cannot be read, so that it keeps its earlier values; null if they can.',
  ),
  absent_since: TimeOrNull(
    'Since when the supplier’s full files have not contained the offer; null if it is not missing from them.',
  ),
  runs: Type.Array(RunChange, {
    description: 'Those of the supplier’s last 50 imports that changed the offer, newest first.',
  }),
})
export type ProductOffer = Static<typeof ProductOffer>

export const LIST_PRODUCT_OFFERS = panelRoute({
  id: 'listProductOffers',
  method: 'get',
  path: `${one}/offers`,
  panelAccess: 'member',
  summary: 'List the suppliers’ offers of a product',
  params,
  status: 200,
  answer: Data(Type.Array(ProductOffer)),
  problems,
})

/** A merge patch for the product at /v1/account/products. */
const Patch = Type.Record(Text, Type.Unknown())
const Edit = Type.Object({
  id: Id,
  at: Time('When the change was made.'),
  by: Type.String({ description: 'Name and e-mail address of the person at that time.' }),
  action: Type.String({ description: 'operationId of the change, such as patchProduct or putStock.' }),
  details: Type.Record(Text, Type.Unknown(), { description: 'Details, as in the audit trail.' }),
  change: Type.Union([Type.Object({ before: Patch, after: Patch }), Null], {
    description:
      'Values before and after the change; null if the change was of another kind, or too large to be stored.',
  }),
  is_undoable: Type.Boolean({
    description:
      'Whether all changed values are still unchanged since, so that the change can be undone: send `change.before` to the product with `revision` as If-Match, and its member `stock` to the product’s own stock with `stock_revision`.',
  }),
})

export const GET_PRODUCT_HISTORY = panelRoute({
  id: 'getProductHistory',
  method: 'get',
  path: `${one}/history`,
  panelAccess: 'member',
  summary: 'Read who changed a product in the panel, and when it last changed for stores',
  description: 'Does not include changes by tokens, by commands, and of many products at once.',
  params,
  query: {
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'meta.next_before of the previous page; the first page if left out.' }),
    ),
  },
  status: 200,
  answer: Type.Object({
    data: Type.Object({
      edits: Type.Array(Edit, { description: 'Changes, newest first.' }),
      revision: Type.String({ description: 'Revision of the product as it is set now.' }),
      stock_revision: Type.Union([Text, Null], {
        description: 'Revision of the product’s own stock; null if it has none.',
      }),
      stores: Type.Array(
        Type.Object({
          store: Text,
          at: Time('When the store’s latest change was announced.'),
          kind: OneOf(['price', 'content', 'removed'], {}),
        }),
        { description: 'Latest change in each active store, newest first.' },
      ),
    }),
    meta: Type.Object({ next_before: Type.Union([Type.Integer(), Null]) }),
  }),
  problems,
})

const Shown = Type.Union([
  Type.Object({
    title: Type.Union([Text, Null]),
    sku: Type.Union([Text, Null]),
    price: Type.Union([Text, Null], { description: 'Price of the default customer group; null if there is none.' }),
    currency: Text,
    is_held: Type.Boolean({
      description: 'Whether the price would change too much and is therefore held until it is confirmed.',
    }),
    stock: Type.Integer(),
    exclusion_reason: Type.Union([Text, Null]),
  }),
  Null,
])
const Regrouped = Type.Object({
  product_id: Type.Union([Id, Null], { description: 'Product ID; null for the product that a split would create.' }),
  ...ProductTitle,
  ...ProductThumbnail,
  stores: Type.Array(Type.Object({ store: Text, before: Shown, after: Shown }), {
    description:
      'Stores in which clients would read something different; before or after is null if the store does not list the product.',
  }),
})
const StockOf = Type.Union([
  Type.Object({
    quantity: Type.Integer(),
    cost: Type.Union([Text, Null], { description: 'Cost of one piece, in the account’s currency; null if unknown.' }),
  }),
  Null,
])
const RegroupPreview = Type.Object({
  products: Type.Array(Regrouped, { description: 'Affected products, the product in the path first.' }),
  takes: Type.Array(
    Type.Object({
      product_id: Id,
      ...ProductName,
      ...ProductThumbnail,
      offers: Type.Array(Type.Object({ supplier: Text, sku: Text })),
      stock: StockOf,
      set: Type.Array(Type.Object({ field: Text, place: Type.Union([Text, Null]) }), {
        description:
          'Your own values of the product, which would be lost: the field, and the locale, attribute or store.',
      }),
    }),
    { description: 'Products that the merge would delete.' },
  ),
  stock: Type.Object({ before: StockOf, after: StockOf }, { description: 'Own stock of the product in the path.' }),
})
export type RegroupPreview = Static<typeof RegroupPreview>

export const PREVIEW_MERGE = panelRoute({
  id: 'previewMerge',
  method: 'post',
  path: `${one}/merge-preview`,
  panelAccess: 'member',
  summary: 'Preview a merge of other products into a product; nothing is written',
  params,
  body: {
    noun: 'merge',
    schema: Type.Object(
      { product_ids: Type.Array(Id, { minItems: 1, maxItems: 20 }) },
      { additionalProperties: false },
    ),
  },
  status: 200,
  answer: Data(RegroupPreview),
  problems,
})

export const PREVIEW_SPLIT = panelRoute({
  id: 'previewSplit',
  method: 'post',
  path: `${one}/split-preview`,
  panelAccess: 'member',
  summary: 'Preview a split of offers from a product; nothing is written',
  params,
  body: {
    noun: 'split',
    schema: Type.Object(
      {
        offers: Type.Array(Type.Object({ supplier: Text, sku: Text }, { additionalProperties: false }), {
          minItems: 1,
          maxItems: 1_000,
        }),
      },
      { additionalProperties: false },
    ),
  },
  status: 200,
  answer: Data(RegroupPreview),
  problems: [...problems, 'unknown-reference'],
})

export const PANEL_PRODUCT_ROUTES = [
  LIST_CANDIDATES,
  LIST_PRODUCT_OFFERS,
  GET_PRODUCT_HISTORY,
  PREVIEW_MERGE,
  PREVIEW_SPLIT,
] as const
