import type { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Tx } from '../../src/db/sql.ts'
import { createAccount, writeAndShelve } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { servedDocument, strictDocument, validatorOf } from './strict-document.ts'

// Shared by the tests of the read API: a service, and accounts whose every answer is validated by the served document.
// setUp() starts the service for the test file that calls it and stops it at the end.

export let database: TestDatabase
export let service: TestService
let ajv: Ajv2020
/** Registers what begins before the tests of a file, and ends after them. */
export function setUp(): void {
  beforeAll(async () => {
    database = await createDatabase()
    service = await startTestService(database)
    ajv = validatorOf(strictDocument(await servedDocument(service.url)), { allErrors: true })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })
}

/** Fails with the validator's message unless the body matches its schema in the served document and has no other members. */
export function expectShape(body: unknown, schema: string): void {
  const validate = ajv.getSchema(`openapi#/components/schemas/${schema}`)!
  const isValid = validate(body)
  expect(validate.errors ?? []).toEqual([])
  expect(isValid).toBe(true)
}

const SHAPES: readonly [RegExp, string][] = [
  [/^\/v1\/products\//, 'ProductAnswer'],
  [/^\/v1\/products/, 'ProductList'],
  [/^\/v1\/prices\//, 'PricesAnswer'],
  [/^\/v1\/prices/, 'PriceList'],
  [/^\/v1\/stores/, 'StoreList'],
  [/^\/v1\/customer-groups/, 'CustomerGroupList'],
  [/^\/v1\/groups\//, 'VariantGroupAnswer'],
  [/^\/v1\/groups/, 'VariantGroupList'],
  [/^\/v1\/categories/, 'CategoryList'],
  [/^\/v1\/changes/, 'ChangeList'],
  [/^\/v1\/digest\/products/, 'ProductTags'],
  [/^\/v1\/digest\/checks/, 'MirrorCheckList'],
  [/^\/v1\/digest/, 'DigestList'],
]

/** An account of the test's own. `read` returns the body of a 200, `refused` a problem; both are validated by the document. */
export async function open(name = 'acme') {
  const account = await createAccount(service.runtime, name)
  const get = client(service.url, await tokenFor(service.runtime, account.accountId))
  return {
    account,
    get,
    async read(path: string) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 200])
      expectShape(answer.body, SHAPES.find(([form]) => form.test(path))![1])
      return answer.body
    },
    async refused(path: string, status: number, code: string) {
      const answer = await get(path)
      expect([path, answer.status, answer.body?.code]).toEqual([path, status, code])
      expectShape(answer.body, 'Problem')
      return answer.body
    },
    async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const value = await writeAndShelve(service.runtime, account.accountId, work)
      service.runtime.wake.notify('directory', account.accountId)
      return value
    },
  }
}
