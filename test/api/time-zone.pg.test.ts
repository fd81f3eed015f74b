import { expect, test } from 'vitest'
import { clockStep } from '../../src/shelf/clock.ts'
import { database, account, offers, read, send, service, setUp } from './full-access-account.ts'

setUp()

// A corrected time zone: rules apply by the current day of the new zone, whether that is a later or an earlier day.

// 25 hours apart, so the two never have the same day
const EAST = 'Pacific/Kiritimati'
const WEST = 'Pacific/Pago_Pago'

const today = async (zone: string) => {
  const [row] = await database.db<{ day: string; before: string }[]>`
    select (clock_timestamp() at time zone ${zone})::date::text as day, ((clock_timestamp() at time zone ${zone})::date - 1)::text as before`
  return row!
}
const move = async (zone: string) =>
  expect((await send('PATCH', '', { time_zone: zone })).body.data).toMatchObject({ time_zone: zone })

/** The product’s current price, with the day and the rule that explain it. */
async function shown(productId: number) {
  const product = (await read(`/v1/products/${productId}`)).body.data
  const [price] = product.prices as { computed_price: number; applied_rule_id: number }[]
  const explanation = (await read(`/v1/products/${productId}/explain`)).body.data
  return { price: price!.computed_price, ruleId: price!.applied_rule_id, day: explanation.day as string }
}

test('products are priced by the rules of the day that it is in the account’s time zone, also after it was corrected to an earlier one', async () => {
  const [id = 0] = await offers('A')
  await move(EAST)
  const plain = await shown(id)
  expect(plain.day).toBe((await today(EAST)).day)
  // the rule's last day is yesterday in the east, so it applies only in the west
  const { before } = await today(EAST)
  const rule = (
    await send('POST', '/pricing-rules', { name: 'Week', action: 'markup', percent: '900', valid_to: before })
  ).body.data as { id: number }
  expect(await shown(id)).toEqual(plain)
  const { next_since: since, next_id } = (await read('/v1/changes')).body
  await move(WEST)
  const west = await shown(id)
  expect(west).toMatchObject({ ruleId: rule.id, day: (await today(WEST)).day })
  expect(west.price).toBeGreaterThan(plain.price)
  expect((await read(`/v1/changes?since=${encodeURIComponent(since)}&since_id=${next_id}`)).body.changes).toMatchObject(
    [{ product_id: id, change_type: 'price' }],
  )
  // the loop that moves accounts to the next day has nothing to do
  while (await clockStep(service.runtime.db, service.runtime.wake));
  expect(await shown(id)).toEqual(west)
  await move(EAST)
  expect(await shown(id)).toEqual(plain)
})

test('settings that are edited without the time zone, or with the one that it has, leave the day where it is', async () => {
  const [id = 0] = await offers('A')
  const { accountId } = account
  await move(WEST)
  // as if the clock had been ahead and had stepped back
  await database.db`update account_inputs set day = '2998-11-30', ends_at = '2998-12-01 11:00Z', version = version + 1 where account_id = ${accountId}`
  await send('PATCH', '', { name: 'Acme & Co' })
  await move(WEST)
  expect(await shown(id)).toMatchObject({ day: '2998-11-30' })
})

test('a language that a release before took keeps working; a new one is refused with the nearest, and all faults at once', async () => {
  const { accountId } = account
  const [id = 0] = await offers('L')
  await database.db`update account set locale = 'german' where account_id = ${accountId}`
  await database.db`update store set locale = 'german' where account_id = ${accountId} and slug = 'main'`
  expect((await read('/v1/account')).body.data.locale).toBe('german')
  expect((await read(`/v1/products/${id}`)).status).toBe(200)
  // changes of other members, and the whole body of a read with the invalid locale, are accepted
  expect((await send('PATCH', '', { name: 'Acme' })).body.data).toMatchObject({ name: 'Acme', locale: 'german' })
  const [store] = (await read('/v1/account/stores')).body.data as { slug: string }[]
  expect((await send('PATCH', '/stores/main', { name: 'Shop', locale: 'german' })).body.data).toMatchObject({
    name: 'Shop',
    locale: 'german',
  })
  expect(store).toBeDefined()
  const refused = await send('POST', '/stores', { slug: 'PL!', name: ' ', locale: 'german', currency: 'XXQ' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors.map(({ name }: { name: string }) => name)).toEqual(['slug', 'name', 'locale', 'currency'])
  expect(refused.body.errors[2].reason).toBe(
    'must be a BCP 47 language tag such as en or pl-PL, not "german"; did you mean "de"?',
  )
  expect((await send('PATCH', '', { locale: 'de-XX' })).body.errors).toMatchObject([{ name: 'locale' }])
  expect((await send('PATCH', '', { locale: 'DE-at' })).body.data).toMatchObject({ locale: 'de-AT' })
  await send('PATCH', '', { locale: 'en' })
  await send('PATCH', '/stores/main', { locale: 'en' })
})
