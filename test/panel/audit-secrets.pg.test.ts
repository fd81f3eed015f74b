import { expect, test } from 'vitest'
import { createAccount, openBench } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { startTestService } from '../harness/service.ts'
import { makeMember, makePerson, signedIn } from './browser.ts'

test('the audit trail has the kind of credentials, and nothing else of them', async () => {
  await using database = await createDatabase()
  const account = await createAccount(openBench(database.db))
  const personId = await makePerson(database.db, 'anna@example.com')
  await makeMember(database.db, account.accountId, personId, 'anna@example.com', 'owner')
  await using service = await startTestService(database)
  const browser = await signedIn(database.db, service.url, personId)
  const headers = { 'Shelfwire-Account': String(account.accountId) }
  const path = '/v1/account/suppliers/north/sources/stock'
  const body = {
    kind: 'http',
    url: 'https://files.example/stock.csv',
    mapping: { fields: { sku: 'sku' } },
    credentials: { kind: 'basic', username: 'hush-name', password: 'hush-password' },
  }
  expect((await browser.send('PUT', path, { headers, body })).status).toBe(201)
  const patch = { credentials: { kind: 'header', name: 'X-Key', value: 'hush-value' } }
  expect((await browser.send('PATCH', path, { headers, body: patch })).status).toBe(200)
  expect((await browser.send('PATCH', path, { headers, body: { credentials: null } })).status).toBe(200)
  const { data } = (await browser.get(`/panel/api/accounts/${account.accountId}/audit`)).body
  const kinds = data
    .filter((row: { target: string }) => row.target === path)
    .map(({ details }: { details: { body: { credentials: unknown } } }) => details.body.credentials)
  expect(kinds).toEqual([null, { kind: 'header' }, { kind: 'basic' }])
  expect(JSON.stringify(data)).not.toContain('hush')
})
