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
  failures: Type.Integer({ description: 'Failed deliveries in a row; it is paused at 10.' }),
  failing_since: TimeOrNull('When the first of them was sent; null when there is none, or it is no longer in the log.'),
  paused_until: TimeOrNull(
    'When it is tried again; null unless paused. A time that is past: it is tried with the next change.',
  ),
  next_attempt_at: TimeOrNull('When the delivery at hand is tried again; null: nothing waits for a retry.'),
  is_in_flight: Type.Boolean({ description: 'Whether a delivery is being sent now.' }),
  waiting: Type.Object({
    products: Type.Integer({ description: 'Products with changes that it has not acknowledged.' }),
    is_capped: Type.Boolean({ description: 'Whether there are more than that.' }),
    since: TimeOrNull('When the oldest such change was made.'),
  }),
  parked: Type.Integer({
    description: 'Deliveries of single products that the receiver refused; see deliveries?state=parked.',
  }),
  last_delivered_at: TimeOrNull('When it last answered with 2xx, as far as the log reaches.'),
  last_failure: Type.Union(
    [
      Type.Object({
        at: Time('When it was sent.'),
        status: Type.Union([Type.Integer(), Null], { description: 'Null: no answer came.' }),
        fault: Type.Union([Text, Null], { description: 'Class of the error when no answer came, such as timeout.' }),
      }),
      Null,
    ],
    { description: 'The newest failed attempt of the failures in a row.' },
  ),
})
export type EndpointHealth = Static<typeof EndpointHealth>

export const Endpoint = Type.Object({
  id: Id,
  url: Text,
  events: Type.Array(OneOf(EVENTS, {})),
  store: Type.Union([Text, Null], { description: 'Slug of the one store it is for; null: all stores.' }),
  is_enabled: Flag,
  created_at: Time('When it was created.'),
  revision: Type.String({ description: 'To be sent as If-Match: "revision" with PATCH.' }),
  rotation: Type.Union(
    [
      Type.Object({
        switch_at: TimeOrNull('When the new secret begins to sign X-Service-Signature; null: it does already.'),
        previous_until: Time('Until when the old one signs, in one header or the other.'),
      }),
      Null,
    ],
    { description: 'A rotation under way.' },
  ),
  health: EndpointHealth,
})
export type Endpoint = Static<typeof Endpoint>

const url = Type.String({ description: 'http or https; its address is checked as at every delivery.' })
const events = Type.Array(OneOf(EVENTS, {}))
const store = Type.Union([Text, Null], { description: 'Slug; null: all stores.' })
const secret = Type.String({ description: 'The signing secret, shown only in this answer.' })

export const LIST_ENDPOINTS = panelRoute({
  id: 'listEndpoints',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/endpoints',
  panelAccess: 'member',
  summary: 'Endpoints of the account, by id; at most 20',
  params: account,
  status: 200,
  answer: List(Endpoint),
})

export const GET_ENDPOINT = panelRoute({
  id: 'getEndpoint',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}',
  panelAccess: 'member',
  summary: 'One endpoint',
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
  summary: 'Create an endpoint, for changes from now on',
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
  summary: 'Change an endpoint, enable or disable it; takes If-Match',
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
  summary: 'Delete an endpoint with its log and links',
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
          Type.Integer({ minimum: 0, maximum: 168, description: 'When the new one takes over; 24 when left out.' }),
        ),
        is_leaked: Type.Optional(
          Type.Boolean({ description: 'The new one signs at once and the old one never again.' }),
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
  summary: 'Of a rotation under way: the new secret signs X-Service-Signature now',
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
  summary: 'Of a rotation that has not switched yet: delete the new secret',
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
  summary: 'Try now instead of at the next retry or the end of the pause',
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
  summary: 'Announce everything again that changed since a time within the last 14 days',
  params: one,
  body: {
    noun: 'redelivery',
    schema: Type.Object({ since: Type.String({ description: 'RFC 3339 with offset.' }) }, closed),
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
  name: Type.String({ description: 'Who it is for.' }),
  created_at: Time('When it was made.'),
  created_by: Type.Union([Text, Null], { description: 'Name of who made it.' }),
  expires_at: Time('When it ends.'),
  used_at: TimeOrNull('When it was last used, to the minute; null: never.'),
})
export type EndpointLink = Static<typeof EndpointLink>

export const LIST_ENDPOINT_LINKS = panelRoute({
  id: 'listEndpointLinks',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links',
  panelAccess: 'member',
  summary: 'Links to the endpoint that have not ended',
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
  summary: 'Make a link to the endpoint for the developer of its receiver',
  params: one,
  body: {
    noun: 'link',
    schema: Type.Object(
      {
        name: Type.String({ description: '1 to 200 characters.' }),
        hours: Type.Integer({ minimum: 1, maximum: 168, description: 'How long it lasts.' }),
      },
      closed,
    ),
  },
  status: 201,
  answer: Data(
    Type.Object({
      ...EndpointLink.properties,
      link: Type.String({ description: 'PUBLIC_URL/panel/endpoint#TOKEN, shown only in this answer.' }),
    }),
  ),
  problems: ['unknown-reference', 'conflict'],
})

export const REVOKE_ENDPOINT_LINK = panelRoute({
  id: 'revokeEndpointLink',
  method: 'delete',
  path: '/panel/api/accounts/{account_id}/endpoints/{endpoint_id}/links/{link_id}',
  panelAccess: 'member',
  summary: 'End a link at once',
  params: { ...one, link_id: PathId('The link.') },
  status: 204,
  problems: ['unknown-reference'],
})

/** What the page of a link shows. The link's token is sent as `Authorization: Bearer TOKEN`; there is no cookie. */
export const LinkedEndpoint = Type.Object({
  ...Endpoint.properties,
  account_name: Text,
  link_name: Text,
  link_expires_at: Time('When the link ends.'),
})

export const GET_LINKED_ENDPOINT = panelRoute({
  id: 'getLinkedEndpoint',
  method: 'get',
  path: '/panel/api/linked-endpoint',
  panelAccess: 'link',
  summary: 'The endpoint that a link opens',
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
