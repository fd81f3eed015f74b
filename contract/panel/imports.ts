import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId } from '../parameters.ts'
import { Id, Null, Text } from '../values.ts'
import { GET_IMPORT_FILE, GET_IMPORT_REFUSALS } from '../routes/imports.ts'
import { Data, linkedDownload, panelRoute } from './route.ts'

// Additions to /v1/account for the pages of suppliers: sources and runs.

const account = { account_id: PathId('The account.') }
const one = { ...account, run_id: PathId('The run.') }
const Moment = Type.String({ format: 'date-time' })

/** The next moments of a schedule. */
export const ScheduleMoments = Type.Object({
  time_zone: Type.String({ description: 'Time zone (IANA) of the schedule.' }),
  moments: Type.Array(Moment, {
    description:
      'Next times at which the source is fetched, in ascending order; empty: the schedule has a fault, or there is no next time.',
  }),
  faults: Type.Array(Type.Object({ name: Text, reason: Text }), { description: 'Faults of the schedule, by field.' }),
})
export type ScheduleMoments = Static<typeof ScheduleMoments>

const typed = (description: string, maxLength = 200) =>
  Type.String({
    default: '',
    maxLength,
    pattern: '^[^\\u0000]*$',
    description,
    'x-must': `must have at most ${maxLength} characters, none of them NUL`,
  })

export const GET_SCHEDULE = panelRoute({
  id: 'getSchedule',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/schedule',
  panelAccess: 'member',
  summary: 'Preview when a source with this schedule would be fetched',
  params: account,
  query: {
    cron: typed('Cron expression, as typed; empty: every_minutes is used.'),
    time_zone: typed('Time zone (IANA) of cron, as typed; empty: the account’s time zone.'),
    every_minutes: typed('Minutes between two fetches, as typed.'),
    count: Clamped(1, 20, 4, 'Number of times to return'),
  },
  status: 200,
  answer: Data(ScheduleMoments),
})

const obstacle = <const T extends readonly string[]>(kinds: T) =>
  Type.Union(
    [
      Type.Object({
        kind: OneOf(kinds, {}),
        run_id: Type.Union([Id, Null], { description: 'ID of another run that is the reason; null: none.' }),
      }),
      Null,
    ],
    { description: 'Why the action is not possible; null: it is possible.' },
  )

/** What can be done with a run now; for what cannot, why not. */
export const RunChoices = Type.Object({
  confirm: obstacle(['not_held', 'dry_run', 'file_gone', 'newer']),
  undo: obstacle(['undone', 'undo', 'delta', 'nothing_written', 'open', 'newer', 'changes_gone']),
  is_refusals_kept: Type.Boolean({ description: 'Whether every refused row can be downloaded.' }),
})
export type RunChoices = Static<typeof RunChoices>

export const GET_RUN_CHOICES = panelRoute({
  id: 'getRunChoices',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/runs/{run_id}/choices',
  panelAccess: 'member',
  summary: 'Read which actions an import run allows now',
  params: one,
  status: 200,
  answer: Data(RunChoices),
  problems: ['unknown-reference'],
})

const Known = Type.Union([Text, Null])
const OfferFigures = Type.Object({ cost: Known, currency: Text, quantity: Type.Integer() })

/** An offer that a run changed: before the run, and now. */
export const RunChange = Type.Object({
  sku: Type.String({ description: 'Key of the article at the supplier.' }),
  kind: OneOf(['created', 'changed', 'zeroed', 'left'], {}),
  before: Type.Union([OfferFigures, Null], {
    description: 'Cost and quantity before the run; null: there was no offer, or the run left it unchanged.',
  }),
  now: Type.Union([OfferFigures, Null], {
    description: 'Cost and quantity today, including later changes by others; null: the offer was deleted.',
  }),
  product_id: Type.Union([Id, Null]),
  fields: Type.Array(Type.Object({ name: Text, before: Known, now: Known }), {
    description:
      'Other values that the run changed, such as texts and pictures, if they still differ from the values before the run.',
  }),
})
export type RunChange = Static<typeof RunChange>

export const LIST_RUN_CHANGES = panelRoute({
  id: 'listRunChanges',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/runs/{run_id}/changes',
  panelAccess: 'member',
  summary:
    'List the offers that an import run changed, with their values before the run and now, by key; empty for a dry run',
  params: one,
  query: {
    after: typed('Value of meta.next_after of the previous page; empty: the first page.', 2_000),
    per_page: Clamped(1, 200, 50, 'Page size'),
  },
  status: 200,
  answer: Type.Object({
    data: Type.Array(RunChange),
    meta: Type.Object({
      per_page: Type.Integer(),
      next_after: Type.Union([Text, Null], {
        description: 'Value of `after` for the next page; null on the last page.',
      }),
    }),
  }),
  problems: ['unknown-reference'],
})

export const DOWNLOAD_RUN_FILE = linkedDownload('downloadRunFile', GET_IMPORT_FILE)
export const DOWNLOAD_RUN_REFUSALS = linkedDownload('downloadRunRefusals', GET_IMPORT_REFUSALS)

export const PANEL_IMPORT_ROUTES = [
  GET_SCHEDULE,
  GET_RUN_CHOICES,
  LIST_RUN_CHANGES,
  DOWNLOAD_RUN_FILE,
  DOWNLOAD_RUN_REFUSALS,
] as const
