import { describe, expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { until } from '../harness/interleave.ts'
import { client, type Answer } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { makeOwner, makeMember, makePerson, signedIn } from '../panel/browser.ts'

// A client that waits for a change may have lost the right to read it when the change arrives.

const { database, bench, service, account, ids, http } = worldOfFile({
  service: {},
  account: 'acme',
  products: ['A'],
})
let quantity = 10

/** The address of a long poll that waits for the next change. */
async function waitingAt(): Promise<string> {
  const { next_since: since, next_id: id } = (await http('/v1/changes?store=main&since=now')).body
  return `/v1/changes?store=main&since=${encodeURIComponent(since)}&since_id=${id}&wait=25&expand=products`
}
const isWaiting = () =>
  until('it waits', async () => /^shelfwire_long_polls [1-9]/m.test((await client(service.url, null)('/metrics')).text))
const changeStock = () =>
  service.runtime.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId: ids[0]!, quantity: quantity++, cost: '2' }]),
  )

describe('a long poll is answered', () => {
  test('with the change while its token is valid', async () => {
    const poll = http(await waitingAt())
    await isWaiting()
    await changeStock()
    const { status, body } = await poll
    expect([status, body.products.length]).toEqual([200, 1])
  })

  test('with 401 once its token is revoked, whatever has changed since', async () => {
    const { owner } = await makeOwner(database.db, service.url, account.accountId, 'owner@example.com')
    const { token, tokenId } = await inTransaction(bench.db, (tx) =>
      createToken(tx, { accountId: account.accountId, access: 'full' }),
    )
    const revoked = client(service.url, token)
    const poll = revoked(await waitingAt())
    await isWaiting()
    const gone = await owner.send('DELETE', `/panel/api/accounts/${account.accountId}/tokens/${tokenId}`)
    expect(gone.status).toBe(204)
    await until('the token is refused', async () => (await revoked('/v1/stores')).status === 401)
    await changeStock()
    const { status, body } = await poll
    expect([status, body.code, body.products]).toEqual([401, 'invalid-token', undefined])
  })

  test('as no account once its member is removed', async () => {
    const personId = await makePerson(database.db, 'leaving@example.com')
    const memberId = await makeMember(database.db, account.accountId, personId, 'leaving@example.com', 'member')
    const leaving = await signedIn(database.db, service.url, personId)
    const asMember = { headers: { 'Shelfwire-Account': String(account.accountId) } }
    const poll: Promise<Pick<Answer, 'status' | 'body'>> = leaving.get(await waitingAt(), asMember)
    await isWaiting()
    await database.db`delete from member where account_id = ${account.accountId} and member_id = ${memberId}`
    await changeStock()
    const { status, body } = await poll
    expect([status, body.products]).toEqual([404, undefined])
  })
})
