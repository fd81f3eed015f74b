import Type from 'typebox'
import { PANEL_PATH } from '../panel/route.ts'
import { PathKey } from '../parameters.ts'
import { PROBLEMS_PATH } from '../problems.ts'
import { operatorRoute, READ_REQUEST_HEADERS, type Route } from '../route.ts'

// Outside /v1 and without a token.

const JSON_TYPE = 'application/json'
const readiness = {
  [JSON_TYPE]: Type.Object({
    status: Type.String({ description: 'Status of the process: ready or unready.' }),
    unready: Type.Array(Type.String(), { description: 'Names of what is not ready; empty if everything is ready.' }),
    warnings: Type.Array(Type.String(), {
      description:
        'Problems that an operator should look at, but that do not affect requests. backup: the last backup is older than BACKUP_MAX_AGE_HOURS, or none is known; archive: the last attempt to archive the log failed, or the embedded server is five minutes behind.',
    }),
    last_backup: Type.Union(
      [
        Type.Object({
          ended_at: Type.String({ format: 'date-time', description: 'Time to which the backup restores.' }),
          age_seconds: Type.Integer({ minimum: 0, description: 'Age of the backup, in seconds.' }),
        }),
        Type.Null(),
      ],
      { description: 'Last complete backup; null if none is known.' },
    ),
    log_archive: Type.Union(
      [
        Type.Object({
          archived_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
            description: 'When a part of the log was last archived; null if none was.',
          }),
          age_seconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'Seconds since then; null if no part was archived.',
          }),
          is_failing: Type.Boolean({ description: 'Whether the last attempt to archive failed.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Archive of the database server’s log; null if the server does not archive its log, or does not answer.',
      },
    ),
  }),
}

const HealthStatus = Type.Literal('ok', { description: 'Status of the process.' })

export const HEALTH = operatorRoute({
  id: 'health',
  path: '/healthz',
  summary: 'Check that the process answers',
  description:
    'Liveness probe, for a supervisor that restarts a process that hangs. Does not query the database or anything else.',
  answers: {
    200: { description: 'The process answers.', content: { [JSON_TYPE]: Type.Object({ status: HealthStatus }) } },
  },
  problems: ['bad-request'],
})
export const READINESS = operatorRoute({
  id: 'readiness',
  path: '/readyz',
  summary: 'Check that the process is ready',
  description:
    'Readiness probe, for a load balancer that sends requests to this process: checks the database, migrations and the loops of its roles.',
  answers: {
    200: { description: 'Everything is ready.', content: readiness },
    503: { description: 'Something is not ready; `unready` names it.', content: readiness },
  },
  problems: ['bad-request'],
})
export const METRICS = operatorRoute({
  id: 'metrics',
  path: '/metrics',
  summary: 'Read metrics in the Prometheus format',
})
export const OPENAPI = operatorRoute({ id: 'openapi', path: '/openapi.json', summary: 'Read the OpenAPI document' })
/**
 * The management panel, whose pages are served by a plugin. Its routes are in a table of their own,
 * contract/panel/routes.ts.
 */
export const PANEL = operatorRoute({ id: 'panel', path: PANEL_PATH, summary: 'Open the management panel' })
export const DOCS = operatorRoute({ id: 'docs', path: '/docs', summary: 'Read the reference as pages' })
export const DOCS_OPERATION = operatorRoute({
  id: 'docsOperation',
  path: '/docs/api/{operation}',
  summary: 'Read an operation in the reference',
  params: { operation: PathKey('operationId of the operation in the OpenAPI document.') },
})
export const DOCS_SEARCH = operatorRoute({
  id: 'docsSearch',
  path: '/docs/search',
  summary: 'Search guides, operations and problems',
  query: { q: Type.String({ default: '', maxLength: 100, description: 'Words, all of which must occur.' }) },
})
export const DOCS_SCRIPT = operatorRoute({
  id: 'docsScript',
  path: '/docs/reference.js',
  summary: 'Load the script with which pages of the reference send requests',
})
/** Only for GET requests that accept HTML; all others get a 404. */
export const HOME = operatorRoute({ id: 'home', path: '/', summary: 'Open the start page' })
export const GUIDES = operatorRoute({ id: 'guides', path: '/docs/guides', summary: 'List guides' })
export const GUIDE = operatorRoute({
  id: 'guide',
  path: '/docs/guides/{name}',
  summary: 'Read a guide',
  params: { name: PathKey('Name of the guide.') },
})
export const PROBLEMS_PAGE = operatorRoute({
  id: 'problems',
  path: PROBLEMS_PATH,
  summary: 'List problems with their explanations',
})
export const GUIDE_STYLE = operatorRoute({
  id: 'guideStyle',
  path: '/docs/guides.css',
  summary: 'Load the style sheet of guides',
})
const FILE_HEADERS = ['ETag', 'Cache-Control', 'Vary', 'X-Robots-Tag'] as const
const FILE_ANSWERS: Route['answers'] = {
  200: {
    description: 'The file, with a weak ETag.',
    headers: [...FILE_HEADERS, 'Content-Encoding'],
    content: {
      'application/xml': Type.String({ description: 'XML file in the Google Merchant format.' }),
      'text/csv': Type.String({ description: 'CSV file.' }),
    },
  },
  304: {
    description: 'Nothing has changed since the ETag sent as If-None-Match; there is no body.',
    headers: FILE_HEADERS,
  },
}
/** The secret in the path replaces a token. */
export const CHANNEL_FILE = operatorRoute({
  id: 'channelFile',
  path: '/channels/{file}',
  summary: 'Read a channel file',
  description: 'A store’s catalog as a file, at the address that the answer to createChannel or rotateChannel states.',
  params: { file: PathKey('Secret of the channel and extension of the file.') },
  query: {
    spreadsheet: Type.Boolean({
      default: false,
      description:
        'For CSV files that people open in a spreadsheet: texts that would be read as formulas are prefixed with an apostrophe.',
    }),
  },
  answersHead: true,
  answers: FILE_ANSWERS,
  headers: READ_REQUEST_HEADERS,
  problems: ['bad-request', 'unknown-route', 'account-suspended', 'rate-limited', 'internal', 'database-unavailable'],
})

export const OPERATOR_ROUTES = [
  HEALTH,
  READINESS,
  METRICS,
  OPENAPI,
  HOME,
  DOCS,
  DOCS_OPERATION,
  DOCS_SEARCH,
  DOCS_SCRIPT,
  GUIDES,
  GUIDE,
  PROBLEMS_PAGE,
  GUIDE_STYLE,
  CHANNEL_FILE,
] as const
