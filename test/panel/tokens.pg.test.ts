import { expect, test } from 'vitest'
import { giveOffers, offer } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { client } from '../harness/service.ts'
import { directoryOfFile } from '../harness/world.ts'
import { peopleOfFile, type Ground } from './people-bench.ts'

// Tokens that read without purchase prices: in the panel, in its audit trail and by commands. test/api/without-costs.pg.test.ts tests their reads.

let { account, owner }: Pick<Ground, 'account' | 'owner'> = {} as Ground
const { bench, database, service, of } = peopleOfFile((ground) => ({ account, owner } = ground))
const directory = directoryOfFile('tokens')
const SHOP = { name: 'Shop', access: 'connector' }

/** The price of the account's only product as a token reads it. */
async function priceRead(token: string): Promise<Record<string, unknown>> {
  const answer = await client(service.url, token)('/v1/prices')
  expect(answer.status).toBe(200)
  return answer.body.data[0].prices[0]
}

test('a token that sees no costs is listed as that, and so is the one that replaces it', async () => {
  await giveOffers(bench, account, [offer('A')])
  const made = await owner.post(of('/tokens'), { ...SHOP, sees_costs: false })
  expect([made.status, made.body.data]).toMatchObject([201, { ...SHOP, sees_costs: false, state: 'active' }])
  expect(await priceRead(made.body.data.token)).not.toHaveProperty('base_cost')
  const rotated = await owner.post(of(`/tokens/${made.body.data.id}/rotate`), { overlap_hours: 1 })
  expect([rotated.status, rotated.body.data]).toMatchObject([201, { ...SHOP, sees_costs: false }])
  expect(await priceRead(rotated.body.data.token)).not.toHaveProperty('base_cost')
  expect(await priceRead(rotated.body.data.token)).toHaveProperty('computed_price')
  // the default is a token with purchase prices, as in earlier releases
  const plain = await owner.post(of('/tokens'), SHOP)
  expect(plain.body.data.sees_costs).toBe(true)
  expect(await priceRead(plain.body.data.token)).toMatchObject({ base_cost: 10 })
  const again = await owner.post(of(`/tokens/${plain.body.data.id}/rotate`), { overlap_hours: 0 })
  expect(again.body.data.sees_costs).toBe(true)
  const { data } = (await owner.get(of('/tokens'))).body
  expect(data.map((row: { sees_costs: boolean }) => row.sees_costs)).toEqual([true, true, false, false])
})

test('the audit trail has what a token was made to see', async () => {
  for (const seesCosts of [false, true]) await owner.post(of('/tokens'), { ...SHOP, sees_costs: seesCosts })
  const { data } = (await owner.get(of('/audit'))).body
  const entries = data as { action: string; details: { sees_costs?: boolean } }[]
  const created = entries.filter(({ action }) => action === 'createToken')
  expect(created.map(({ details }) => details.sees_costs)).toEqual([true, false])
})

test('full access without costs is refused, and makes nothing', async () => {
  const refused = await owner.post(of('/tokens'), { name: 'ERP', access: 'full', sees_costs: false })
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { code: 'invalid-input', errors: [{ name: 'sees_costs', reason: expect.stringContaining('must be true') }] },
  ])
  expect((await owner.get(of('/tokens'))).body.data).toEqual([])
  expect((await owner.post(of('/tokens'), { name: 'ERP', access: 'full', sees_costs: true })).status).toBe(201)
  for (const seesCosts of [null, 'false', 0])
    expect([seesCosts, (await owner.post(of('/tokens'), { ...SHOP, sees_costs: seesCosts })).status]).toEqual([
      seesCosts,
      422,
    ])
})

test('token create --without-costs makes one, and token list says so', async () => {
  await giveOffers(bench, account, [offer('A')])
  const commands = openCommands(database, directory)
  const create = ['token', 'create', '--account', String(account.accountId)]
  const made = await commands.json([...create, '--access', 'connector', '--name', 'Shop', '--without-costs'])
  expect(made).toEqual({ token_id: made.token_id, token: made.token, access: 'connector', sees_costs: false })
  expect(await priceRead(made.token)).not.toHaveProperty('base_cost')
  const plain = await commands.json([...create, '--access', 'connector'])
  expect(plain.sees_costs).toBe(true)
  expect(await priceRead(plain.token)).toHaveProperty('base_cost')
  const refused = await commands.run([...create, '--access', 'full', '--without-costs'])
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('--without-costs needs --access connector'),
  })
  const { out } = await commands.run(['token', 'list', '--account', String(account.accountId)])
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => line.split('\t').slice(1)),
  ).toEqual([
    ['connector', 'Shop', 'live', expect.any(String), 'without costs'],
    ['connector', 'connector', 'live', expect.any(String)],
  ])
})
