import Type, { type Static } from 'typebox'
import { NOTICE_KINDS, NOTICE_SEVERITIES } from '../notice-kinds.ts'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId } from '../parameters.ts'
import { Flag, Id, Null, Text } from '../values.ts'
import { EndpointHealth } from './endpoints.ts'
import { Data, List, Page, panelRoute, Time, TimeOrNull } from './route.ts'

// The first page: the health of the account, and the next step of a new one.

const account = { account_id: PathId('Account ID.') }

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
  endpoint_id: Type.Union([Id, Null], {
    description:
      'ID of the endpoint that the notice is about; null if it is about pictures, a source, or exchange rates.',
  }),
  endpoint_url: Type.Union([Text, Null]),
  kind: OneOf(NOTICE_KINDS, {}),
  severity: OneOf(NOTICE_SEVERITIES, {}),
  created_at: Time('When the notice was written.'),
  failures: Type.Union([Type.Integer(), Null], {
    description: 'Number of consecutive failures at that time; null for kinds that do not count them.',
  }),
  mail: OneOf(['waiting', 'sent', 'kept'], {
    description: 'State of the e-mail. kept: not sent, for the reason in mail_error.',
  }),
  mail_error: Type.Union([Text, Null]),
})
export type Notice = Static<typeof Notice>

/** Counts of a store's products, and the latest reports of its mirrors. */
export const StoreFigures = Type.Object({
  id: Id,
  slug: Text,
  name: Text,
  is_active: Flag,
  products: Type.Integer({ description: 'Number of listed products, including excluded ones.' }),
  excluded: Type.Integer(),
  excluded_by_reason: Type.Array(Type.Object({ reason: Text, products: Type.Integer() }), {
    description: 'Number of excluded products by reason, largest first.',
  }),
  mirrors: Type.Array(
    Type.Object({
      name: Text,
      differing: Type.Integer({
        description: 'Number of products that differed; 0: the mirror was equal to the store.',
      }),
      as_of: Time('Time for which the result is valid.'),
      differs_since: TimeOrNull('When the mirror was first reported to differ; null if it was equal.'),
      told_at: Time('When the mirror sent the report.'),
    }),
    { description: 'Latest reports of the store’s mirrors (POST /v1/digest/checks), by name.' },
  ),
})

export const Overview = Type.Object({
  feed: Type.Object({
    last_change_number: Type.Integer(),
    last_change_at: TimeOrNull('When the newest change was made; null if there is none.'),
    waiting_products: Type.Integer({
      description: 'Number of products whose inputs changed and that are still to be computed.',
    }),
    is_capped: Type.Boolean({ description: 'Whether there are more waiting products than counted.' }),
    waiting_sweeps: Type.Integer({
      description: 'Number of changes of settings whose effect on all products is still being computed.',
    }),
    waiting_since: TimeOrNull('When the oldest waiting change was made; null if nothing waits.'),
  }),
  endpoints: Type.Array(Type.Object({ id: Id, url: Text, health: EndpointHealth }), {
    description: 'All endpoints, those that need attention first: paused, failing, healthy, disabled.',
  }),
  imports: Type.Object(
    {
      running: Type.Array(
        Type.Object({
          supplier: Type.String({ description: 'Code of the supplier.' }),
          name: Text,
          run_id: Id,
          written: Type.Integer({ description: 'Number of offers written so far.' }),
          total: Type.Union([Type.Integer(), Null], {
            description: 'Number of offers to write; null while the file is still being read.',
          }),
        }),
        { description: 'Running imports; the first 20.' },
      ),
      held: Type.Array(
        Type.Object({
          supplier: Type.String({ description: 'Code of the supplier.' }),
          name: Text,
          run_id: Id,
          held_at: Time('When the supplier’s newest import was held back.'),
        }),
        { description: 'Suppliers whose newest import exceeds a threshold and waits for confirmation; the first 20.' },
      ),
      failing: Type.Array(
        Type.Object({
          supplier: Type.String({ description: 'Code of the supplier.' }),
          name: Text,
          source: Text,
          since: Time('Since when the source has imported nothing.'),
          failure: Type.Union([Text, Null], { description: 'Why the last run imported nothing.' }),
        }),
        { description: 'Sources whose files cannot be imported; the first 20.' },
      ),
    },
    { description: 'Running imports, and imports that need attention.' },
  ),
  products: Type.Integer({ description: 'Number of products of the account, whether or not a store lists them.' }),
  stores: Type.Array(StoreFigures),
  counted_at: Time('When the products here and in `stores` were counted: up to half a minute ago.'),
  notices: Type.Array(Notice, { description: 'The newest 5 notices.' }),
  checklist: Type.Object({
    is_done: Type.Boolean({
      description: 'Whether all steps are done, not counting `prices`: an account may keep its default rule.',
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
  summary: 'Read the health of the account',
  params: account,
  status: 200,
  answer: Data(Overview),
})

export const Hour = Type.Object({
  from: Time('Start of the hour.'),
  changes: Type.Union([Type.Integer(), Null], {
    description: 'Number of changes of products in stores; null if they were not counted in this hour.',
  }),
  delivered: Type.Integer({
    description: 'Number of delivery attempts answered with 2xx, as far as the delivery log reaches back.',
  }),
  failed: Type.Integer({ description: 'Number of failed delivery attempts.' }),
})
export type Hour = Static<typeof Hour>

export const LIST_HOURS = panelRoute({
  id: 'listHours',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/hours',
  panelAccess: 'member',
  summary: 'List changes and deliveries by hour, oldest first; the last entry is the current hour',
  params: account,
  query: { hours: Clamped(1, 336, 24, 'How many hours') },
  status: 200,
  answer: List(Hour),
})

const Times = (description: string) => Type.Integer({ minimum: 0, description })

/** Changes in stores in the last 24 hours. */
export const Moved = Type.Object({
  since: Time('Start of the period: 24 hours before the count.'),
  stores: Type.Array(
    Type.Object({
      slug: Text,
      name: Text,
      up: Times('Number of products whose price for the default customer group rose.'),
      down: Times('Number of products whose price for the default customer group fell.'),
      appeared: Times('Number of products that the store lists now but did not list then.'),
      gone: Times('Number of products that the store listed then but does not list now.'),
      is_capped: Type.Boolean({
        description: 'Whether more products changed than were checked: the store’s newest 5,000 changes.',
      }),
    }),
    { description: 'The first 10 active stores.' },
  ),
  active_stores: Type.Integer({
    description: 'Number of all active stores; only the first 10 are counted.',
  }),
  prices: Type.Array(
    Type.Object({
      product_id: Id,
      store: Type.String({ description: 'Slug of the store.' }),
      currency: Text,
      before: Type.String({ description: 'Price before, as an exact decimal.' }),
      now: Type.String({ description: 'Price now, as an exact decimal.' }),
    }),
    { description: 'The prices with the largest relative changes; at most 5.' },
  ),
})

export const GET_MOVED = panelRoute({
  id: 'getMoved',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/moved',
  panelAccess: 'member',
  summary: 'Read what changed in stores in the last 24 hours',
  params: account,
  status: 200,
  answer: Data(Moved),
})

export const Glance = Type.Object({
  counted_at: Time('When the figures were counted: up to five minutes ago.'),
  out_of_stock: Times('Number of products without stock, as in product lists with `stock=out`.'),
  stores: Type.Array(
    Type.Object({
      slug: Text,
      name: Text,
      margin: Type.Union([Type.Number(), Null], {
        description:
          'Median margin: the share of the default customer group’s price without tax that is left after the cost; 0.2 is 20 %. null if no exported product has a price and a cost.',
      }),
      is_sample: Type.Boolean({
        description: 'Whether the margin is of a sample of 2,000 products, spread over the store’s products.',
      }),
    }),
    { description: 'The first 10 active stores.' },
  ),
})

export const GET_GLANCE = panelRoute({
  id: 'getGlance',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/glance',
  panelAccess: 'member',
  summary: 'Read the number of products out of stock, and the margins of stores',
  params: account,
  status: 200,
  answer: Data(Glance),
})

export const LIST_NOTICES = panelRoute({
  id: 'listNotices',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/notices',
  panelAccess: 'member',
  summary: 'List notices to owners, newest first',
  params: account,
  query: {
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'meta.next_before of the previous page; the first page if left out.' }),
    ),
    per_page: Clamped(1, 200, 50, 'Page size'),
  },
  status: 200,
  answer: Page(Notice),
})

export const OVERVIEW_ROUTES = [GET_OVERVIEW, LIST_HOURS, GET_MOVED, GET_GLANCE, LIST_NOTICES] as const
