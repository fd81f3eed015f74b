import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId } from '../parameters.ts'
import { closed, Id, Null, Text } from '../values.ts'
import { Data, List, Page, panelRoute, Time, TimeOrNull } from './route.ts'

// Tokens of an account. Members see them; owners create, rotate and revoke them.

const account = { account_id: PathId('The account.') }
const one = { ...account, token_id: PathId('The token.') }
const Access = OneOf(['connector', 'full'], { description: 'connector: reads; full: reads and writes.' })

export const Token = Type.Object({
  id: Id,
  name: Text,
  access: Access,
  sees_costs: Type.Boolean({ description: 'Whether what it reads has `base_cost`, the purchase price.' }),
  state: OneOf(['active', 'expired', 'revoked'], {}),
  created_at: Time('When it was created.'),
  expires_at: TimeOrNull('When it ends; null: never.'),
  revoked_at: TimeOrNull('When it was revoked.'),
  last_used_at: TimeOrNull('When it was last used, to half a minute; null: never.'),
})
export type Token = Static<typeof Token>

/** A new token with its secret text. */
export const NewToken = Type.Object({
  ...Token.properties,
  token: Type.String({ description: 'Shown only in this answer.' }),
})

export const LIST_TOKENS = panelRoute({
  id: 'listTokens',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/tokens',
  panelAccess: 'member',
  summary: 'Tokens of the account, revoked ones included, newest first',
  params: account,
  status: 200,
  answer: List(Token),
})

export const CREATE_TOKEN = panelRoute({
  id: 'createToken',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/tokens',
  panelAccess: 'owner',
  needsConfirmation: true,
  summary: 'Create a token',
  params: account,
  body: {
    noun: 'token',
    schema: Type.Object(
      {
        name: Type.String({ description: '1 to 200 characters.' }),
        access: Access,
        sees_costs: Type.Optional(
          Type.Boolean({
            description: 'false: what it reads never has `base_cost`; only with the access connector. true unless set.',
          }),
        ),
        expires_at: Type.Optional(
          Type.Union([Text, Null], { description: 'RFC 3339 with offset, in the future; null or left out: never.' }),
        ),
      },
      closed,
    ),
  },
  status: 201,
  answer: Data(NewToken),
  problems: ['conflict'],
})

export const ROTATE_TOKEN = panelRoute({
  id: 'rotateToken',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/tokens/{token_id}/rotate',
  panelAccess: 'owner',
  needsConfirmation: true,
  summary: 'Create a token of the same name, access and sight of costs; the old one ends after the overlap',
  params: one,
  body: {
    noun: 'rotation',
    schema: Type.Object(
      { overlap_hours: Type.Integer({ minimum: 0, maximum: 168, description: '0: the old one is revoked at once.' }) },
      closed,
    ),
  },
  status: 201,
  answer: Data(NewToken),
  problems: ['unknown-reference', 'conflict'],
})

export const REVOKE_TOKEN = panelRoute({
  id: 'revokeToken',
  method: 'delete',
  path: '/panel/api/accounts/{account_id}/tokens/{token_id}',
  panelAccess: 'owner',
  summary: 'Revoke a token at once',
  params: one,
  status: 204,
  problems: ['unknown-reference'],
})

/** One request that was made with a token. */
export const TokenRequest = Type.Object({
  id: Id,
  at: Type.String({ format: 'date-time', description: 'When it came; UTC, to the millisecond.' }),
  method: Text,
  route: Type.Union([Text, Null], {
    description:
      'Path of its route in the OpenAPI document; null: there is none at its address, or not with this method.',
  }),
  address: Type.String({
    description:
      'Path and query, at most 500 characters of them; … in place of tokens and of values of parameters that the route does not know. Untrusted text.',
  }),
  status: Type.Integer(),
  code: Type.Union([Text, Null], { description: 'Of the problem that it was answered with.' }),
  duration_ms: Type.Integer({ description: 'Until the answer was sent; of a long poll with the time that it waited.' }),
  request_id: Type.String({ description: 'X-Request-Id of the answer. Untrusted text.' }),
  left_out: Type.Integer({
    description: 'Requests with the token about its time, within a second, that were too many to be written down.',
  }),
})
export type TokenRequest = Static<typeof TokenRequest>

export const LIST_TOKEN_REQUESTS = panelRoute({
  id: 'listTokenRequests',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/tokens/{token_id}/requests',
  panelAccess: 'member',
  summary: 'The last 1,000 requests with a token, newest first, a second after they were answered',
  params: one,
  query: {
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'meta.next_before of the page before.' })),
    per_page: Clamped(1, 200, 50, 'Page size'),
    failed: Type.Boolean({
      default: false,
      description: 'Only those that were answered with a status of 400 or above.',
    }),
  },
  status: 200,
  answer: Page(TokenRequest),
  problems: ['unknown-reference'],
})

export const TOKEN_ROUTES = [LIST_TOKENS, CREATE_TOKEN, ROTATE_TOKEN, REVOKE_TOKEN, LIST_TOKEN_REQUESTS] as const
