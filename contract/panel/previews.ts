import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { Id, must, Null, Text } from '../values.ts'
import { ProductName } from './product-names.ts'
import { Data, List, panelRoute, TimeOrNull } from './route.ts'

// What a change of rules would do, before it is saved: over a sample at once, and over everything as an operation.

const account = { account_id: PathId('The account.') }
const accountPath = '/panel/api/accounts/{account_id}'

/** Resources whose changes can be previewed. */
export const PREVIEWED_RESOURCES = ['pricing-rules', 'exclusion-rules', 'assortment-rules'] as const
const ACTIONS = ['create', 'edit', 'delete', 'reorder'] as const

const Resource = OneOf(PREVIEWED_RESOURCES, must(`must be one of ${PREVIEWED_RESOURCES.join(', ')}`))
const Order = Type.Array(Id, {
  description:
    'Every rule in the order in which they are to be tried; without the default pricing rule, which is last.',
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
          'Of create and edit: the body that POST and PATCH below /v1/account take. Its faults have the same names.',
      }),
    ),
    order: Type.Optional(Order),
  },
  { additionalProperties: false },
)
export type RuleChangeBody = Static<typeof RuleChange>

const Reach = Type.Object({
  products: Type.Integer({ description: 'Products, each once.' }),
  payloads: Type.Integer({ description: 'Products in a store: one in three stores counts three times.' }),
})

const EFFECTS = {
  repriced: 'A price has another amount.',
  priced: 'It gets its first price.',
  unpriced: 'It has no price any more.',
  held: 'A price jumps further than the account allows, and would be held until somebody confirms it.',
  excluded: 'It is not for sale any more.',
  included: 'It is exported again.',
  reasoned: 'It is excluded for another reason.',
  listed: 'The store begins to list it.',
  unlisted: 'The store does not list it any more: connectors remove it.',
  tiered: 'A price of the same amount has other prices by quantity.',
  compared: 'A price of the same amount is shown beside another compare_at_price, or beside none.',
  ruled: 'Another rule makes the same price.',
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
    description: 'Whose price it is; null: it is not about a price.',
  }),
  currency: Known,
  old_price: Type.Union([Text, Null], { description: 'Exact decimal.' }),
  new_price: Type.Union([Text, Null], { description: 'Exact decimal.' }),
  old_price_without_tax: Type.Union([Text, Null], {
    description:
      'Of a price that is shown with tax: without it, to the minor digits of its currency; null: it has none in it.',
  }),
  new_price_without_tax: Type.Union([Text, Null], { description: 'The same.' }),
  old_compare_at_price: Type.Union([Text, Null], { description: 'What the price is shown beside; null: nothing.' }),
  new_compare_at_price: Type.Union([Text, Null], { description: 'The same.' }),
  wanted_price: Type.Union([Text, Null], { description: 'Of a price that would be held: what the rules make.' }),
  old_reason: Type.Union([Text, Null], { description: 'Why it is excluded now.' }),
  new_reason: Type.Union([Text, Null], { description: 'Why it would be.' }),
})
export type PreviewExample = Static<typeof Example>

const Preview = Type.Object({
  products: Type.Integer({ description: 'Products that were looked at.' }),
  is_everything: Type.Boolean({ description: 'Whether these are all.' }),
  spread: Type.Object(
    { products: Type.Integer(), changed: Type.Integer() },
    {
      description:
        'Of those looked at, the ones that are spread evenly over the catalog, and how many of them change: what holds for them holds roughly for all.',
    },
  ),
  changed: Reach,
  prices_up: Type.Integer({ description: 'Prices that rise: one for each store and customer group.' }),
  prices_down: Type.Integer(),
  effects: Type.Object(perEffect(Reach)),
  stores: Type.Array(
    Type.Object({
      store: Type.String({ description: 'Slug.' }),
      changed: Type.Integer({ description: 'Products.' }),
      effects: Type.Object(perEffect(Type.Integer())),
    }),
    { description: 'Stores in which something changes.' },
  ),
  largest_up: Type.Array(Example, {
    description: 'At most ten, one for each product, the largest first, compared in the account’s currency.',
  }),
  largest_down: Type.Array(Example),
  examples: Type.Object(perEffect(Type.Array(Example, { description: 'At most ten products.' }))),
})
export type Preview = Static<typeof Preview>

const PreviewOperation = Type.Object({
  operation_id: Id,
  state: OneOf(['queued', 'running', 'succeeded', 'failed', 'canceled'] as const, {}),
  products: Type.Integer({ description: 'How many there were when it began.' }),
  done: Type.Integer(),
  message: Type.Union([Text, Null], { description: 'Why it failed.' }),
  created_at: TimeOrNull('When it was asked for.'),
  ended_at: TimeOrNull('null: not yet.'),
  is_current: Type.Boolean({
    description:
      'Whether no setting of the account was written since it began; otherwise what it says may not hold any more.',
  }),
  change: Type.Union([RuleChange, Null], { description: 'As it was sent; null where it was cancelled or failed.' }),
  preview: Type.Union([Preview, Null], {
    description: 'What it has found so far; null where it was cancelled or failed.',
  }),
})
export type PreviewOperation = Static<typeof PreviewOperation>

export const PREVIEW_RULES = panelRoute({
  id: 'previewRules',
  method: 'post',
  path: `${accountPath}/previews`,
  panelAccess: 'member',
  summary: 'What a change of rules would do to a sample of products; nothing is written',
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
  summary: 'The same over every product, as an operation; it is cancelled like any other',
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
  summary: 'The last previews over everything, newest first, without what they found',
  params: account,
  status: 200,
  answer: List(PreviewOperation),
})

export const GET_PREVIEW = panelRoute({
  id: 'getPreview',
  method: 'get',
  path: `${accountPath}/preview-operations/{operation_id}`,
  panelAccess: 'member',
  summary: 'A preview over everything, with what it has found so far',
  params: { ...account, operation_id: PathId('The operation.') },
  status: 200,
  answer: Data(PreviewOperation),
  problems: ['unknown-reference'],
})

export const ORDER_RULES = panelRoute({
  id: 'orderRules',
  method: 'post',
  path: `${accountPath}/rule-orders`,
  panelAccess: 'member',
  summary: 'Puts all rules of a kind into an order, in one write',
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
        description: 'Follows the payloads, where these take longer than the answer.',
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
  summary: 'How many products of a sample each rule has a say in',
  params: account,
  status: 200,
  answer: Data(
    Type.Object({
      products: Type.Integer({ description: 'Products that were looked at, spread evenly over the catalog.' }),
      is_everything: Type.Boolean(),
      rules: Type.Object(
        Object.fromEntries(
          PREVIEWED_RESOURCES.map((name) => [name, Type.Array(Type.Object({ id: Id, products: Type.Integer() }))]),
        ) as Record<
          (typeof PREVIEWED_RESOURCES)[number],
          Type.TArray<Type.TObject<{ id: Type.TInteger; products: Type.TInteger }>>
        >,
        { description: 'Rules that have a say in at least one: pricing rules make a price, others decide.' },
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
