import Type, { type Static } from 'typebox'
import { FieldSource } from '../explanation.ts'
import { OneOf } from '../one-of.ts'
import { PathId, StoreSlug } from '../parameters.ts'
import { SOURCE_FIELDS } from '../product-fields.ts'
import { Id, Null, Text } from '../values.ts'
import { ProductName, ProductThumbnail, ProductTitle } from './product-names.ts'
import { Data, panelRoute, Time, TimeOrNull } from './route.ts'

// One product in the panel: for each field the possible values and the reason for the one shown, the offers, the edits, and previews
// of a merge or a split. The owner's own values are read and written at /v1/account/products.

const one = '/panel/api/accounts/{account_id}/products/{product_id}'
const params = { account_id: PathId('The account.'), product_id: PathId('The product.') }
const problems = ['unknown-product'] as const

/** Fields that take their value from one source. The SKU is made of several values. */
const FIELDS = SOURCE_FIELDS.filter((field) => field !== 'sku')

const Candidate = Type.Object({
  value: Type.Union([Text, Type.Array(Text), Null], {
    description: 'As the store would show it, of images their URLs; null: the attribute is hidden. Long texts are cut.',
  }),
  length: Type.Integer({ description: 'UTF-16 units of the whole text; of images how many there are.' }),
  stated: Type.Union([Text, Null], { description: 'As the source has it; null: the same.' }),
  source: FieldSource,
  supplier: Type.Union([Type.Object({ code: Text, name: Text }), Null], { description: 'Of a supplier’s value.' }),
  behind: Type.Union([OneOf(['override', 'locale', 'inactive', 'order'], {}), Null], {
    description:
      'Why the first one goes before it: your own value goes before suppliers’; its locale is looked in first; inactive suppliers come last; its supplier is asked first. null: it is the first one, which is shown.',
  }),
})
export type Candidate = Static<typeof Candidate>

export const LIST_CANDIDATES = panelRoute({
  id: 'listCandidates',
  method: 'get',
  path: `${one}/candidates`,
  panelAccess: 'member',
  summary: 'What a field could show in a store, in the order in which it is looked for',
  params,
  query: {
    store: StoreSlug,
    field: Type.Unsafe<Exclude<(typeof SOURCE_FIELDS)[number], 'sku'>>({
      type: 'string',
      enum: FIELDS,
      default: 'title',
    }),
    key: Type.Optional(Type.String({ maxLength: 200, description: 'Of an attribute.' })),
  },
  status: 200,
  answer: Data(
    Type.Object({
      candidates: Type.Array(Candidate, { description: 'The first one is shown.' }),
      has_order: Type.Boolean({
        description: 'Whether the field has a source order of its own; else suppliers are asked by priority.',
      }),
      locales: Type.Array(Text, { description: 'In which the store looks, in this order.' }),
    }),
  ),
  problems: [...problems, 'unknown-store'],
})

const RunChange = Type.Object({
  run_id: Id,
  at: Time('When the import ended, or began.'),
  kind: OneOf(['created', 'changed', 'zeroed', 'left'], {
    description: 'zeroed: the file did not have it any more; left: an undo did not take it back.',
  }),
  trigger: Text,
  file_name: Type.Union([Text, Null]),
  members: Type.Array(Text, { description: 'What differed: cost, quantity, title ...' }),
})

const ProductOffer = Type.Object({
  supplier: Type.Object({ id: Id, code: Text, name: Text, is_active: Type.Boolean(), priority: Type.Integer() }),
  sku: Text,
  cost: Type.Union([Text, Null]),
  cost_tiers: Type.Union([Type.Array(Type.Object({ quantity: Type.Integer(), cost: Text })), Null], {
    description: 'What a piece costs from a quantity on.',
  }),
  currency: Text,
  quantity: Type.Integer({ description: 'As reported.' }),
  eans: Type.Array(Text),
  shared_eans: Type.Array(Text, {
    description: 'Those that another offer of the product has, too: it joined by them.',
  }),
  title: Type.Union([Text, Null], { description: 'In the account’s locale, else in any.' }),
  title_locale: Type.Union([Text, Null], {
    description: 'Of a title in another language than the account’s; null: it is in that.',
  }),
  locales: Type.Array(Text, { description: 'Of its texts.' }),
  images: Type.Integer(),
  stale_since: TimeOrNull('Since when rows of it cannot be read, so that it keeps what it had.'),
  absent_since: TimeOrNull('Since when full files of the supplier do not have it.'),
  runs: Type.Array(RunChange, { description: 'Imports that changed it, of the supplier’s last 50; newest first.' }),
})
export type ProductOffer = Static<typeof ProductOffer>

export const LIST_PRODUCT_OFFERS = panelRoute({
  id: 'listProductOffers',
  method: 'get',
  path: `${one}/offers`,
  panelAccess: 'member',
  summary: 'What each supplier says of a product',
  params,
  status: 200,
  answer: Data(Type.Array(ProductOffer)),
  problems,
})

/** A merge patch for the product at /v1/account/products. */
const Patch = Type.Record(Text, Type.Unknown())
const Edit = Type.Object({
  id: Id,
  at: Time('When.'),
  by: Type.String({ description: 'Name and e-mail as they were then.' }),
  action: Type.String({ description: 'Id of the operation: patchProduct, putStock ...' }),
  details: Type.Record(Text, Type.Unknown(), { description: 'As in the audit trail.' }),
  change: Type.Union([Type.Object({ before: Patch, after: Patch }), Null], {
    description: 'What was set differently; null: something else, or too much to keep.',
  }),
  is_undoable: Type.Boolean({
    description:
      'Whether all of it is still as it was left; `change.before` undoes it: sent to the product with `revision` as If-Match, its member `stock` to the product’s own stock with `stock_revision`.',
  }),
})

export const GET_PRODUCT_HISTORY = panelRoute({
  id: 'getProductHistory',
  method: 'get',
  path: `${one}/history`,
  panelAccess: 'member',
  summary: 'Who changed a product in the panel, and when its payloads last changed',
  description: 'Not the changes by tokens, by commands, and of many products at once.',
  params,
  query: { before: Type.Optional(Type.Integer({ minimum: 1, description: 'meta.next_before of the page before.' })) },
  status: 200,
  answer: Type.Object({
    data: Type.Object({
      edits: Type.Array(Edit, { description: 'Newest first.' }),
      revision: Type.String({ description: 'Of the product as it is set now.' }),
      stock_revision: Type.Union([Text, Null], { description: 'Of its own stock; null: it has none.' }),
      stores: Type.Array(
        Type.Object({
          store: Text,
          at: Time('When its latest change was announced.'),
          kind: OneOf(['price', 'content', 'removed'], {}),
        }),
        { description: 'The latest change of each active store, newest first.' },
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
    price: Type.Union([Text, Null], { description: 'Of the default customer group.' }),
    currency: Text,
    is_held: Type.Boolean({ description: 'The price would jump, and be held as it is until it is confirmed.' }),
    stock: Type.Integer(),
    exclusion_reason: Type.Union([Text, Null]),
  }),
  Null,
])
const Regrouped = Type.Object({
  product_id: Type.Union([Id, Null], { description: 'null: the product that a split would make.' }),
  ...ProductTitle,
  ...ProductThumbnail,
  stores: Type.Array(Type.Object({ store: Text, before: Shown, after: Shown }), {
    description: 'Stores in which a client would read something else; null: it is not listed.',
  }),
})
const StockOf = Type.Union([
  Type.Object({
    quantity: Type.Integer(),
    cost: Type.Union([Text, Null], { description: 'In the account’s currency.' }),
  }),
  Null,
])
const RegroupPreview = Type.Object({
  products: Type.Array(Regrouped, { description: 'The product in the path first.' }),
  takes: Type.Array(
    Type.Object({
      product_id: Id,
      ...ProductName,
      ...ProductThumbnail,
      offers: Type.Array(Type.Object({ supplier: Text, sku: Text })),
      stock: StockOf,
      set: Type.Array(Type.Object({ field: Text, place: Type.Union([Text, Null]) }), {
        description: 'Your own values of it, which would be lost: the field, and the locale, attribute or store.',
      }),
    }),
    { description: 'Products that a merge would delete.' },
  ),
  stock: Type.Object({ before: StockOf, after: StockOf }, { description: 'Own stock of the product in the path.' }),
})
export type RegroupPreview = Static<typeof RegroupPreview>

export const PREVIEW_MERGE = panelRoute({
  id: 'previewMerge',
  method: 'post',
  path: `${one}/merge-preview`,
  panelAccess: 'member',
  summary: 'What merging others into a product would take and change; nothing is written',
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
  summary: 'What splitting offers off would change; nothing is written',
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
