import { expect, test } from 'vitest'
import { openWaiters } from '../../src/feed/waiters.ts'
import { createAccount } from '../harness/account.ts'
import { silentLog } from '../../src/platform/log.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()

test('a waiter is told of changes until its deadline, and of none after it', async () => {
  const { accountId } = await createAccount(bench, 'one')
  const waiters = openWaiters(database.db, bench.wake, silentLog)
  using waiter = waiters.open(accountId, 1) ?? undefined
  const waiting = waiter?.nextChange(10_000)
  bench.wake.notify('change', accountId)
  expect(await waiting).toBe(true)
  // a change that arrived before the wait
  bench.wake.notify('change', accountId)
  expect(await waiter?.nextChange(5)).toBe(true)
  // changes of another store arrive all the time: they must not prolong the wait
  bench.wake.notify('change', accountId)
  expect(await waiter?.nextChange(0)).toBe(false)
  expect(await waiter?.nextChange(-1)).toBe(false)
  waiters.close()
})
