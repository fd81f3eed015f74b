import { expect, test } from 'vitest'
import { marksAppend } from '../../src/catalog/stale/marks.sql.ts'
import { setListing } from '../harness/product-edits.ts'
import { expectAudited } from '../harness/account.ts'
import { database, setUp, subject, write } from './priced-product.ts'

setUp()

// Payloads of products that enter a store are inserted without an upsert, also in the change log, so existing rows must be known.

const changesOf = (accountId: number) => database.db<{ storeId: number; last: number; isWhole: boolean }[]>`
  select store_id as "storeId", change_id as last, price_id < content_id and content_id = change_id as "isWhole"
  from change where account_id = ${accountId} order by store_id`

test('a product that comes back into one store and is new in another has one change in each, numbered after all others', async () => {
  const { account, id } = await subject()
  const { accountId, storeIds } = account
  const [, second, third] = storeIds
  await write(account, (tx) => setListing(tx, accountId, second, [id], false))
  // as if the product had never been listed there
  for (const table of ['change', 'payload_price', 'payload_content', 'price_history'])
    await database.db.unsafe(`delete from ${table} where account_id = ${accountId} and store_id = ${third}`)
  await database.db`delete from payload_block where account_id = ${accountId} and store_id = ${third}`
  const before = Math.max(...(await changesOf(accountId)).map(({ last }) => last))
  const back = write(account, async (tx) => {
    const written = await setListing(tx, accountId, second, [id], true)
    await marksAppend(tx, accountId, [id])
    return written
  })
  await expect(back).resolves.toBeUndefined()
  const changes = await changesOf(accountId)
  expect(changes.map(({ storeId }) => storeId)).toEqual(storeIds)
  expect(changes.map(({ last, isWhole }) => isWhole && last > before)).toEqual([false, true, true])
  expect(changes.map(({ last }) => last).slice(1)).toEqual([before + 2, before + 4])
  await expectAudited(database.db, accountId)
})

test('a half without its other half is repaired', async () => {
  const { account, id } = await subject()
  const { accountId, storeIds } = account
  const halves = () => database.db`
    select store_id, c.body as content, p.body as price
    from payload_content c full join payload_price p using (account_id, store_id, product_id)
    where account_id = ${accountId} order by store_id`
  const whole = await halves()
  await database.db`delete from payload_price where account_id = ${accountId} and store_id = ${storeIds[0]}`
  await database.db`delete from payload_content where account_id = ${accountId} and store_id = ${storeIds[1]}`
  await expect(write(account, async (tx) => marksAppend(tx, accountId, [id]))).resolves.toBeUndefined()
  expect(await halves()).toEqual(whole)
})
