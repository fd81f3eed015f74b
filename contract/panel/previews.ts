import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { Id, must, Null, Text } from '../values.ts'
import { ProductName } from './product-names.ts'
import { Data, List, panelRoute, TimeOrNull } from './route.ts'

// What a change of rules would do, before it is saved: over a sample at once, and over everything as an operation.

const account = { account_id: PathId('Account ID.') }
const accountPath = '/panel/api/accounts/{account_id}'

/** Resources whose changes can be previewed. */
export const PREVIEWED_RESOURCES = ['pricing-rules', 'exclusion-rules', 'assortment-rules'] as const
const ACTIONS = ['create', 'edit', 'delete', 'reorder'] as const

const Resource = OneOf(PREVIEWED_RESOURCES, must(`must be one of ${PREVIEWED_RESOURCES.join(', ')}`))
const Order = Type.Array(Id, {
  description:
    'IDs of all rules in the order in which they are applied, without the default pricing rule, which is always last.',
  ...must('must be a list of IDs'),
})

const RuleChange = Type.Object(
  {
    resource: Resource,
    action: OneOf(ACTIONS, must(`must be one of ${ACTIONS.join(', ')}`)),
    id: Type.Optional(Id),
    body: Type.Optional(
      Type.Unknown({
        description:
          'For create and edit: the body of the POST or PATCH below /v1/account; errors have the same names.',
      }),
    ),
    order: Type.Optional(Order),
  },
  { additionalProperties: false },
)
export type RuleChangeBody = Static<typeof RuleChange>

const Reach = Type.Object({
  products: Type.Integer({ description: 'Number of products, each counted once.' }),
  payloads: Type.Integer({
    description: 'Number of products in stores: a product in three stores counts three times.',
  }),
})

const EFFECTS = {
  repriced: 'A price changes.',
  priced: 'The product gets its first price.',
  unpriced: 'The product no longer has a price.',
  held: 'A price changes by more than the account allows, and would be held until somebody confirms it.',
  excluded: 'The product is no longer for sale.',
  included: 'The product is for sale again.',
  reasoned: 'The product is excluded for another reason.',
  listed: 'The store begins to list the product.',
  unlisted: 'The store no longer lists the product: connectors remove it.',
  tiered: 'A price stays the same, but its tier prices change.',
  compared: 'A price stays the same, but its compare_at_price changes.',
  ruled: 'A price stays the same, but another rule makes it.',
} as const
export type PreviewEffect = keyof typeof EFFECTS

const perEffect = <T extends Type.TSchema>(schema: T) =>
  Object.fromEntries(Object.keys(EFFECTS).map((effect) => [effect, schema])) as Record<PreviewEffect, T>

const Known = Type.Union([Text, Null])

const Example = Type.Object({
  product_id: Id,
  ...ProductName,
  store: Type.String({ description: 'Slug.' }),
  customer_group: Type.Union([Type.Object({ id: Id, name: Text }), Null], {
    description: 'Customer group of the price; null if the example is not about a price.',
  }),
  currency: Known,
  old_price: Type.Union([Text, Null], { description: 'Price now, as an exact decimal; null if there is none.' }),
  new_price: Type.Union([Text, Null], {
    description: 'Price after the change, as an exact decimal; null if there is none.',
  }),
  old_price_without_tax: Type.Union([Text, Null], {
    description:
      'Price now without tax, rounded to the minor digits of its currency; null if the price does not include tax.',
  }),
  new_price_without_tax: Type.Union([Text, Null], {
    description:
      'Price after the change without tax, rounded to the minor digits of its currency; null if the price does not include tax.',
  }),
  old_compare_at_price: Type.Union([Text, Null], { description: 'compare_at_price now; null if there is none.' }),
  new_compare_at_price: Type.Union([Text, Null], {
    description: 'compare_at_price after the change; null if there is none.',
  }),
  wanted_price: Type.Union([Text, Null], {
    description: 'Price that the rules make, if the price would be held; otherwise null.',
  }),
  old_reason: Type.Union([Text, Null], { description: 'Why the product is excluded now; null if it is not.' }),
  new_reason: Type.Union([Text, Null], {
    description: 'Why the product would be excluded after the change; null if it would not.',
  }),
})
export type PreviewExample = Static<typeof Example>

const Preview = Type.Object({
  products: Type.Integer({ description: 'Number of products that were checked.' }),
  is_everything: Type.Boolean({ description: 'Whether all products were checked.' }),
  spread: Type.Object(
    { products: Type.Integer(), changed: Type.Integer() },
    {
      description:
        'Checked products that are spread evenly over the catalog, and how many of them change: their share holds roughly for all products.',
    },
  ),
  changed: Reach,
  prices_up: Type.Integer({ description: 'Number of prices that rise, counted for each store and customer group.' }),
  prices_down: Type.Integer(),
  effects: Type.Object(perEffect(Reach)),
  stores: Type.Array(
    Type.Object({
      store: Type.String({ description: 'Slug.' }),
      changed: Type.Integer({ description: 'Number of products that change.' }),
      effects: Type.Object(perEffect(Type.Integer())),
    }),
    { description: 'Stores in which something changes.' },
  ),
  largest_up: Type.Array(Example, {
    description:
      'Largest price increases: at most ten, one per product, the largest first, compared in the account’s currency.',
  }),
  largest_down: Type.Array(Example),
  examples: Type.Object(
    perEffect(Type.Array(Example, { description: 'Examples of this effect, at most ten products.' })),
  ),
})
export type Preview = Static<typeof Preview>

const PreviewOperation = Type.Object({
  operation_id: Id,
  state: OneOf(['queued', 'running', 'succeeded', 'failed', 'canceled'] as const, {}),
  products: Type.Integer({ description: 'Number of products when the preview began.' }),
  done: Type.Integer(),
  message: Type.Union([Text, Null], { description: 'Why the preview failed; null if it did not.' }),
  created_at: TimeOrNull('When the preview was requested.'),
  ended_at: TimeOrNull('When the preview ended; null if it has not.'),
  is_current: Type.Boolean({
    description:
      'Whether no setting of the account was changed since the preview began; otherwise the result may be outdated.',
  }),
  change: Type.Union([RuleChange, Null], {
    description: 'Change as it was sent; null if the preview was canceled or failed.',
  }),
  preview: Type.Union([Preview, Null], {
    description: 'Result so far; null if the preview was canceled or failed.',
  }),
})
export type PreviewOperation = Static<typeof PreviewOperation>

export const PREVIEW_RULES = panelRoute({
  id: 'previewRules',
  method: 'post',
  path: `${accountPath}/previews`,
  panelAccess: 'member',
  summary: 'Preview a change of rules on a sample of products; nothing is written',
  params: account,
  body: { noun: 'preview', schema: RuleChange, bytesMax: 1_048_576 },
  status: 200,
  answer: Data(Preview),
  problems: ['unknown-reference', 'conflict'],
})

export const START_PREVIEW = panelRoute({
  id: 'startPreview',
  method: 'post',
  path: `${accountPath}/preview-operations`,
  panelAccess: 'member',
  summary: 'Preview a change of rules on all products, as an operation, which can be canceled like others',
  params: account,
  body: { noun: 'preview', schema: RuleChange, bytesMax: 1_048_576 },
  status: 202,
  answer: Data(Type.Object({ operation_id: Id })),
  problems: ['unknown-reference', 'conflict'],
})

export const LIST_PREVIEWS = panelRoute({
  id: 'listPreviews',
  method: 'get',
  path: `${accountPath}/preview-operations`,
  panelAccess: 'member',
  summary: 'List the last previews on all products, newest first, without their results',
  params: account,
  status: 200,
  answer: List(PreviewOperation),
})

export const GET_PREVIEW = panelRoute({
  id: 'getPreview',
  method: 'get',
  path: `${accountPath}/preview-operations/{operation_id}`,
  panelAccess: 'member',
  summary: 'Read a preview on all products, with its result so far',
  params: { ...account, operation_id: PathId('Operation ID.') },
  status: 200,
  answer: Data(PreviewOperation),
  problems: ['unknown-reference'],
})

export const ORDER_RULES = panelRoute({
  id: 'orderRules',
  method: 'post',
  path: `${accountPath}/rule-orders`,
  panelAccess: 'member',
  summary: 'Set the order of all rules of a kind, in one write',
  params: account,
  body: {
    noun: 'order',
    schema: Type.Object({ resource: Resource, order: Order }, { additionalProperties: false }),
    bytesMax: 1_048_576,
  },
  status: 200,
  answer: Data(
    Type.Object({
      operation_id: Type.Union([Id, Null], {
        description:
          'ID of the operation that shows the progress of updating products; null if that finished with the answer.',
      }),
    }),
  ),
  problems: ['conflict'],
})

export const GET_RULE_REACH = panelRoute({
  id: 'getRuleReach',
  method: 'get',
  path: `${accountPath}/rule-reach`,
  panelAccess: 'member',
  summary: 'Count the products of a sample that each rule affects',
  params: account,
  status: 200,
  answer: Data(
    Type.Object({
      products: Type.Integer({ description: 'Number of products that were checked, spread evenly over the catalog.' }),
      is_everything: Type.Boolean(),
      rules: Type.Object(
        Object.fromEntries(
          PREVIEWED_RESOURCES.map((name) => [name, Type.Array(Type.Object({ id: Id, products: Type.Integer() }))]),
        ) as Record<
          (typeof PREVIEWED_RESOURCES)[number],
          Type.TArray<Type.TObject<{ id: Type.TInteger; products: Type.TInteger }>>
        >,
        {
          description:
            'Rules that affect at least one product: a pricing rule makes a price, other rules decide about a product.',
        },
      ),
    }),
  ),
})

export const PREVIEW_ROUTES = [
  PREVIEW_RULES,
  START_PREVIEW,
  LIST_PREVIEWS,
  GET_PREVIEW,
  ORDER_RULES,
  GET_RULE_REACH,
] as const
