import { exchange, type Answer } from './client.ts'
import { useRead } from './read.ts'
import { revised, type Revised } from './resources.ts'

// The settings of the account.

export type Settings = Answer<'GET /v1/account'>['data']

export function useSettings(accountId: number) {
  return useRead('GET /v1/account', { accountId })
}

/** The account's own currency; empty until its settings are read. */
export const useOwnCurrency = (accountId: number): string => useSettings(accountId).data?.data.currency ?? ''

/** The settings with the revision that an edit must send. */
export async function readSettings(accountId: number): Promise<Revised<Settings>> {
  return revised(await exchange('GET /v1/account', { accountId }))
}

export async function changeSettings(accountId: number, body: object, revision: string): Promise<Revised<Settings>> {
  return revised(await exchange('PATCH /v1/account', { accountId, body, revision }))
}
