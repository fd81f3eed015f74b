import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { client, startTestService, tokenFor, type Answer, type TestService } from '../harness/service.ts'

// Shared by the tests of the write API: a service, and for each test an account with a full token.
// setUp() starts the service for the test file that calls it and stops it at the end.

export let database: TestDatabase
export let service: TestService
export let account: TestAccount
let accounts = 0
export let send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
export let read: (path: string) => Promise<Answer>

/** Registers what begins before the tests of a file, and ends after them. */
export function setUp(): void {
  beforeAll(async () => {
    database = await createDatabase()
    service = await startTestService(database)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    account = await createAccount(service.runtime, `a${accounts++}`)
    const http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
    read = (path) => http(path)
    send = (method, path, body, headers = {}) =>
      http(`/v1/account${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
  })
}

export const offers = (...skus: string[]) =>
  giveOffers(
    service.runtime,
    account,
    skus.map((sku) => offer(sku)),
  )
