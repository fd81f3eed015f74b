import { exchange, type Answer } from './client.ts'
import { useRead } from './read.ts'
import { revised, type Revised } from './resources.ts'

// What applies to the whole account.

export type Settings = Answer<'GET /v1/account'>['data']

export function useSettings(accountId: number) {
  return useRead('GET /v1/account', { accountId })
}

/** The account's own currency; empty as long as its settings are not read. */
export const useOwnCurrency = (accountId: number): string => useSettings(accountId).data?.data.currency ?? ''

/** The settings with what an edit of them sends as its revision. */
export async function readSettings(accountId: number): Promise<Revised<Settings>> {
  return revised(await exchange('GET /v1/account', { accountId }))
}

export async function changeSettings(accountId: number, body: object, revision: string): Promise<Revised<Settings>> {
  return revised(await exchange('PATCH /v1/account', { accountId, body, revision }))
}
