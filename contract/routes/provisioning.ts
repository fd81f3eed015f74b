import Type from 'typebox'
import { ADDITIONAL_MEMBER_NAMES } from '../additional-members.ts'
import { AMOUNT_MAX, BUDGET_NAMES } from '../account-limits.ts'
import { AfterId, Clamped, PathId, PathKey } from '../parameters.ts'
import { listMeta, provisioningRoute } from '../route.ts'
import {
  AccountCurrency,
  AccountLocale,
  closed,
  described,
  Flag,
  GivenId,
  Id,
  NameOf,
  Null,
  orNull,
  Text,
} from '../values.ts'

// What the operator of a service does with its accounts, as the commands `shelfwire account` do. No route here shows the contents of an account:
// products, offers, prices and files are read with a token of the account.

const Time = (description: string) => Type.String({ format: 'date-time', description })
const TimeOrNull = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Null], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const account = { account_id: PathId('Account ID.') }
const AccountId = described(Id, 'Account ID.')

const OperatorAccount = Type.Object(
  {
    id: GivenId('account'),
    name: NameOf('account'),
    currency: AccountCurrency,
    locale: AccountLocale,
    time_zone: described(Text, 'Time zone (IANA name).'),
    is_suspended: described(
      Flag,
      'Whether the account is suspended: its requests are refused, and its background work has stopped.',
    ),
    suspended_at: TimeOrNull('When the account was suspended; null if it is not suspended.'),
    suspension_reason: Type.Union([Text, Null], {
      description: 'Reason that the account’s members read in the panel; null if there is none.',
    }),
  },
  { $id: 'OperatorAccount', description: 'An account, as the operator sees it.' },
)

const OperatorErasure = Type.Object(
  {
    account_id: AccountId,
    state: Type.String({
      enum: ['waiting', 'erasing', 'erased', 'checked'],
      description:
        'waiting: the erasure begins at due_at and can be canceled until then; erasing: rows and files are being deleted; erased: nothing is left; checked: a second search for remains is finished.',
    }),
    asked_at: Time('When the erasure was requested.'),
    due_at: Time('When the erasure begins.'),
    reference: Type.Union([Text, Null], {
      description: 'Reference of the operator, as given in the request; null if there is none.',
    }),
    erases_people: Type.Boolean({ description: 'Whether people who are members of no other account are erased, too.' }),
    started_at: TimeOrNull('When the erasure began; null if it has not.'),
    finished_at: TimeOrNull('When the last row and file were deleted; null if some are left.'),
    checked_at: TimeOrNull('When the second search for remains was finished; null if it is not.'),
    rows: Type.Record(Text, Type.Integer(), { description: 'Number of deleted rows by table.' }),
    people: Count('Number of people who were erased.'),
    pictures: Count('Number of stored pictures that were removed.'),
    files: Count('Number of import files that were removed.'),
  },
  { $id: 'OperatorErasure', description: 'The erasure of an account.' },
)

const Limit = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Null], { description })
const OperatorLimit = Type.Object(
  {
    budget: Type.String({ enum: [...BUDGET_NAMES], description: 'Name of the budget; later releases may add more.' }),
    used: Count('How much of the budget is used.'),
    limit: Limit('Limit that applies to the account; null if there is none.'),
    default: Limit('Limit that applies if none is set for the account; null if there is none.'),
    is_set: Type.Boolean({ description: 'Whether a limit is set for this account.' }),
    is_near: Type.Boolean({ description: 'Whether at least 80 % of the limit is used.' }),
  },
  { $id: 'OperatorLimit', description: 'A budget of an account, with its use and its limit.' },
)

const OperatorOwner = Type.Object(
  {
    account_id: AccountId,
    member_id: described(Id, 'ID of the member.'),
    email: described(Text, 'E-mail address of the owner.'),
    role: Type.Literal('owner', { description: 'Role of the member in the account.' }),
    link: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Link with which the owner sets a password and signs in. Shown once; absent if the answer is repeated under an Idempotency-Key.',
      }),
    ),
  },
  { $id: 'OperatorOwner', description: 'An owner of an account.' },
)

export const LIST_OPERATOR_ACCOUNTS = provisioningRoute({
  id: 'listOperatorAccounts',
  method: 'get',
  path: '/v1/operator/accounts',
  summary: 'List accounts',
  description: 'All accounts of this installation, by ID.',
  query: { per_page: Clamped(1, 1_000, 100, 'Page size'), after: AfterId },
  status: 200,
  answer: { list: OperatorAccount, meta: listMeta({ after: Id }) },
  returns: 'A page of accounts.',
  problems: [],
})

export const CREATE_OPERATOR_ACCOUNT = provisioningRoute({
  id: 'createOperatorAccount',
  method: 'post',
  path: '/v1/operator/accounts',
  summary: 'Create an account',
  description:
    'Creates the account with its default store, customer group and pricing rule, as `shelfwire account create` does. Send an Idempotency-Key: names are not unique, so a request that is repeated without one creates a second account.',
  body: {
    noun: 'account',
    schema: Type.Object(
      {
        name: NameOf('account'),
        currency: AccountCurrency,
        locale: AccountLocale,
        time_zone: Type.Optional(Type.String({ description: 'Time zone (IANA name); UTC if left out.' })),
        store: Type.Optional(
          Type.Object(
            {
              slug: Type.Optional(Type.String({ description: 'Slug of the store; main if left out.' })),
              name: Type.Optional(Type.String({ description: 'Name of the store; the account’s name if left out.' })),
              locale: Type.Optional(
                Type.String({ description: 'Locale of the store (BCP 47); the account’s locale if left out.' }),
              ),
              currency: Type.Optional(
                Type.String({ description: 'Currency of the store (ISO 4217); the account’s currency if left out.' }),
              ),
            },
            { ...closed, description: 'The default store.' },
          ),
        ),
        group: Type.Optional(Type.String({ description: 'Name of the default customer group; Retail if left out.' })),
        markup: Type.Optional(
          Type.String({ description: 'Markup of the default pricing rule, in percent of the cost; 25 if left out.' }),
        ),
        additional_members: Type.Optional(
          Type.Array(Type.String({ enum: [...ADDITIONAL_MEMBER_NAMES] }), {
            description:
              'Members that products have in addition to those that all accounts read; all of them if left out.',
          }),
        ),
      },
      closed,
    ),
  },
  status: 201,
  answer: { data: OperatorAccount },
  returns: 'The account. It has no member and no token yet.',
  problems: ['unknown-account'],
})

export const GET_OPERATOR_ACCOUNT = provisioningRoute({
  id: 'getOperatorAccount',
  method: 'get',
  path: '/v1/operator/accounts/{account_id}',
  summary: 'Read an account',
  description: 'Name and settings of the account, and whether it is suspended.',
  params: account,
  status: 200,
  answer: { data: OperatorAccount },
  returns: 'The account.',
  problems: ['unknown-account'],
})

export const PATCH_OPERATOR_ACCOUNT = provisioningRoute({
  id: 'patchOperatorAccount',
  method: 'patch',
  path: '/v1/operator/accounts/{account_id}',
  summary: 'Rename an account',
  description: 'Changes the name. All other settings are changed by the account itself.',
  params: account,
  body: { noun: 'account', schema: Type.Object({ name: NameOf('account') }, closed) },
  status: 200,
  answer: { data: OperatorAccount },
  returns: 'The account as it is now.',
  problems: ['unknown-account'],
})

export const PUT_SUSPENSION = provisioningRoute({
  id: 'putSuspension',
  method: 'put',
  path: '/v1/operator/accounts/{account_id}/suspension',
  summary: 'Suspend an account',
  description:
    'Within seconds, the account’s requests are refused and its background work stops. Nothing is lost. If the account is already suspended, the reason is replaced.',
  params: account,
  body: {
    noun: 'suspension',
    schema: Type.Object(
      {
        reason: Type.Optional(
          orNull(
            described(
              Text,
              'Reason that the account’s members read in the panel, of at most 500 characters; null: none.',
            ),
            'must be a string or null',
          ),
        ),
      },
      { ...closed, description: '`reason` is what the account’s members read in the panel.' },
    ),
  },
  status: 200,
  answer: { data: OperatorAccount },
  returns: 'The suspended account.',
  problems: ['unknown-account'],
})

export const DELETE_SUSPENSION = provisioningRoute({
  id: 'deleteSuspension',
  method: 'delete',
  path: '/v1/operator/accounts/{account_id}/suspension',
  summary: 'Resume a suspended account',
  description:
    'The account continues where it stopped. Has no effect on an account that is not suspended; answers 409 if the account is to be erased.',
  params: account,
  status: 204,
  returns: 'The account is not suspended any more; there is no body.',
  problems: ['unknown-account'],
})

export const GET_ERASURE = provisioningRoute({
  id: 'getErasure',
  method: 'get',
  path: '/v1/operator/accounts/{account_id}/erasure',
  summary: 'Read the progress or receipt of an erasure',
  description: 'The receipt is kept after everything else of the account is deleted. It contains no personal data.',
  params: account,
  status: 200,
  answer: { data: OperatorErasure },
  returns: 'The erasure.',
  problems: ['unknown-reference'],
})

export const PUT_ERASURE = provisioningRoute({
  id: 'putErasure',
  method: 'put',
  path: '/v1/operator/accounts/{account_id}/erasure',
  summary: 'Erase an account and all of its data',
  description:
    'Suspends the account at once; a process with the `work` role erases it after `after_days` days. Until the erasure begins, a DELETE cancels it, and another PUT replaces it. Export the account first.',
  params: account,
  body: {
    noun: 'erasure',
    schema: Type.Object(
      {
        confirm: Type.String({ description: 'Name of the account, as a confirmation.' }),
        after_days: Type.Optional(
          Type.Integer({
            description:
              'Days until the erasure begins, 0 to 365. 0, the default: as soon as every process knows that the account is suspended.',
          }),
        ),
        people: Type.Optional(
          Type.Boolean({ description: 'Whether people who are members of no other account are erased, too.' }),
        ),
        reference: Type.Optional(
          orNull(
            Type.String({
              description: 'Reference that the receipt shows, of at most 200 characters; must not be personal data.',
            }),
            'must be a string or null',
          ),
        ),
      },
      closed,
    ),
  },
  status: 202,
  answer: { data: OperatorErasure },
  returns: 'The erasure as it is scheduled.',
  problems: ['unknown-account'],
})

export const DELETE_ERASURE = provisioningRoute({
  id: 'deleteErasure',
  method: 'delete',
  path: '/v1/operator/accounts/{account_id}/erasure',
  summary: 'Cancel an erasure that has not begun',
  description: 'The account stays suspended.',
  params: account,
  status: 204,
  returns: 'The erasure is canceled; there is no body.',
  problems: ['unknown-account', 'unknown-reference'],
})

export const LIST_OPERATOR_LIMITS = provisioningRoute({
  id: 'listOperatorLimits',
  method: 'get',
  path: '/v1/operator/accounts/{account_id}/limits',
  summary: 'List the budgets of an account',
  description: 'Every budget with its usage and its limit.',
  params: account,
  status: 200,
  answer: { list: OperatorLimit, meta: Type.Object({}, { description: 'Empty: the list has one page.' }) },
  returns: 'All budgets.',
  problems: ['unknown-account'],
})

export const PUT_OPERATOR_LIMIT = provisioningRoute({
  id: 'putOperatorLimit',
  method: 'put',
  path: '/v1/operator/accounts/{account_id}/limits/{budget}',
  summary: 'Set a limit for an account',
  description: 'Processes apply the limit within seconds. A limit below the account’s usage deletes nothing.',
  params: { ...account, budget: PathKey('Name of the budget, as in the list of budgets.') },
  body: {
    noun: 'limit',
    schema: Type.Object(
      {
        limit: Type.Union([Type.Integer({ minimum: 0, maximum: AMOUNT_MAX }), Null], {
          description: 'Limit of the budget; null: no limit.',
          'x-must': 'must be a whole number from 0 on, or null',
        }),
      },
      closed,
    ),
  },
  status: 200,
  answer: { data: OperatorLimit },
  returns: 'The budget as it is now.',
  problems: ['unknown-account', 'unknown-reference'],
})

export const DELETE_OPERATOR_LIMIT = provisioningRoute({
  id: 'deleteOperatorLimit',
  method: 'delete',
  path: '/v1/operator/accounts/{account_id}/limits/{budget}',
  summary: 'Reset a limit to the default',
  description: 'Answers 404 if no limit is set for the account.',
  params: { ...account, budget: PathKey('Name of the budget, as in the list of budgets.') },
  status: 204,
  returns: 'The default limit applies again; there is no body.',
  problems: ['unknown-account', 'unknown-reference'],
})

export const CREATE_OPERATOR_OWNER = provisioningRoute({
  id: 'createOperatorOwner',
  method: 'post',
  path: '/v1/operator/accounts/{account_id}/owners',
  summary: 'Add an owner to an account',
  description:
    'No e-mail is sent: pass the link on to the owner. Whoever opens the link before it expires sets a password and signs in to the panel.',
  params: account,
  body: {
    noun: 'owner',
    schema: Type.Object({ email: Type.String({ description: 'E-mail address of the owner.' }) }, closed),
  },
  status: 201,
  answer: { data: OperatorOwner },
  returns: 'The owner, with the link.',
  problems: ['unknown-account', 'quota-exceeded'],
})

export const PROVISIONING_ROUTES = [
  LIST_OPERATOR_ACCOUNTS,
  CREATE_OPERATOR_ACCOUNT,
  GET_OPERATOR_ACCOUNT,
  PATCH_OPERATOR_ACCOUNT,
  PUT_SUSPENSION,
  DELETE_SUSPENSION,
  GET_ERASURE,
  PUT_ERASURE,
  DELETE_ERASURE,
  LIST_OPERATOR_LIMITS,
  PUT_OPERATOR_LIMIT,
  DELETE_OPERATOR_LIMIT,
  CREATE_OPERATOR_OWNER,
] as const
