import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { spool } from '../../src/operations/spool.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

const { database } = worldOfFile()
const commands = openCommands(database, directoryOfFile('account-operations'))

test('the operator sees how far the operations of an account are, and cancels one that has not ended', async () => {
  const bench = openBench(database.db)
  const { accountId } = await createAccount(bench)
  const other = await createAccount(bench)
  const of = ['--account', String(accountId)]
  expect((await commands.run(['operation', 'list', ...of])).out).toBe('no operations\n')
  // no process works on it
  const id = await inTransaction(database.db, (tx) => spool(tx, accountId, 'bulk_stock', [{}, {}], false))
  expect(await commands.json(['operation', 'list', ...of])).toMatchObject({
    operations: [{ id, kind: 'bulk_stock', state: 'queued', total: 2, done: 0, ended_at: null }],
  })
  expect(await commands.refusal(['operation', 'cancel', String(id), '--account', String(other.accountId)])).toContain(
    `no operation ${id}`,
  )
  expect(await commands.json(['operation', 'cancel', String(id), ...of])).toMatchObject({
    operation: { id, state: 'canceled', ended_at: expect.any(String) },
  })
  expect((await commands.run(['operation', 'list', ...of])).out).toMatch(
    new RegExp(`^${id}\\t\\S+\\tbulk_stock\\tcanceled\\t0 of 2\\n$`),
  )
})
