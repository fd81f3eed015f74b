import Type from 'typebox'
import { PANEL_PATH } from '../panel/route.ts'
import { PathKey } from '../parameters.ts'
import { PROBLEMS_PATH } from '../problems.ts'
import { operatorRoute, READ_REQUEST_HEADERS, type Route } from '../route.ts'

// Outside /v1 and without a token.

const JSON_TYPE = 'application/json'
const readiness = {
  [JSON_TYPE]: Type.Object({
    status: Type.String({ description: 'ready or unready.' }),
    unready: Type.Array(Type.String(), { description: 'What is not ready; empty when all is.' }),
    warnings: Type.Array(Type.String(), {
      description:
        'What an operator should look at, and what keeps no request from being answered: backup, where the last one is older than BACKUP_MAX_AGE_HOURS, or none is known; archive, where the last try to archive the log failed, or the embedded server is five minutes behind.',
    }),
    last_backup: Type.Union(
      [
        Type.Object({
          ended_at: Type.String({ format: 'date-time', description: 'The moment that it restores to.' }),
          age_seconds: Type.Integer({ minimum: 0, description: 'How long ago that was.' }),
        }),
        Type.Null(),
      ],
      { description: 'The last whole backup; null: none is known.' },
    ),
    log_archive: Type.Union(
      [
        Type.Object({
          archived_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
            description: 'When a part of the log was last archived; null: never yet.',
          }),
          age_seconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'How long ago that was; null: never yet.',
          }),
          is_failing: Type.Boolean({ description: 'Whether the last try failed.' }),
        }),
        Type.Null(),
      ],
      { description: 'The archive of the database server’s log; null: it archives nothing, or does not answer.' },
    ),
  }),
}

export const HEALTH = operatorRoute({
  id: 'health',
  path: '/healthz',
  summary: 'Whether the process answers',
  description: 'For what restarts a process that hangs; it asks neither the database nor anything else.',
  answers: {
    200: { description: 'The process answers.', content: { [JSON_TYPE]: Type.Object({ status: Type.Literal('ok') }) } },
  },
  problems: ['bad-request'],
})
export const READINESS = operatorRoute({
  id: 'readiness',
  path: '/readyz',
  summary: 'What is not ready',
  description: 'For what sends requests to this process: database, migrations and the loops of its roles.',
  answers: {
    200: { description: 'All is ready.', content: readiness },
    503: { description: 'Something is not ready; `unready` names it.', content: readiness },
  },
  problems: ['bad-request'],
})
export const METRICS = operatorRoute({ id: 'metrics', path: '/metrics', summary: 'Figures in Prometheus’s format' })
export const OPENAPI = operatorRoute({ id: 'openapi', path: '/openapi.json', summary: 'The OpenAPI document' })
/**
 * The management panel, whose pages are served by a plugin. Its routes are in a table of their own,
 * contract/panel/routes.ts.
 */
export const PANEL = operatorRoute({ id: 'panel', path: PANEL_PATH, summary: 'The management panel' })
export const DOCS = operatorRoute({ id: 'docs', path: '/docs', summary: 'The readable reference' })
export const DOCS_OPERATION = operatorRoute({
  id: 'docsOperation',
  path: '/docs/api/{operation}',
  summary: 'An operation in the reference',
  params: { operation: PathKey('operationId of the document.') },
})
export const DOCS_SEARCH = operatorRoute({
  id: 'docsSearch',
  path: '/docs/search',
  summary: 'Searches guides, operations and problems',
  query: { q: Type.String({ default: '', maxLength: 100, description: 'Words that all occur.' }) },
})
export const DOCS_SCRIPT = operatorRoute({
  id: 'docsScript',
  path: '/docs/reference.js',
  summary: 'How pages of the reference send requests',
})
/** Only for GET requests that accept HTML; all others get a 404. */
export const HOME = operatorRoute({ id: 'home', path: '/', summary: 'The start page for browsers' })
export const GUIDES = operatorRoute({ id: 'guides', path: '/docs/guides', summary: 'The list of guides' })
export const GUIDE = operatorRoute({
  id: 'guide',
  path: '/docs/guides/{name}',
  summary: 'A guide',
  params: { name: PathKey('Name of the guide.') },
})
export const PROBLEMS_PAGE = operatorRoute({ id: 'problems', path: PROBLEMS_PATH, summary: 'What every problem means' })
export const GUIDE_STYLE = operatorRoute({
  id: 'guideStyle',
  path: '/docs/guides.css',
  summary: 'How guides look',
})
const FILE_HEADERS = ['ETag', 'Cache-Control', 'Vary', 'X-Robots-Tag'] as const
const FILE_ANSWERS: Route['answers'] = {
  200: {
    description: 'The file; the ETag is weak.',
    headers: [...FILE_HEADERS, 'Content-Encoding'],
    content: {
      'application/xml': Type.String({ description: 'Google Merchant XML.' }),
      'text/csv': Type.String({ description: 'CSV.' }),
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
  description: 'A store’s catalog as a file, at the address that the answer to createChannel or rotateChannel has.',
  params: { file: PathKey('Secret and ending.') },
  query: {
    spreadsheet: Type.Boolean({
      default: false,
      description:
        'Of a CSV file that people open: texts that a spreadsheet would take for a formula get an apostrophe in front.',
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
