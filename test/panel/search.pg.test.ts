import { expect, test } from 'vitest'
import { createAccount, giveOffers, offer, openBench } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { startTestService } from '../harness/service.ts'
import { makeMember, makePerson, signedIn } from './browser.ts'

test('a product is found by its id, SKU or EAN, and by a part of a title, only in its account', async () => {
  await using database = await createDatabase()
  const bench = openBench(database.db)
  const [mine, other] = [await createAccount(bench, 'mine'), await createAccount(bench, 'other')]
  const offers = [
    offer('A-1', {
      eans: ['4006381333931'],
      texts: { en: { title: 'Hammer 100% "steel"' }, de: { title: 'Schlosserhammer' } },
    }),
    offer('A-2', { texts: { en: { title: 'Gloves', description: 'not a hammer' } } }),
  ]
  const [hammer = 0, gloves = 0] = await giveOffers(bench, mine, offers)
  await giveOffers(bench, other, offers)
  const personId = await makePerson(database.db, 'anna@example.com')
  await makeMember(database.db, mine.accountId, personId, 'anna@example.com', 'member')
  await using service = await startTestService(database)
  const browser = await signedIn(database.db, service.url, personId)
  const search = async (text: string, accountId = mine.accountId) =>
    await browser.get(`/panel/api/accounts/${accountId}/products?search=${encodeURIComponent(text)}`)
  const found = async (text: string) => (await search(text)).body.data.map(({ id }: { id: number }) => id)

  expect(await found(String(hammer))).toEqual([hammer])
  expect(await found('4006381333931')).toEqual([hammer])
  expect(await found('HAMM')).toEqual([hammer])
  expect(await found('schlosser')).toEqual([hammer])
  expect(await found('100% "ste')).toEqual([hammer])
  // what has a meaning in patterns is text
  expect(await found('1_0%')).toEqual([])
  expect(await found('glo')).toEqual([gloves])
  expect(await found('not a hammer')).toEqual([])
  expect((await search('hammer')).body).toMatchObject({
    data: [{ title: 'Hammer 100% "steel"', ean: '4006381333931', stores: 3 }],
    meta: { is_capped: false },
  })
  expect((await search('hammer', other.accountId)).status).toBe(404)
})
