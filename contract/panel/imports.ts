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
  time_zone: Type.String({ description: 'In which the times of cron are.' }),
  moments: Type.Array(Moment, { description: 'The next ones, the first one first; empty: it has a fault, or none.' }),
  faults: Type.Array(Type.Object({ name: Text, reason: Text }), { description: 'What is wrong, by field.' }),
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
  summary: 'When a source with this schedule would be fetched',
  params: account,
  query: {
    cron: typed('Empty: every_minutes counts.'),
    time_zone: typed('Empty: the account’s.'),
    every_minutes: typed('As it was typed.'),
    count: Clamped(1, 20, 4, 'How many moments'),
  },
  status: 200,
  answer: Data(ScheduleMoments),
})

const obstacle = <const T extends readonly string[]>(kinds: T) =>
  Type.Union(
    [
      Type.Object({
        kind: OneOf(kinds, {}),
        run_id: Type.Union([Id, Null], { description: 'Another run that is the reason.' }),
      }),
      Null,
    ],
    { description: 'Why it cannot be done; null: it can.' },
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
  summary: 'What can be done with an import run now',
  params: one,
  status: 200,
  answer: Data(RunChoices),
  problems: ['unknown-reference'],
})

const Known = Type.Union([Text, Null])
const OfferFigures = Type.Object({ cost: Known, currency: Text, quantity: Type.Integer() })

/** An offer that a run changed: before the run, and now. */
export const RunChange = Type.Object({
  sku: Type.String({ description: 'The supplier’s key of the article.' }),
  kind: OneOf(['created', 'changed', 'zeroed', 'left'], {}),
  before: Type.Union([OfferFigures, Null], { description: 'null: there was none, or it was left.' }),
  now: Type.Union([OfferFigures, Null], { description: 'As it is today, whoever changed it since; null: it is gone.' }),
  product_id: Type.Union([Id, Null]),
  fields: Type.Array(Type.Object({ name: Text, before: Known, now: Known }), {
    description: 'What else the run changed, such as texts and pictures, and differs now from what it was.',
  }),
})
export type RunChange = Static<typeof RunChange>

export const LIST_RUN_CHANGES = panelRoute({
  id: 'listRunChanges',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/runs/{run_id}/changes',
  panelAccess: 'member',
  summary: 'Offers that an import run changed, before it and now, by the supplier’s key; none of a dry run',
  params: one,
  query: {
    after: typed('meta.next_after of the page before; empty: the first page.', 2_000),
    per_page: Clamped(1, 200, 50, 'Page size'),
  },
  status: 200,
  answer: Type.Object({
    data: Type.Array(RunChange),
    meta: Type.Object({
      per_page: Type.Integer(),
      next_after: Type.Union([Text, Null], { description: 'What to send as after; null at the end.' }),
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
