import { limitsOf, limitsOfAccounts } from '../../src/accounts/limits/limits.sql.ts'
import { accountsWithChanges, changesInsert, changesTake, usesAdd, usesOf } from '../../src/accounts/limits/use.sql.ts'
import { accountRates, tokenRatesTake } from '../../src/accounts/token-rates.sql.ts'
import type { Db } from '../../src/db/sql.ts'
import { fileBytesKept, runAge } from '../../src/imports/runs/runs.sql.ts'
import { operationAge } from '../../src/operations/operations.sql.ts'
import { reading as read, undone, type HotQuery, type Subject } from './hot-queries.ts'

const CHANGES = [
  { budget: 'products', amount: 3 },
  { budget: 'offers', amount: 4 },
] as const
const RATE = { perSecond: 100, burst: 200 }

/** The statements by which budgets and rates of accounts are kept. */
export function budgetQueries(db: Db, { accountId }: Subject): HotQuery[] {
  return [
    undone(db, 'rates of tokens: take', (tx) =>
      tokenRatesTake(
        tx,
        [1, 2, 3].map((tokenId) => ({ accountId, tokenId, rate: RATE, owed: 25, wanted: 12 })),
      ),
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
