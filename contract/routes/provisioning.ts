import Type from 'typebox'
import { ADDITIONAL_MEMBER_NAMES } from '../additional-members.ts'
import { AMOUNT_MAX, BUDGET_NAMES } from '../account-limits.ts'
import { AfterId, Clamped, PathId, PathKey } from '../parameters.ts'
import { listMeta, provisioningRoute } from '../route.ts'
import { closed, Flag, Id, Null, orNull, Text } from '../values.ts'

// What the operator of a service does with its accounts, as the commands `shelfwire account` do. No route here shows the contents of an account:
// products, offers, prices and files are read with a token of the account.

const Time = (description: string) => Type.String({ format: 'date-time', description })
const TimeOrNull = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Null], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const account = { account_id: PathId('The account.') }

const OperatorAccount = Type.Object(
  {
    id: Id,
    name: Text,
    currency: Type.String({ description: 'In which costs are compared (ISO 4217); it never changes.' }),
    locale: Text,
    time_zone: Text,
    is_suspended: Flag,
    suspended_at: TimeOrNull('Since when; null: it is not suspended.'),
    suspension_reason: Type.Union([Text, Null], { description: 'What its members read in the panel.' }),
  },
  { $id: 'OperatorAccount' },
)

const OperatorErasure = Type.Object(
  {
    account_id: Id,
    state: Type.String({
      enum: ['waiting', 'erasing', 'erased', 'checked'],
      description:
        'waiting: it begins at due_at, and can be taken back until then; checked: everything was looked through once more.',
    }),
    asked_at: Time('When it was asked for.'),
    due_at: Time('When it begins.'),
    reference: Type.Union([Text, Null], { description: 'The operator’s own.' }),
    erases_people: Type.Boolean({ description: 'Whether people who are members of no other account are erased, too.' }),
    started_at: TimeOrNull('When it began.'),
    finished_at: TimeOrNull('When no row and no file was left.'),
    checked_at: TimeOrNull('When everything was looked through once more.'),
    rows: Type.Record(Text, Type.Integer(), { description: 'Rows that were deleted, by table.' }),
    people: Count('People who were erased.'),
    pictures: Count('Stored pictures that were removed.'),
    files: Count('Files of imports that were removed.'),
  },
  { $id: 'OperatorErasure' },
)

const Limit = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Null], { description })
const OperatorLimit = Type.Object(
  {
    budget: Type.String({ enum: [...BUDGET_NAMES], description: 'Its name; further ones may come.' }),
    used: Count('How much of it is used.'),
    limit: Limit('What holds; null: there is none.'),
    default: Limit('What holds where nothing is set for the account.'),
    is_set: Type.Boolean({ description: 'Whether it is set for the account.' }),
    is_near: Type.Boolean({ description: 'Whether 80 % of the limit or more are used.' }),
  },
  { $id: 'OperatorLimit' },
)

const OperatorOwner = Type.Object(
  {
    account_id: Id,
    member_id: Id,
    email: Text,
    role: Type.Literal('owner'),
    link: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Sets a password and signs in; shown once, and absent where the answer is repeated under an Idempotency-Key.',
      }),
    ),
  },
  { $id: 'OperatorOwner' },
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
    'With its default store, customer group and pricing rule, as `shelfwire account create` does. Send an Idempotency-Key: names are not unique, so a request that is repeated without one makes a second account.',
  body: {
    noun: 'account',
    schema: Type.Object(
      {
        name: Text,
        currency: Type.String({ description: 'In which costs are compared (ISO 4217); it never changes.' }),
        locale: Type.String({ description: 'Which texts fall back to (BCP 47).' }),
        time_zone: Type.Optional(Type.String({ description: 'IANA name; UTC when left out.' })),
        store: Type.Optional(
          Type.Object(
            {
              slug: Type.Optional(Type.String({ description: 'main when left out.' })),
              name: Type.Optional(Type.String({ description: 'The account’s when left out.' })),
              locale: Type.Optional(Type.String({ description: 'The account’s when left out.' })),
              currency: Type.Optional(Type.String({ description: 'The account’s when left out.' })),
            },
            { ...closed, description: 'The default store.' },
          ),
        ),
        group: Type.Optional(Type.String({ description: 'Name of the default customer group; Retail when left out.' })),
        markup: Type.Optional(
          Type.String({ description: 'Percent that the default pricing rule adds to costs; 25 when left out.' }),
        ),
        additional_members: Type.Optional(
          Type.Array(Type.String({ enum: [...ADDITIONAL_MEMBER_NAMES] }), {
            description: 'Members of products beside those that all accounts read; all of them when left out.',
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
  description: 'Whether it is suspended, and what it is called.',
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
  description: 'All other settings are the account’s own.',
  params: account,
  body: { noun: 'account', schema: Type.Object({ name: Text }, closed) },
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
    'Its requests are refused and its work rests within seconds, and nothing is lost. Of one that is suspended, the reason is replaced.',
  params: account,
  body: {
    noun: 'suspension',
    schema: Type.Object(
      { reason: Type.Optional(orNull(Text, 'must be a string or null')) },
      { ...closed, description: '`reason` is what its members read in the panel.' },
    ),
  },
  status: 200,
  answer: { data: OperatorAccount },
  returns: 'The account, which is suspended.',
  problems: ['unknown-account'],
})

export const DELETE_SUSPENSION = provisioningRoute({
  id: 'deleteSuspension',
  method: 'delete',
  path: '/v1/operator/accounts/{account_id}/suspension',
  summary: 'Let a suspended account go on',
  description:
    'It goes on where it stopped. Nothing happens to one that is not suspended; one that is to be erased is refused with 409.',
  params: account,
  status: 204,
  returns: 'The account goes on; there is no body.',
  problems: ['unknown-account'],
})

export const GET_ERASURE = provisioningRoute({
  id: 'getErasure',
  method: 'get',
  path: '/v1/operator/accounts/{account_id}/erasure',
  summary: 'Read how far an erasure is, or its receipt',
  description: 'The receipt stays when nothing else of the account is left; it has no personal data.',
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
  summary: 'Erase an account with everything that is kept of it',
  description:
    'The account is suspended at once, and erased by a process with the `work` role after so many days: until it begins, a DELETE takes it back, and another PUT counts in its place. Export before you erase.',
  params: account,
  body: {
    noun: 'erasure',
    schema: Type.Object(
      {
        confirm: Type.String({ description: 'The account’s name.' }),
        after_days: Type.Optional(
          Type.Integer({
            description: '0, which is when left out: as soon as every process knows that it is suspended.',
          }),
        ),
        people: Type.Optional(
          Type.Boolean({ description: 'Whether people who are members of no other account are erased, too.' }),
        ),
        reference: Type.Optional(
          orNull(
            Type.String({ description: 'What the receipt is to name; no personal data.' }),
            'must be a string or null',
          ),
        ),
      },
      closed,
    ),
  },
  status: 202,
  answer: { data: OperatorErasure },
  returns: 'The erasure, as it is to be.',
  problems: ['unknown-account'],
})

export const DELETE_ERASURE = provisioningRoute({
  id: 'deleteErasure',
  method: 'delete',
  path: '/v1/operator/accounts/{account_id}/erasure',
  summary: 'Take an erasure back that has not begun',
  description: 'The account stays suspended.',
  params: account,
  status: 204,
  returns: 'The account is not erased; there is no body.',
  problems: ['unknown-account', 'unknown-reference'],
})

export const LIST_OPERATOR_LIMITS = provisioningRoute({
  id: 'listOperatorLimits',
  method: 'get',
  path: '/v1/operator/accounts/{account_id}/limits',
  summary: 'List the budgets of an account',
  description: 'Every budget with its use and its limit.',
  params: account,
  status: 200,
  answer: { list: OperatorLimit, meta: Type.Object({}) },
  returns: 'All budgets.',
  problems: ['unknown-account'],
})

export const PUT_OPERATOR_LIMIT = provisioningRoute({
  id: 'putOperatorLimit',
  method: 'put',
  path: '/v1/operator/accounts/{account_id}/limits/{budget}',
  summary: 'Set a limit for an account',
  description: 'Processes follow within seconds. A limit below what an account has takes nothing away.',
  params: { ...account, budget: PathKey('As the list of budgets names it.') },
  body: {
    noun: 'limit',
    schema: Type.Object(
      {
        limit: Type.Union([Type.Integer({ minimum: 0, maximum: AMOUNT_MAX }), Null], {
          description: 'null: none.',
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
  summary: 'Let the default of a budget hold again',
  description: 'Answers 404 where nothing is set for the account.',
  params: { ...account, budget: PathKey('As the list of budgets names it.') },
  status: 204,
  returns: 'The default holds; there is no body.',
  problems: ['unknown-account', 'unknown-reference'],
})

export const CREATE_OPERATOR_OWNER = provisioningRoute({
  id: 'createOperatorOwner',
  method: 'post',
  path: '/v1/operator/accounts/{account_id}/owners',
  summary: 'Add an owner to an account',
  description:
    'Nothing is mailed: pass the link on. Whoever opens it within its days sets a password and signs in to the panel.',
  params: account,
  body: {
    noun: 'owner',
    schema: Type.Object({ email: Type.String({ description: 'An e-mail address.' }) }, closed),
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
