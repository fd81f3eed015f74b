import { limitsOf, limitsOfAccounts } from '../../src/accounts/limits/limits.sql.ts'
import { accountsWithChanges, changesInsert, changesTake, usesAdd, usesOf } from '../../src/accounts/limits/use.sql.ts'
import { accountRates, tokenRatesTake } from '../../src/accounts/token-rates.sql.ts'
import { tokenRequestsInsert, tokenRequestsPage, tokenRequestsTrim } from '../../src/accounts/token-requests.sql.ts'
import type { Db } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { fileBytesKept, runAge } from '../../src/imports/runs/runs.sql.ts'
import { operationAge } from '../../src/operations/operations.sql.ts'
import { reading as read, undone, type HotQuery, type Subject } from './hot-queries.ts'

const CHANGES = [
  { budget: 'products', amount: 3 },
  { budget: 'offers', amount: 4 },
] as const
const RATE = { perSecond: 100, burst: 200 }

export const TOKEN_PLANS: Readonly<Record<string, string[][]>> = {
  'rates of an account': [['token_rate_pkey by account_id, token_id']],
  'requests with tokens: insert': [[]],
  'requests with tokens: trim': [
    [
      'Tid Scan of token_request',
      'token_request drops by (account_id = ?)',
      'token_request_pkey by account_id, token_id',
    ],
  ],
  'requests with a token': [['token_request_pkey by account_id, token_id']],
}

const requestOf = (accountId: number) => ({
  accountId,
  tokenId: 1,
  at: new Date(),
  method: 'GET',
  route: '/v1/products',
  address: '/v1/products?page=2',
  status: 200,
  code: null,
  durationMs: 1,
  requestId: 'x',
  leftOut: 0,
})

/** Adds as many requests with each of an account's tokens as are kept, and a few more: on an empty table all plans cost the same. */
export async function fillTokenRequests(db: Db, accountId: number): Promise<void> {
  const count = LIMITS.tokenRequestsKept + LIMITS.tokenRequestsUntrimmed
  await db`
    insert into token_request (account_id, token_id, at, method, route, address, status, duration_ms, request_id, left_out)
    select ${accountId}, t.token_id, now(), 'GET', '/v1/products', '/v1/products', 200, 1, 'x', 0
    from token t cross join generate_series(1, ${count}::int) where t.account_id = ${accountId}
    order by random()`
}

/** The statements that keep the budgets, rates and requests of accounts. */
export function budgetQueries(db: Db, { accountId }: Subject): HotQuery[] {
  return [
    undone(db, 'rates of tokens: take', (tx) =>
      tokenRatesTake(
        tx,
        [1, 2, 3].map((tokenId) => ({ accountId, tokenId, rate: RATE, owed: 25, wanted: 12 })),
      ),
    ),
    undone(db, 'requests with tokens: insert', async (tx) => await tokenRequestsInsert(tx, [requestOf(accountId)])),
    undone(db, 'requests with tokens: trim', async (tx) => await tokenRequestsTrim(tx, accountId, [1])),
    read('requests with a token', async () =>
      tokenRequestsPage(db, accountId, 1, { before: undefined, failed: true, limit: 51 }),
    ),
    read('rates of an account', async () => await accountRates(db, accountId)),
    undone(db, 'use: note', async (tx) => await changesInsert(tx, accountId, CHANGES)),
    read('use: what is noted', async () => await usesOf(db, accountId)),
    undone(db, 'use: add up', async (tx) => {
      await changesInsert(tx, accountId, CHANGES)
      await usesAdd(tx, accountId, await changesTake(tx, accountId, 100))
    }),
    read('use: accounts with changes', () => accountsWithChanges(db)),
    read('limits of an account', async () => await limitsOf(db, accountId, ['products'])),
    read('limits of accounts', async () => await limitsOfAccounts(db, [accountId])),
    read('imports within an hour', () => runAge(db, accountId, 20)),
    read('operations within an hour', () => operationAge(db, accountId, 20)),
    read('bytes of import files', () => fileBytesKept(db, accountId, '')),
  ]
}
