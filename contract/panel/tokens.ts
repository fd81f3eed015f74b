import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { Clamped, PathId } from '../parameters.ts'
import { closed, Id, Null, Text } from '../values.ts'
import { Data, List, Page, panelRoute, Time, TimeOrNull } from './route.ts'

// Tokens of an account. Members see them; owners create, rotate and revoke them.

const account = { account_id: PathId('Account ID.') }
const one = { ...account, token_id: PathId('Token ID.') }
const Access = OneOf(['connector', 'full'], {
  description: 'Access of the token. connector: reads; full: reads and writes.',
})

export const Token = Type.Object({
  id: Id,
  name: Text,
  access: Access,
  sees_costs: Type.Boolean({ description: 'Whether the token reads `base_cost`, the purchase cost.' }),
  state: OneOf(['active', 'expired', 'revoked'], {}),
  created_at: Time('When the token was created.'),
  expires_at: TimeOrNull('When the token expires; null if never.'),
  revoked_at: TimeOrNull('When the token was revoked; null if it was not.'),
  last_used_at: TimeOrNull('When the token was last used, to half a minute; null if never.'),
})
export type Token = Static<typeof Token>

/** A new token with its secret text. */
export const NewToken = Type.Object({
  ...Token.properties,
  token: Type.String({ description: 'The token itself. Shown only in this answer.' }),
})

export const LIST_TOKENS = panelRoute({
  id: 'listTokens',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/tokens',
  panelAccess: 'member',
  summary: 'List tokens of the account, including revoked ones, newest first',
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
        name: Type.String({ description: 'Name of the token, 1 to 200 characters.' }),
        access: Access,
        sees_costs: Type.Optional(
          Type.Boolean({
            description:
              'Whether the token reads `base_cost`; true unless set. false is only possible for a connector token.',
          }),
        ),
        expires_at: Type.Optional(
          Type.Union([Text, Null], {
            description: 'When the token expires: a future RFC 3339 timestamp with offset; null or left out: never.',
          }),
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
  summary:
    'Rotate a token: create one with the same name, access and sees_costs; the old token expires after the overlap',
  params: one,
  body: {
    noun: 'rotation',
    schema: Type.Object(
      {
        overlap_hours: Type.Integer({
          minimum: 0,
          maximum: 168,
          description: 'Hours for which the old token stays valid; 0: it is revoked at once.',
        }),
      },
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
  at: Type.String({ format: 'date-time', description: 'When the request arrived, in UTC, to the millisecond.' }),
  method: Text,
  route: Type.Union([Text, Null], {
    description: 'Path of the route in the OpenAPI document; null if no route has this path and method.',
  }),
  address: Type.String({
    description:
      'Path and query of the request, at most 500 characters; tokens and the values of unknown parameters are replaced by …. Untrusted text.',
  }),
  status: Type.Integer(),
  code: Type.Union([Text, Null], { description: 'Code of the problem in the answer; null if it was none.' }),
  duration_ms: Type.Integer({
    description: 'Milliseconds until the answer was sent, including the waiting time of a long poll.',
  }),
  request_id: Type.String({ description: 'X-Request-Id of the answer. Untrusted text.' }),
  left_out: Type.Integer({
    description:
      'Number of requests with the token within a second of this one that were not recorded because there were too many.',
  }),
})
export type TokenRequest = Static<typeof TokenRequest>

export const LIST_TOKEN_REQUESTS = panelRoute({
  id: 'listTokenRequests',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/tokens/{token_id}/requests',
  panelAccess: 'member',
  summary: 'List the last 1,000 requests with a token, newest first; a request appears a second after its answer',
  params: one,
  query: {
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'meta.next_before of the previous page; the first page if left out.' }),
    ),
    per_page: Clamped(1, 200, 50, 'Page size'),
    failed: Type.Boolean({
      default: false,
      description: 'Only requests that were answered with a status of 400 or above.',
    }),
  },
  status: 200,
  answer: Page(TokenRequest),
  problems: ['unknown-reference'],
})

export const TOKEN_ROUTES = [LIST_TOKENS, CREATE_TOKEN, ROTATE_TOKEN, REVOKE_TOKEN, LIST_TOKEN_REQUESTS] as const
