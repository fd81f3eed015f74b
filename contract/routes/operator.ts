import { PathKey } from '../parameters.ts'
import { operatorRoute } from '../route.ts'

// Outside /v1 and without a token.

export const HEALTH = operatorRoute({ id: 'health', path: '/healthz', summary: 'Whether the process answers' })
export const READINESS = operatorRoute({ id: 'readiness', path: '/readyz', summary: 'What is not ready' })
export const METRICS = operatorRoute({ id: 'metrics', path: '/metrics', summary: 'Figures in Prometheus’s format' })
export const OPENAPI = operatorRoute({ id: 'openapi', path: '/openapi.json', summary: 'The OpenAPI document' })
/** The human-readable reference: a plugin registers it, with the files of its page below it. */
export const DOCS = operatorRoute({ id: 'docs', path: '/docs', summary: 'The readable reference' })
/** The secret in the path replaces a token. */
export const CHANNEL_FILE = operatorRoute({
  id: 'channelFile',
  path: '/channels/{file}',
  summary: 'A channel file',
  params: { file: PathKey('Secret and ending.') },
  answersHead: true,
})

export const OPERATOR_ROUTES = [HEALTH, READINESS, METRICS, OPENAPI, DOCS, CHANNEL_FILE] as const
