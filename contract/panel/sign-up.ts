import Type from 'typebox'
import { closed, Text } from '../values.ts'
import { Data, panelRoute } from './route.ts'
import { Session, SignInResult } from './session.ts'

// Accounts that people open themselves: the first account of an installation with its owner, and further accounts of a
// person.

/** A new account. Its first store gets the same name, language and currency. */
const NewAccount = Type.Object(
  {
    name: Text,
    currency: Type.String({ description: 'Currency of the account (ISO 4217). Never changes.' }),
    locale: Type.String({ description: 'Locale of the account (BCP 47).' }),
    time_zone: Type.Optional(Type.String({ description: 'Time zone (IANA name); UTC if left out.' })),
  },
  closed,
)

export const SIGN_UP_FIRST_OWNER = panelRoute({
  id: 'signUpFirstOwner',
  method: 'post',
  path: '/panel/api/links/first-owner',
  panelAccess: 'visitor',
  summary: 'Sign up as the first owner, with an account, with the link that the service prints at its start',
  description: 'Works once, and only while there is no account.',
  body: {
    noun: 'sign-up',
    schema: Type.Object(
      {
        token: Text,
        email: Text,
        password: Type.String({ description: 'Password, 10 to 200 characters.' }),
        account: NewAccount,
      },
      closed,
    ),
  },
  status: 200,
  answer: Data(SignInResult),
  problems: ['link-ended', 'conflict'],
})

export const GET_OWN_ACCOUNTS = panelRoute({
  id: 'getOwnAccounts',
  method: 'get',
  path: '/panel/api/accounts',
  panelAccess: 'person',
  summary: 'Read how many accounts the person may still open',
  status: 200,
  answer: Data(
    Type.Object({
      left: Type.Integer({
        minimum: 0,
        description:
          'Number of accounts that the person may still open; 0 if only the operator opens accounts (ACCOUNTS_PER_PERSON).',
      }),
    }),
  ),
})

export const OPEN_ACCOUNT = panelRoute({
  id: 'openAccount',
  method: 'post',
  path: '/panel/api/accounts',
  panelAccess: 'person',
  summary: 'Open another account, which the person owns',
  body: { noun: 'account', schema: NewAccount },
  status: 201,
  answer: Data(Type.Object({ account_id: Type.Integer(), session: Session })),
  problems: ['quota-exceeded'],
})

export const SIGN_UP_ROUTES = [SIGN_UP_FIRST_OWNER, GET_OWN_ACCOUNTS, OPEN_ACCOUNT] as const
