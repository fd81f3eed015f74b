import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Example } from '../../contract/examples.ts'
import { ROUTES } from '../../contract/routes.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openAccount } from '../../src/shelf/account.ts'
import { client, startTestService, tokenFor, type Answer, type TestService } from '../harness/service.ts'
import type { TestDatabase } from '../harness/database.ts'
import { readDocument, type Documented } from './documented.ts'
import {
  fillCatalog,
  leaveCatalog,
  operate,
  readCatalog,
  writeProducts,
  type Ask,
  type Asked,
} from './example-requests.ts'

const MOMENT = '2026-11-20T10:00:00+00:00'
const DAY = '2026-11-20'
const LINK = `swl_${'EXAMPLE0'.repeat(5)}abc`
const SECRET = `swf_${'EXAMPLE0'.repeat(5)}`
const OPERATOR_TOKEN = 'an-operators-token-0123456789-abcdef'
const ADDRESS = 'https://shelfwire.example.com'

/**
 * Sends a request for every documented operation and each of its successful answers, on an otherwise empty database, and
 * validates each answer by the document. Times, secrets and the address of the service are replaced, so that two runs
 * give the same examples.
 * @param directory for imported files.
 */
export async function recordExamples(database: TestDatabase, directory: string): Promise<Record<string, Example>> {
  const importDir = fileURLToPath(new URL('../../docs/examples', import.meta.url))
  const env = { RATE_LIMIT_PER_SECOND: '1000', OPERATOR_TOKEN, DATA_DIR: directory, IMPORT_DIR: importDir }
  await using service = await startTestService(database, { env })
  const document = await readDocument(service.url)
  const { accountId } = await inTransaction(service.runtime.db, (tx) =>
    openAccount(tx, {
      name: 'Garden shop',
      currency: 'EUR',
      locale: 'en',
      store: { slug: 'main', name: 'Main shop', locale: 'en', currency: 'EUR' },
    }),
  )
  const { examples, ask } = recorder(service, document, await tokenFor(service.runtime, accountId, 'full'))
  const ids = await fillCatalog(ask)
  await writeProducts(ask, ids)
  await readCatalog(ask, ids, async () => {
    // this worker does the stored operations and imports
    await using _worker = await startTestService(database, { roles: ['work'], env })
    const one = { params: { id: ids.bulk } }
    await expect
      .poll(async () => (await ask('getOperation', { ...one, isPassing: true })).data.state, { timeout: 30_000 })
      .toBe('succeeded')
    for (const id of ids.runs)
      await expect
        .poll(async () => (await ask('getImport', { params: { id }, isPassing: true })).data.ended_at, {
          timeout: 30_000,
        })
        .not.toBe(null)
    await ask('getOperation', one)
  })
  await leaveCatalog(ask, ids)
  await operate(ask)
  return Object.fromEntries(
    ROUTES.flatMap(({ id }) => {
      const example = examples.get(id)
      return example === undefined ? [] : [[id, example]]
    }),
  )
}

function recorder(service: TestService, document: Documented, token: string) {
  const examples = new Map<string, Example>()
  const full = client(service.url, token)
  const nobody = client(service.url, null)
  const operator = client(service.url, OPERATOR_TOKEN)
  const ask: Ask = async (operationId, { params = {}, query = {}, body, file, headers = {}, isPassing } = {}) => {
    const route = ROUTES.find(({ id }) => id === operationId)
    if (route === undefined) throw new Error(`there is no operation ${operationId}`)
    const address = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    const path = search === '' ? address : `${address}?${search}`
    const type = route.method === 'patch' ? 'application/merge-patch+json' : 'application/json'
    const answer = await (route.access === 'none' ? nobody : route.access === 'operator' ? operator : full)(path, {
      method: route.method.toUpperCase(),
      headers: {
        prefer: 'wait=25',
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(file === undefined ? {} : { 'content-type': file.type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file.content }),
    })
    expect([operationId, answer.status < 300 ? 'done' : answer.text]).toEqual([operationId, 'done'])
    document.hold(route.method, path, answer)
    if (isPassing !== true) note(operationId, { params, query, ...(body === undefined ? {} : { body }) }, answer)
    return answer.body
  }
  const note = (operationId: string, asked: Asked, answer: Answer) => {
    const { answers, ...request } = examples.get(operationId) ?? { ...asked, answers: {} }
    const shown = {
      type: (answer.headers.get('content-type') ?? '').split(';')[0],
      body: (answer.body as unknown) ?? answer.text,
    }
    const all = answer.text === '' ? answers : { [answer.status]: shown, ...answers }
    examples.set(operationId, settled({ ...request, answers: all }))
  }
  /** An example without the parts that differ from run to run. */
  const settled = (example: Example): Example =>
    JSON.parse(
      JSON.stringify(example)
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/g, MOMENT)
        .replaceAll(/"day":"[\d-]+"/g, `"day":"${DAY}"`)
        .replaceAll(/swf_[0-9A-Za-z]{40}/g, SECRET)
        .replaceAll(/swl_[\w-]{43}/g, LINK)
        .replaceAll(service.url, ADDRESS),
    ) as Example
  return { examples, ask }
}
