import { expect, test } from 'vitest'
import { runGet, runInsert, runsAfter } from '../../src/imports/runs/runs.sql.ts'
import { suppliersList } from '../../src/catalog/settings/suppliers/suppliers.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { must } from '../../src/platform/must.ts'
import { startImportService } from './import-service.ts'
import { recordStatements } from '../harness/plans.ts'
import { ofFile } from '../harness/world.ts'

// Mappings of imports are bounded like those of sources, and a list of imports reads none.

const at = ofFile(() => startImportService(['api']))

const LONG = 'a'.repeat(LIMITS.importMappingCharactersMax)
const mapping = (of: object) => ({ format: 'csv', fields: { sku: 'sku', cost: { column: 'cost', ...of } } })

function form(document: unknown) {
  const sent = new FormData()
  sent.append('mapping', JSON.stringify(document))
  sent.append('file', new Blob(['sku,cost\nA,1\n']), 'list.csv')
  return { method: 'POST', body: sent }
}

test('one that is too large is refused before it is checked, and neither kept nor repeated', async () => {
  const { http, accountId } = await at.enter()
  const ways = ['imports?dry_run=true', 'imports/preview']
  for (const way of ways) {
    const long = await http(`/v1/account/suppliers/acme/${way}`, form(mapping({ default: LONG })))
    expect([way, long.status, long.text]).toEqual([way, 422, expect.stringContaining('at most 200000 characters')])
    const values = Array.from({ length: LIMITS.importMappingValuesMax }, () => 'a')
    const many = await http(
      `/v1/account/suppliers/acme/${way}`,
      form({ ...mapping({}), skip: [{ column: 'c', in: values }] }),
    )
    expect([way, many.status, many.text]).toEqual([way, 422, expect.stringContaining('more than 20000 values')])
  }
  expect((await http('/v1/account/imports')).body.data).toEqual([])
  const [supplier] = await suppliersList(at.database.db, accountId)
  const { supplierId } = must(supplier)
  const older = await inTransaction(at.database.db, (tx) =>
    runInsert(tx, accountId, {
      supplierId,
      sourceId: null,
      trigger: 'upload',
      mode: 'full',
      mapping: mapping({ default: LONG }),
      file: { key: 'k', name: 'list.csv', bytes: 1, hash: 'a'.repeat(64) },
      isDryRun: true,
      isConfirmed: false,
    }),
  )
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  const repeated = await http(`/v1/account/imports/${older}/repeat`, json)
  expect([repeated.status, repeated.text]).toEqual([422, expect.stringContaining('at most 200000 characters')])
})

test('a list of imports reads no mapping, a single one does, with the columns of its fields', async () => {
  const { http, accountId } = await at.enter()
  const { status, body } = await http('/v1/account/suppliers/acme/imports?dry_run=true', form(mapping({})))
  expect(status).toBe(202)
  const [row] = await runsAfter(at.database.db, accountId, { limit: 10 })
  expect(row).toMatchObject({ runId: body.data.id })
  expect(row).not.toHaveProperty('mapping')
  expect(await runGet(at.database.db, accountId, body.data.id)).toMatchObject({ mapping: mapping({}) })
  const { body: one } = await http(`/v1/account/imports/${body.data.id}`)
  expect(one.data.mapping).toEqual(mapping({}))
})

test('of a supplier’s sources one is read without the others', async () => {
  const { http } = await at.enter()
  const json = (body: unknown) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  for (const name of ['one', 'two'])
    expect(
      (
        await http(
          '/v1/account/suppliers/acme/sources',
          json({ name, kind: 'upload', mode: 'delta', mapping: mapping({}) }),
        )
      ).status,
    ).toBe(201)
  const statements = await recordStatements(at.service.runtime.db, async () => {
    expect((await http('/v1/account/suppliers/acme/sources/two')).body.data).toMatchObject({ name: 'two' })
    expect((await http('/v1/account/suppliers/acme/sources/a%00b')).status).toBe(404)
    expect((await http('/v1/account/imports?supplier=acme&source=two')).status).toBe(200)
    const file = { method: 'POST', body: 'sku,cost\nA,1\n' }
    expect((await http('/v1/account/suppliers/acme/imports/preview?source=two', file)).status).toBe(200)
    expect((await http('/v1/account/suppliers/acme/imports/preview?source=three', file)).text).toContain('one, two')
  })
  const reading = statements.map(({ text }) => text).filter((text) => /mapping[^]*from supplier_source/.test(text))
  expect(reading.filter((text) => !/\bname = /.test(text))).toEqual([])
  expect(reading.length).toBeGreaterThan(1)
})
