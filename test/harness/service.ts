import { createToken } from '../../src/accounts/create-token.ts'
import type { Access } from '../../src/accounts/token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { silentLog } from '../../src/platform/log.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { openRuntime, type Runtime } from '../../src/runtime.ts'
import { startService, type Role, type Service } from '../../src/service.ts'
import type { TestDatabase } from './database.ts'

export interface TestService extends AsyncDisposable {
  runtime: Runtime
  service: Service
  /** http://127.0.0.1:PORT */
  url: string
}

export interface ServiceOptions {
  roles?: readonly Role[]
  /** Settings, by the names of their variables. */
  env?: Readonly<Record<string, string>>
}

/** Starts the whole service in this process on a test database and a free port. The rate limit is off by default. */
export async function startTestService(
  database: Pick<TestDatabase, 'url'>,
  options: ServiceOptions = {},
): Promise<TestService> {
  const settings = readSettings({
    DATABASE_URL: database.url,
    PORT: '0',
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'silent',
    // in most tests the hosts of pictures do not exist
    MIRROR: 'off',
    // most tests observe the shelving in this process
    SHELVING_PROCESS: 'off',
    ...options.env,
  })
  const runtime = await openRuntime(settings, silentLog)
  const service = await startService(runtime, options.roles ?? ['api'])
  return {
    runtime,
    service,
    url: service.url ?? '',
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await runtime[Symbol.asyncDispose]()
    },
  }
}

export interface Answer {
  status: number
  headers: Headers
  /** Parsed JSON; undefined when the response has none. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  text: string
}

export type Client = ReturnType<typeof client>

/** A client of the API with one token. */
export function client(url: string, token: string | null) {
  return async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = new Headers(init.headers)
    if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(url + path, { ...init, headers })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }
}

export async function tokenFor(
  runtime: Runtime,
  accountId: number | null,
  access: Access = 'connector',
  expiresAt: Date | null = null,
): Promise<string> {
  return (await inTransaction(runtime.db, (tx) => createToken(tx, { accountId, access, expiresAt }))).token
}
