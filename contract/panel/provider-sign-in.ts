import Type from 'typebox'
import { closed, Text } from '../values.ts'
import { Data, panelRoute } from './route.ts'
import { Session, SignInResult, Ticket } from './session.ts'

// Signing in at an OpenID Connect provider. The browser is sent to `url` and returns to /panel/sign-in, whose page sends the provider's answer to
// the service.

const Begun = Data(
  Type.Object({
    ticket: Type.String({
      description: 'To be kept by the page, and sent with what the provider answers, within 15 minutes.',
    }),
    url: Type.String({ description: 'Where the browser goes; it comes back to /panel/sign-in.' }),
  }),
)

export const BEGIN_PROVIDER_SIGN_IN = panelRoute({
  id: 'beginProviderSignIn',
  method: 'post',
  path: '/panel/api/sign-in/provider/begin',
  panelAccess: 'visitor',
  summary: 'Begin to sign in at the identity provider',
  body: {
    noun: 'sign-in',
    schema: Type.Object(
      {
        again: Type.Boolean({
          description:
            'Whether the provider is to ask also who is signed in there: to confirm that it is still the same person.',
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
        answer: Type.String({ description: 'The query of the address to which the provider has sent the browser.' }),
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
  summary: 'For the identity provider: somebody has signed out there',
  description:
    'OpenID Connect Back-Channel Logout 1.0: a form (application/x-www-form-urlencoded) with `logout_token`. Sessions that were opened there end.',
  body: {
    noun: 'logout',
    schema: Type.Object(
      { logout_token: Type.String({ description: 'Signed by the provider; it counts once.' }) },
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
  summary: 'Begin to link the own sign-in with the identity provider',
  body: {
    noun: 'request',
    schema: Type.Object(
      {
        password: Type.Optional(
          Type.String({
            description:
              'Left out where passwords are off (`LOCAL_SIGN_IN=off`): the person has confirmed in the last ten minutes that it is them.',
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
  summary: 'Finish linking: the person of the session signs in there from now on',
  description:
    'The provider need not have verified an address, unless `OIDC_EMAIL_DOMAINS` is set; it has to say when it has asked who signs in (`auth_time`).',
  body: {
    noun: 'link',
    schema: Type.Object(
      {
        ticket: Ticket,
        answer: Type.String({ description: 'The query of the address to which the provider has sent the browser.' }),
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
  summary: 'Sign in at the identity provider no more; ends all other sessions',
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
