import { expect, test } from 'vitest'
import { storesList } from '../../src/catalog/settings/stores/stores.sql.ts'
import { deleteStore, makeDefaultStore } from '../../src/catalog/settings/stores/stores.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount } from '../harness/account.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { refusal } from '../harness/refusal.ts'
import { worldOfFile } from '../harness/world.ts'

// Deleting and the default store. Other effects of deletions are tested in test/api/write-deletions*, remaining data in test/operations/deletion.

const { database, bench } = worldOfFile()
const write = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(database.db, work)

test('the default store is not deleted before another one is the default', async () => {
  const account = await createAccount(bench, 'store-default')
  const {
    accountId,
    storeIds: [main, german],
  } = account
  expect(await refusal(write((tx) => deleteStore(tx, accountId, main)))).toMatchObject({ code: 'conflict' })
  await write((tx) => makeDefaultStore(tx, accountId, german))
  await write((tx) => deleteStore(tx, accountId, main))
  expect((await storesList(database.db, accountId)).map((row) => [row.slug, row.isDefault])).toEqual([
    ['de', true],
    ['pl', false],
  ])
})

test('there is one default store, whichever are made the default or deleted at the same time', async () => {
  const account = await createAccount(bench, 'store-race')
  const {
    accountId,
    storeIds: [, german, polish],
  } = account
  const defaults = async () =>
    (await storesList(database.db, accountId)).filter((row) => row.isDefault).map((row) => row.slug)
  await using second = openNamed(database)
  await using first = await hold(database.db, (tx) => makeDefaultStore(tx, accountId, german))
  const running = inTransaction(second.db, (tx) => makeDefaultStore(tx, accountId, polish), 0)
  expect(await second.fate(running)).toBe('blocked')
  await first.commit()
  await running
  expect(await defaults()).toEqual(['pl'])
  // one writer makes it the default, the other deletes it: the second is refused
  await using third = await hold(database.db, (tx) => makeDefaultStore(tx, accountId, german))
  const deleting = inTransaction(second.db, (tx) => deleteStore(tx, accountId, german), 0)
  const refused = refusal(deleting)
  expect(await second.fate(deleting)).toBe('blocked')
  await third.commit()
  expect(await refused).toMatchObject({ code: 'conflict' })
  expect(await defaults()).toEqual(['de'])
})
