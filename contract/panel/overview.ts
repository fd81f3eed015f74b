import Type, { type Static } from 'typebox'
import { NOTICE_KINDS, NOTICE_SEVERITIES } from '../notice-kinds.ts'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId } from '../parameters.ts'
import { Flag, Id, Null, Text } from '../values.ts'
import { EndpointHealth } from './endpoints.ts'
import { Data, List, Page, panelRoute, Time, TimeOrNull } from './route.ts'

// The first page: the health of the account, and the next step of a new one.

const account = { account_id: PathId('The account.') }

/**
 * The steps of a new account up to its first delivered webhook, in this order. `rates` is left out if no rate is needed.
 */
export const CHECKLIST_STEPS = [
  'supplier',
  'rates',
  'products',
  'prices',
  'token',
  'read',
  'endpoint',
  'delivered',
] as const

/** A notice about an endpoint, pictures, a source of supplier files, or exchange rates. */
export const Notice = Type.Object({
  id: Id,
  endpoint_id: Type.Union([Id, Null], { description: 'null: it is about pictures, a source, or exchange rates.' }),
  endpoint_url: Type.Union([Text, Null]),
  kind: OneOf(NOTICE_KINDS, {}),
  severity: OneOf(NOTICE_SEVERITIES, {}),
  created_at: Time('When.'),
  failures: Type.Union([Type.Integer(), Null], { description: 'Failures in a row then, where it counts.' }),
  mail: OneOf(['waiting', 'sent', 'kept'], { description: 'kept: it was not mailed, for the reason in mail_error.' }),
  mail_error: Type.Union([Text, Null]),
})
export type Notice = Static<typeof Notice>

/** Counts of a store's products, and the latest reports of its mirrors. */
export const StoreFigures = Type.Object({
  id: Id,
  slug: Text,
  name: Text,
  is_active: Flag,
  products: Type.Integer({ description: 'Listed products, excluded ones included.' }),
  excluded: Type.Integer(),
  excluded_by_reason: Type.Array(Type.Object({ reason: Text, products: Type.Integer() }), {
    description: 'Most products first.',
  }),
  mirrors: Type.Array(
    Type.Object({
      name: Text,
      differing: Type.Integer({ description: 'How many products differed; 0: it was equal.' }),
      as_of: Time('The moment of which this is true.'),
      differs_since: TimeOrNull('When it was first told to differ; null: it was equal.'),
      told_at: Time('When it was told.'),
    }),
    { description: 'What mirrors of the store have told of themselves (POST /v1/digest/checks), by name.' },
  ),
})

export const Overview = Type.Object({
  feed: Type.Object({
    last_change_number: Type.Integer(),
    last_change_at: TimeOrNull('When the newest change was made; null: there is none yet.'),
    waiting_products: Type.Integer({ description: 'Products whose inputs changed and that are still to be computed.' }),
    is_capped: Type.Boolean({ description: 'Whether there are more than that.' }),
    waiting_sweeps: Type.Integer({
      description: 'Changes of settings whose effect on all products is still being computed, in parts.',
    }),
    waiting_since: TimeOrNull('When the oldest of them was made.'),
  }),
  endpoints: Type.Array(Type.Object({ id: Id, url: Text, health: EndpointHealth }), {
    description: 'All endpoints, those that need a person first: paused, failing, healthy, disabled.',
  }),
  imports: Type.Object(
    {
      running: Type.Array(
        Type.Object({
          supplier: Type.String({ description: 'Its code.' }),
          name: Text,
          run_id: Id,
          written: Type.Integer({ description: 'Offers that are written.' }),
          total: Type.Union([Type.Integer(), Null], {
            description: 'Offers to write; null: the file is still being read.',
          }),
        }),
        { description: 'Imports that are going on; the first 20.' },
      ),
      held: Type.Array(
        Type.Object({
          supplier: Type.String({ description: 'Its code.' }),
          name: Text,
          run_id: Id,
          held_at: Time('When its newest import was held back.'),
        }),
        { description: 'Suppliers whose newest import exceeds a threshold and waits to be confirmed; the first 20.' },
      ),
      failing: Type.Array(
        Type.Object({
          supplier: Type.String({ description: 'Its code.' }),
          name: Text,
          source: Text,
          since: Time('Since when it has imported nothing.'),
          failure: Type.Union([Text, Null], { description: 'Why the last run imported nothing.' }),
        }),
        { description: 'Sources that do not bring their files; the first 20.' },
      ),
    },
    { description: 'Imports that are going on, and those that need a person.' },
  ),
  products: Type.Integer({ description: 'Products of the account, whether a store lists them or not.' }),
  stores: Type.Array(StoreFigures),
  counted_at: Time('When `products` and those of `stores` were counted: up to half a minute ago.'),
  notices: Type.Array(Notice, { description: 'The newest 5.' }),
  checklist: Type.Object({
    is_done: Type.Boolean({
      description: 'Whether nothing but `prices` is left: an account may keep its default rule.',
    }),
    steps: Type.Array(Type.Object({ step: OneOf(CHECKLIST_STEPS, {}), is_done: Flag })),
  }),
})
export type Overview = Static<typeof Overview>

export const GET_OVERVIEW = panelRoute({
  id: 'getOverview',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/overview',
  panelAccess: 'member',
  summary: 'Whether everything is all right',
  params: account,
  status: 200,
  answer: Data(Overview),
})

export const Hour = Type.Object({
  from: Time('Its beginning.'),
  changes: Type.Union([Type.Integer(), Null], {
    description: 'Changes of products in stores; null: it was not counted then.',
  }),
  delivered: Type.Integer({ description: 'Attempts that were answered with 2xx, as far as the delivery log reaches.' }),
  failed: Type.Integer({ description: 'Attempts that failed.' }),
})
export type Hour = Static<typeof Hour>

export const LIST_HOURS = panelRoute({
  id: 'listHours',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/hours',
  panelAccess: 'member',
  summary: 'Changes and deliveries hour by hour, oldest first; the last hour is the present one',
  params: account,
  query: { hours: Clamped(1, 336, 24, 'How many hours') },
  status: 200,
  answer: List(Hour),
})

const Times = (description: string) => Type.Integer({ minimum: 0, description })

/** Changes in stores in the last 24 hours. */
export const Moved = Type.Object({
  since: Time('24 hours before it was counted.'),
  stores: Type.Array(
    Type.Object({
      slug: Text,
      name: Text,
      up: Times('Products whose price for the default customer group rose.'),
      down: Times('Products whose price fell.'),
      appeared: Times('Products that the store lists and did not list then.'),
      gone: Times('Products that it listed then and does not list now.'),
      is_capped: Type.Boolean({
        description: 'Whether more products changed than were looked at, the newest 5,000 of the store.',
      }),
    }),
    { description: 'Active stores, the first 10.' },
  ),
  active_stores: Type.Integer({
    description: 'Active stores in all; of more than 10, nothing is counted in the others.',
  }),
  prices: Type.Array(
    Type.Object({
      product_id: Id,
      store: Type.String({ description: 'Its slug.' }),
      currency: Text,
      before: Type.String({ description: 'Exact decimal text.' }),
      now: Type.String({ description: 'Exact decimal text.' }),
    }),
    { description: 'The prices that changed most, by their share; 5 at most.' },
  ),
})

export const GET_MOVED = panelRoute({
  id: 'getMoved',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/moved',
  panelAccess: 'member',
  summary: 'What changed in stores since yesterday',
  params: account,
  status: 200,
  answer: Data(Moved),
})

export const Glance = Type.Object({
  counted_at: Time('When: up to five minutes ago.'),
  out_of_stock: Times('Products of which there is no piece, as lists of products are filtered by `stock=out`.'),
  stores: Type.Array(
    Type.Object({
      slug: Text,
      name: Text,
      margin: Type.Union([Type.Number(), Null], {
        description:
          'Median share of the price that is left: of the default customer group’s price without tax, over its cost. 0.2 is a fifth. null: no exported product has both.',
      }),
      is_sample: Type.Boolean({
        description: 'Whether 2,000 products were looked at, spread over the store’s, and not all.',
      }),
    }),
    { description: 'Active stores, the first 10.' },
  ),
})

export const GET_GLANCE = panelRoute({
  id: 'getGlance',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/glance',
  panelAccess: 'member',
  summary: 'What is out of stock, and what stores earn',
  params: account,
  status: 200,
  answer: Data(Glance),
})

export const LIST_NOTICES = panelRoute({
  id: 'listNotices',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/notices',
  panelAccess: 'member',
  summary: 'Notices to owners, newest first',
  params: account,
  query: {
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'meta.next_before of the page before.' })),
    per_page: Clamped(1, 200, 50, 'Page size'),
  },
  status: 200,
  answer: Page(Notice),
})

export const OVERVIEW_ROUTES = [GET_OVERVIEW, LIST_HOURS, GET_MOVED, GET_GLANCE, LIST_NOTICES] as const
