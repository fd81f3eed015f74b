import Type, { type Static } from 'typebox'
import { OneOf } from '../one-of.ts'
import { PathId } from '../parameters.ts'
import { closed, Flag, Id, Null, Text } from '../values.ts'
import { Data, List, panelRoute, Time, TimeOrNull } from './route.ts'

// Webhook endpoints of an account, for every member. docs/webhooks.md says how deliveries work.

const account = { account_id: PathId('The account.') }
const one = { ...account, endpoint_id: PathId('The endpoint.') }

/** Kinds of changes that an endpoint can subscribe to. */
export const EVENTS = ['price', 'content', 'removed'] as const

/** The health of an endpoint, enough for one sentence with the time of the next attempt. */
export const EndpointHealth = Type.Object({
  state: OneOf(['healthy', 'failing', 'paused', 'disabled'], {}),
  failures: Type.Integer({ description: 'Number of consecutive failed deliveries; at 10 the endpoint is paused.' }),
  failing_since: TimeOrNull(
    'When the first of these deliveries was sent; null: there is none, or it is no longer in the log.',
  ),
  paused_until: TimeOrNull(
    'When the pause ends; null if the endpoint is not paused. If the time is in the past, the endpoint is tried with the next change.',
  ),
  next_attempt_at: TimeOrNull('When the current delivery is tried again; null: no delivery waits for a retry.'),
  is_in_flight: Type.Boolean({ description: 'Whether a delivery is being sent now.' }),
  waiting: Type.Object({
    products: Type.Integer({ description: 'Number of products with changes that the endpoint has not acknowledged.' }),
    is_capped: Type.Boolean({ description: 'Whether there are more products than `products` says.' }),
    since: TimeOrNull('When the oldest of these changes was made; null: there is none.'),
  }),
  parked: Type.Integer({
    description:
      'Number of deliveries of single products that the receiver refused; GET …/deliveries?state=parked lists them.',
  }),
  last_delivered_at: TimeOrNull('When the endpoint last answered with 2xx; null: not within the log.'),
  last_failure: Type.Union(
    [
      Type.Object({
        at: Time('When the attempt was sent.'),
        status: Type.Union([Type.Integer(), Null], {
          description: 'HTTP status of the answer; null: there was no answer.',
        }),
        fault: Type.Union([Text, Null], {
          description: 'Kind of error if there was no answer, such as timeout; else null.',
        }),
      }),
      Null,
    ],
    { description: 'Newest of the consecutive failed attempts; null: the last attempt succeeded.' },
  ),
})
export type EndpointHealth = Static<typeof EndpointHealth>

export const Endpoint = Type.Object({
  id: Id,
  url: Text,
  events: Type.Array(OneOf(EVENTS, {})),
  store: Type.Union([Text, Null], { description: 'Slug of the store whose changes are sent; null: all stores.' }),
  is_enabled: Flag,
  created_at: Time('When the endpoint was created.'),
  revision: Type.String({ description: 'Revision of the endpoint, to be sent with PATCH as If-Match: "revision".' }),
  rotation: Type.Union(
    [
      Type.Object({
        switch_at: TimeOrNull('When the new secret begins to sign X-Service-Signature; null: it already does.'),
        previous_until: Time('Until when the old secret signs deliveries, in one of the headers.'),
      }),
      Null,
    ],
    { description: 'Rotation of the secret that is in progress; null: none.' },
  ),
  health: EndpointHealth,
})
export type Endpoint = Static<typeof Endpoint>

const url = Type.String({
  description: 'URL of the receiver, http or https; its address is checked here and at every delivery.',
})
const events = Type.Array(OneOf(EVENTS, {}))
const store = Type.Union([Text, Null], { description: 'Slug of the store; null: all stores.' })
const secret = Type.String({ description: 'Signing secret, shown only in this answer.' })

export const LIST_ENDPOINTS = panelRoute({
  id: 'listEndpoints',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/endpoints',
  panelAccess: 'member',
  summary: 'List the account’s endpoints, by ID',
  params: account,
  status: 200,
  answer: List(Endpoint),
})

export const GET_ENDPOINT = panelRoute({
  id: 'getEndpoint',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}',
  panelAccess: 'member',
  summary: 'Read an endpoint',
  params: one,
  status: 200,
  answer: Data(Endpoint),
  problems: ['unknown-reference'],
})

export const CREATE_ENDPOINT = panelRoute({
  id: 'createEndpoint',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/endpoints',
  panelAccess: 'member',
  summary: 'Create an endpoint; it receives changes from now on',
  params: account,
  body: {
    noun: 'endpoint',
    schema: Type.Object({ url, events, store: Type.Optional(store) }, closed),
  },
  status: 201,
  answer: Data(Type.Object({ ...Endpoint.properties, secret })),
  problems: ['conflict', 'unknown-store'],
})

export const PATCH_ENDPOINT = panelRoute({
  id: 'patchEndpoint',
  method: 'patch',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}',
  panelAccess: 'member',
  summary: 'Change, enable or disable an endpoint; accepts If-Match',
  params: one,
  body: {
    noun: 'endpoint',
    schema: Type.Object(
      {
        url: Type.Optional(url),
        events: Type.Optional(events),
        store: Type.Optional(store),
        is_enabled: Type.Optional(Flag),
      },
      closed,
    ),
  },
  status: 200,
  answer: Data(Endpoint),
  problems: ['unknown-reference', 'conflict', 'unknown-store', 'precondition-failed'],
})

export const DELETE_ENDPOINT = panelRoute({
  id: 'deleteEndpoint',
  method: 'delete',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}',
  panelAccess: 'member',
  summary: 'Delete an endpoint with its log and its links',
  params: one,
  status: 204,
  problems: ['unknown-reference'],
})

export const ROTATE_SECRET = panelRoute({
  id: 'rotateSecret',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/rotate',
  panelAccess: 'member',
  summary: 'Create a new signing secret',
  params: one,
  body: {
    noun: 'rotation',
    schema: Type.Object(
      {
        switch_after_hours: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 168,
            description: 'Hours after which the new secret replaces the old one; 24 by default.',
          }),
        ),
        is_leaked: Type.Optional(
          Type.Boolean({
            description:
              'Whether the old secret is no longer safe: the new one then signs at once, and the old one is never used again.',
          }),
        ),
      },
      closed,
    ),
  },
  status: 201,
  answer: Data(Type.Object({ ...Endpoint.properties, secret })),
  problems: ['unknown-reference', 'conflict'],
})

export const SWITCH_SECRET = panelRoute({
  id: 'switchSecret',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/rotate/switch',
  panelAccess: 'member',
  summary: 'Let the new secret of a rotation sign X-Service-Signature now',
  params: one,
  status: 200,
  answer: Data(Endpoint),
  problems: ['unknown-reference', 'conflict'],
})

export const CANCEL_ROTATION = panelRoute({
  id: 'cancelRotation',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/rotate/cancel',
  panelAccess: 'member',
  summary: 'Cancel a rotation that has not switched yet, and delete the new secret',
  params: one,
  status: 200,
  answer: Data(Endpoint),
  problems: ['unknown-reference', 'conflict'],
})

export const RESUME_ENDPOINT = panelRoute({
  id: 'resumeEndpoint',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/resume',
  panelAccess: 'member',
  summary: 'Send the next delivery now instead of waiting for the retry or the end of the pause',
  params: one,
  status: 200,
  answer: Data(Endpoint),
  problems: ['unknown-reference', 'conflict'],
})

export const REWIND_ENDPOINT = panelRoute({
  id: 'rewindEndpoint',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/redeliver',
  panelAccess: 'member',
  summary: 'Send all changes since a time within the last 14 days again',
  params: one,
  body: {
    noun: 'redelivery',
    schema: Type.Object(
      { since: Type.String({ description: 'Time from which changes are sent again, RFC 3339 with offset.' }) },
      closed,
    ),
  },
  status: 200,
  answer: Data(Endpoint),
  problems: ['unknown-reference', 'conflict'],
})

/**
 * A link that opens one endpoint's page without a password. It shows the log and can send a test and redeliver; it
 * shows no settings and no secret.
 */
export const EndpointLink = Type.Object({
  id: Id,
  name: Type.String({ description: 'Name of the person or team for whom the link is.' }),
  created_at: Time('When the link was created.'),
  created_by: Type.Union([Text, Null], { description: 'Name of the person who created the link; null: not known.' }),
  expires_at: Time('When the link expires.'),
  used_at: TimeOrNull('When the link was last used, to the minute; null: never.'),
})
export type EndpointLink = Static<typeof EndpointLink>

export const LIST_ENDPOINT_LINKS = panelRoute({
  id: 'listEndpointLinks',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links',
  panelAccess: 'member',
  summary: 'List the endpoint’s links that have not expired',
  params: one,
  status: 200,
  answer: List(EndpointLink),
  problems: ['unknown-reference'],
})

export const CREATE_ENDPOINT_LINK = panelRoute({
  id: 'createEndpointLink',
  method: 'post',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links',
  panelAccess: 'member',
  needsConfirmation: true,
  summary: 'Create a link to the endpoint for the developer of its receiver',
  params: one,
  body: {
    noun: 'link',
    schema: Type.Object(
      {
        name: Type.String({ description: 'Name of the person or team for whom the link is, 1 to 200 characters.' }),
        hours: Type.Integer({ minimum: 1, maximum: 168, description: 'Number of hours after which the link expires.' }),
      },
      closed,
    ),
  },
  status: 201,
  answer: Data(
    Type.Object({
      ...EndpointLink.properties,
      link: Type.String({
        description: 'URL of the link, PUBLIC_URL/panel/endpoint#TOKEN; shown only in this answer.',
      }),
    }),
  ),
  problems: ['unknown-reference', 'conflict'],
})

export const REVOKE_ENDPOINT_LINK = panelRoute({
  id: 'revokeEndpointLink',
  method: 'delete',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links/{link_id}',
  panelAccess: 'member',
  summary: 'Revoke a link',
  params: { ...one, link_id: PathId('The link.') },
  status: 204,
  problems: ['unknown-reference'],
})

/** What the page of a link shows. The link's token is sent as `Authorization: Bearer TOKEN`; there is no cookie. */
export const LinkedEndpoint = Type.Object({
  ...Endpoint.properties,
  account_name: Text,
  link_name: Text,
  link_expires_at: Time('When the link expires.'),
})

export const GET_LINKED_ENDPOINT = panelRoute({
  id: 'getLinkedEndpoint',
  method: 'get',
  path: '/panel/api/linked-endpoint',
  panelAccess: 'link',
  summary: 'Read the endpoint of a link',
  status: 200,
  answer: Data(LinkedEndpoint),
})

export const ENDPOINT_ROUTES = [
  LIST_ENDPOINTS,
  GET_ENDPOINT,
  CREATE_ENDPOINT,
  PATCH_ENDPOINT,
  DELETE_ENDPOINT,
  ROTATE_SECRET,
  SWITCH_SECRET,
  CANCEL_ROTATION,
  RESUME_ENDPOINT,
  REWIND_ENDPOINT,
  LIST_ENDPOINT_LINKS,
  CREATE_ENDPOINT_LINK,
  REVOKE_ENDPOINT_LINK,
  GET_LINKED_ENDPOINT,
] as const
