import { beforeEach, expect, test } from 'vitest'
import { mappingsInUse } from '../../src/imports/sources/known-mappings.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { startImportService, type ImportAccount } from './import-service.ts'
import { ofFile } from '../harness/world.ts'

// A merchant's choices for columns are proposed for the next file with such columns, from the mappings of the same account only.

const at = ofFile(() => startImportService(['api', 'work']))
let mine: ImportAccount
beforeEach(async () => {
  mine = await at.enter()
})

const FILE =
  'Nr;Kurztext;Bez;Preis 1;Preis 2;Menge\nA-1;Spaten, lang;Spaten;10,50;12,90;4\nA-2;Harke, kurz;Harke;8,00;9,90;0\n'
const chosen = (title: string) => ({
  locale: 'de',
  decimal: ',',
  fields: { sku: 'Nr', title, cost: 'Preis 2', quantity: 'Menge' },
})

const json = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
async function addSource(of: ImportAccount, supplier: string, name: string, mapping: unknown) {
  const source = { name, kind: 'upload', mode: 'delta', mapping }
  const { status, text } = await of.http(`/v1/account/suppliers/${supplier}/sources`, {
    method: 'POST',
    ...json(source),
  })
  expect([status, text]).toEqual([201, text])
}
async function importFile(of: ImportAccount, supplier: string, mapping: unknown, query = '') {
  const form = new FormData()
  form.append('mapping', JSON.stringify(mapping))
  form.append('file', new Blob([FILE]), 'list.csv')
  const { status, body, text } = await of.http(`/v1/account/suppliers/${supplier}/imports?${query}`, {
    method: 'POST',
    body: form,
  })
  expect([status, text]).toEqual([202, text])
  const read = async () => (await of.http(`/v1/account/imports/${body.data.id}`)).body.data
  await expect.poll(async () => (await read()).ended_at, { timeout: 50_000 }).not.toBe(null)
  return (await read()).state as string
}
async function detected(of: ImportAccount, supplier: string) {
  const { body } = await of.http(`/v1/account/suppliers/${supplier}/imports/detect`, { method: 'POST', body: FILE })
  const { mapping, reasons } = body.data as {
    mapping: { fields: Record<string, unknown> }
    reasons: { path: string; reason: string }[]
  }
  return {
    fields: mapping.fields,
    title: reasons.filter(({ path }) => path === 'fields.title').map(({ reason }) => reason),
  }
}

test('the mapping of a source is proposed for the file of another supplier, until the source is gone', async () => {
  const plain = await detected(mine, 'acme')
  expect(plain.fields['title']).toBe('Kurztext')
  await addSource(mine, 'north', 'list', chosen('Bez'))
  const north = (await mine.http('/v1/account/suppliers/north')).body.data.name as string
  const { fields, title } = await detected(mine, 'acme')
  expect(fields).toMatchObject({ title: 'Bez', cost: 'Preis 2' })
  expect(title).toEqual([`chosen before in the mapping of ${JSON.stringify(north)}: "Bez", in place of "Kurztext"`])
  expect((await mine.http('/v1/account/suppliers/north/sources/list', { method: 'DELETE' })).status).toBeLessThan(300)
  expect(await detected(mine, 'acme')).toEqual(plain)
})

test('the mapping of the last import that succeeded is; one that was only tried is not', async () => {
  await importFile(mine, 'south', chosen('Bez'), 'dry_run=true')
  expect((await detected(mine, 'acme')).fields['title']).toBe('Kurztext')
  expect(await importFile(mine, 'south', chosen('Bez'), 'confirm=true')).toBe('succeeded')
  expect((await detected(mine, 'acme')).fields['title']).toBe('Bez')
})

test('the supplier’s own mapping counts before others, and what others say is told', async () => {
  await addSource(mine, 'acme', 'own', chosen('Kurztext'))
  await addSource(mine, 'north', 'other', chosen('Bez'))
  const { fields, title } = await detected(mine, 'acme')
  expect(fields['title']).toBe('Kurztext')
  expect(title.at(-1)).toMatch(/^in the mapping of ".*" it is "Bez"$/)
  expect((await detected(mine, 'north')).fields['title']).toBe('Bez')
})

test('nothing of another account is proposed', async () => {
  const other = await at.enter()
  const plain = await detected(mine, 'acme')
  for (const supplier of ['acme', 'north']) await addSource(other, supplier, 'list', chosen('Bez'))
  await importFile(other, 'south', chosen('Bez'), 'confirm=true')
  expect(await detected(mine, 'acme')).toEqual(plain)
  expect((await detected(other, 'acme')).fields['title']).toBe('Bez')
})

test('as many mappings are read as the limits allow, the supplier’s own first, and none that is too long', async () => {
  const { db } = at.database
  const [supplier] = await db<{ supplierId: number }[]>`
    select supplier_id as "supplierId" from supplier where account_id = ${mine.accountId} and code = 'acme'`
  const read = () => mappingsInUse(db, mine.accountId, supplier?.supplierId ?? 0)
  const long = {
    fields: { sku: 'Nr', title: { join: ['Bez', { constant: 'x'.repeat(LIMITS.knownMappingCharactersMax) }] } },
    locale: 'de',
  }
  await addSource(mine, 'north', 'long', long)
  expect(await read()).toEqual([])
  await addSource(mine, 'acme', 'own', chosen('Bez'))
  for (let i = 0; i < LIMITS.knownMappingsMax + 5; i++)
    await addSource(mine, i % 2 === 0 ? 'north' : 'south', `list-${i}`, chosen('Kurztext'))
  const rows = await read()
  expect(rows.length).toBe(LIMITS.knownMappingsMax)
  expect(rows.map(({ isOwn }) => isOwn)).toEqual(rows.map((_, i) => i === 0))
})
