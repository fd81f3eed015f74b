import Type from 'typebox'
import { closed, Text } from '../values.ts'
import { Data, panelRoute } from './route.ts'
import { Session, SignInResult, Ticket } from './session.ts'

// Signing in at an OpenID Connect provider. The browser is sent to `url` and returns to /panel/sign-in, whose page sends the provider's answer to
// the service.

const Begun = Data(
  Type.Object({
    ticket: Type.String({
      description:
        'Ticket of this sign-in: keep it in the page and send it with the provider’s answer within 15 minutes.',
    }),
    url: Type.String({
      description: 'URL of the provider to open in the browser, which then returns to /panel/sign-in.',
    }),
  }),
)

export const BEGIN_PROVIDER_SIGN_IN = panelRoute({
  id: 'beginProviderSignIn',
  method: 'post',
  path: '/panel/api/sign-in/provider/begin',
  panelAccess: 'visitor',
  summary: 'Begin a sign-in at the identity provider',
  body: {
    noun: 'sign-in',
    schema: Type.Object(
      {
        again: Type.Boolean({
          description:
            'Whether the provider must ask again even if somebody is signed in there, to confirm that it is still the same person.',
        }),
      },
      closed,
    ),
  },
  status: 200,
  answer: Begun,
  problems: ['unknown-route', 'provider-unavailable'],
})

export const PROVIDER_SIGN_IN = panelRoute({
  id: 'providerSignIn',
  method: 'post',
  path: '/panel/api/sign-in/provider',
  panelAccess: 'visitor',
  summary: 'Finish a sign-in at the identity provider',
  body: {
    noun: 'sign-in',
    schema: Type.Object(
      {
        ticket: Ticket,
        answer: Type.String({ description: 'Query of the URL to which the provider redirected the browser.' }),
      },
      closed,
    ),
  },
  status: 200,
  answer: Data(SignInResult),
  problems: [
    'unknown-route',
    'provider-unavailable',
    'provider-refused',
    'person-not-invited',
    'email-not-verified',
    'email-domain-refused',
    'identity-differs',
    'conflict',
  ],
})

export const PROVIDER_SIGN_OUT = panelRoute({
  id: 'providerSignOut',
  method: 'post',
  path: '/panel/api/sign-in/provider/logout',
  panelAccess: 'visitor',
  summary: 'Receive a sign-out from the identity provider',
  description:
    'OpenID Connect Back-Channel Logout 1.0: the provider sends a form (application/x-www-form-urlencoded) with `logout_token`. Ends the panel sessions that the token refers to.',
  body: {
    noun: 'logout',
    schema: Type.Object(
      { logout_token: Type.String({ description: 'Logout token, signed by the provider; it is accepted only once.' }) },
      closed,
    ),
  },
  status: 200,
  answer: Data(Type.Object({ state: Type.Literal('signed-out') })),
  problems: ['unknown-route', 'provider-unavailable'],
})

export const BEGIN_PROVIDER_LINK = panelRoute({
  id: 'beginProviderLink',
  method: 'post',
  path: '/panel/api/person/provider/begin',
  panelAccess: 'person',
  summary: 'Begin to link one’s own sign-in with the identity provider',
  body: {
    noun: 'request',
    schema: Type.Object(
      {
        password: Type.Optional(
          Type.String({
            description:
              'Password of the person. Left out if passwords are off (`LOCAL_SIGN_IN=off`); then the person must have confirmed their identity in the last ten minutes.',
          }),
        ),
      },
      closed,
    ),
  },
  status: 200,
  answer: Begun,
  problems: ['unknown-route', 'provider-unavailable', 'sign-in-failed', 'confirmation-required', 'local-sign-in-off'],
})

export const LINK_PROVIDER = panelRoute({
  id: 'linkProvider',
  method: 'post',
  path: '/panel/api/person/provider',
  panelAccess: 'person',
  summary: 'Finish linking: from now on, the person of the session signs in at the identity provider',
  description:
    'The provider need not have verified an e-mail address, unless `OIDC_EMAIL_DOMAINS` is set. It must state when it authenticated the person (`auth_time`).',
  body: {
    noun: 'link',
    schema: Type.Object(
      {
        ticket: Ticket,
        answer: Type.String({ description: 'Query of the URL to which the provider redirected the browser.' }),
      },
      closed,
    ),
  },
  status: 200,
  answer: Data(Session),
  problems: [
    'unknown-route',
    'provider-unavailable',
    'provider-refused',
    'email-not-verified',
    'email-domain-refused',
    'identity-differs',
    'conflict',
  ],
})

export const UNLINK_PROVIDER = panelRoute({
  id: 'unlinkProvider',
  method: 'post',
  path: '/panel/api/person/provider/unlink',
  panelAccess: 'person',
  summary: 'Unlink the identity provider; ends all other sessions',
  body: { noun: 'request', schema: Type.Object({ password: Text }, closed) },
  status: 200,
  answer: Data(Session),
  problems: ['sign-in-failed', 'local-sign-in-off'],
})

export const PROVIDER_ROUTES = [
  BEGIN_PROVIDER_SIGN_IN,
  PROVIDER_SIGN_IN,
  PROVIDER_SIGN_OUT,
  BEGIN_PROVIDER_LINK,
  LINK_PROVIDER,
  UNLINK_PROVIDER,
] as const
