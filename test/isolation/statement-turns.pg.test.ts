import { expect, test } from 'vitest'
import { createAccount } from '../harness/account.ts'
import { hold, until } from '../harness/interleave.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// Slow reads of one account, simulated by waiting for a lock.

const { database, service, http: greedy } = worldOfFile({ service: {}, account: 'many slow reads' })

test('slow reads of one account leave connections to the others, and are all answered (I180)', async () => {
  const { accountId } = await createAccount(service.runtime, 'one read')
  const modest = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const runs = '/v1/account/imports'
  const stores = '/v1/account/stores'
  expect((await modest(stores)).status).toBe(200)
  const { max } = service.runtime.db.pool()
  let slow: Promise<{ status: number }[]>
  {
    await using _locked = await hold(database.db, (tx) => tx.unsafe('lock table import_run in access exclusive mode'))
    slow = Promise.all(Array.from({ length: 3 * max }, () => greedy(runs)))
    const blocked = async () => {
      const [row] = await database.db<{ count: number }[]>`
        select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and not l.granted and l.relation = 'import_run'::regclass`
      return row!.count
    }
    await until('slow reads have all that they may', async () => (await blocked()) >= max / 2)
    const answers = await Promise.all(Array.from({ length: 2 * max }, () => modest(stores)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await blocked()).toBe(max / 2)
  }
  expect(new Set((await slow).map(({ status }) => status))).toEqual(new Set([200]))
})
