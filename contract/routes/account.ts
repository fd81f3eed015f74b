import { AccountPatch, AccountSettings } from '../product-resources.ts'
import { GET_ACCOUNT_LIMITS } from './account-limits.ts'
import { readRoute, writeRoute } from '../route.ts'
import { WRITES } from './write-note.ts'

// The account's own settings.

export const GET_ACCOUNT = readRoute({
  id: 'getAccount',
  path: '/v1/account',
  tag: 'account',
  summary: 'Read the account’s settings',
  description: 'Settings that apply to the whole account.',
  answer: { data: AccountSettings },
  returns: 'The account’s settings.',
  problems: ['unknown-account'],
})

export const PATCH_ACCOUNT = writeRoute({
  id: 'patchAccount',
  method: 'patch',
  path: '/v1/account',
  tag: 'account',
  summary: 'Change the account’s settings',
  description: `The currency cannot be changed, because costs and exchange rates depend on it. ${WRITES}`,
  body: { noun: 'account', schema: AccountPatch },
  answer: { data: AccountSettings },
  returns: 'The account’s settings after the write.',
  problems: ['unknown-account'],
  statuses: [200],
})

export const ACCOUNT_ROUTES = [GET_ACCOUNT, PATCH_ACCOUNT, GET_ACCOUNT_LIMITS] as const
