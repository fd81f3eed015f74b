import process from 'node:process'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { inGate } from '../harness/gate.ts'
import { client, startTestService, tokenFor, type Answer } from '../harness/service.ts'
import { readDocument } from './documented.ts'
import { canonical, Dice, eanOf, merged, same, type Json, type World } from './write-walk.ts'
import { openDeck, type Call } from './write-fuzz-calls.ts'
import { ajvWithFormats } from './strict-document.ts'

// Random walks over every operation below /v1/account, drawn from the served document alone: values by the schema and name of
// a member, ids that exist, and now and then something bad. First one request at a time, with all checks before and after it,
// then in concurrent bursts.

const SEED = Number(process.env['SEED'] ?? 20_261_121)
const CALLS = Number(process.env['FUZZ_CALLS'] ?? inGate(120, 250))
const BURSTS = Number(process.env['FUZZ_BURSTS'] ?? inGate(12, 30))
const BURST = 8
/** Operations that need not succeed in a walk, each with the reason. */
const EXCUSED: Readonly<Record<string, string>> = {}

test('random walks over all that an account states: every answer as documented, what was said is read, and nothing else moves', async () => {
  console.log(`write fuzz: SEED=${SEED}`)
  await using database = await createDatabase()
  await using service = await startTestService(database, { roles: ['api', 'work'] })
  const document = await readDocument(service.url)
  const { accountId } = await createAccount(service.runtime)
  const token = await tokenFor(service.runtime, accountId, 'full')
  const http = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const got = await fetch(service.url + path, {
      ...init,
      headers: { ...(init.headers as object), authorization: `Bearer ${token}` },
    })
    const text = await got.text()
    // products in lines are not JSON
    return {
      status: got.status,
      headers: got.headers,
      text,
      body:
        /\/(problem\+)?json/.test(got.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : undefined,
    }
  }
  const dice = new Dice(SEED)
  const ajv = ajvWithFormats({ allErrors: true })
  // not drawn: pictures and suppliers' files, which are not JSON, and sources and notice channels, which send requests to other
  // servers: see test/images/uploads, test/import/uploads and source-settings, test/notices/channels
  const operations = document.operations.filter(
    ({ path }) =>
      /^\/v1\/(account|export|products\/\{id\}\/explain)/.test(path) &&
      !/\/(images|imports|sources|notice-channels)\b/.test(path),
  )
  const validators = new Map(
    operations.flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}).map(
        ({ schema }) => [operation.operationId, ajv.compile(schema)] as const,
      ),
    ),
  )
  const readerOf = (template: string) => operations.find(({ method, path }) => method === 'get' && path === template)
  const schemaOf = (id: string) =>
    Object.values(
      operations.find(({ operation }) => operation.operationId === id)?.operation.requestBody?.content ?? {},
    )[0]?.schema
  const faults = new Map<string, string>()
  const counts: Record<string, Record<string, number>> = {}
  let sent = 0
  let world: World = { ids: {}, keys: {}, offers: [] }

  const report = (
    call: { id: string; method: string; path: string; body?: unknown; headers?: object },
    answer: Answer,
    why: string,
  ) => {
    const key = `${call.id}: ${why.replace(/\d{4,}|«.*?»|".*?"/g, '#')}`
    if (faults.has(key)) return
    faults.set(
      key,
      `${call.id}: ${why}\n    ${call.method.toUpperCase()} ${call.path.slice(0, 200)} ${JSON.stringify(call.headers ?? {})} ${JSON.stringify(call.body)?.slice(0, 600) ?? ''}\n    -> ${answer.status} ${answer.headers.get('etag') ?? ''} ${answer.text.slice(0, 500)}`,
    )
  }
  const send = async (call: Pick<Call, 'id' | 'method' | 'path' | 'body' | 'headers'>): Promise<Answer> => {
    sent++
    const type = call.body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await http(call.path, {
      method: call.method.toUpperCase(),
      headers: { ...type, ...call.headers },
      ...(call.body === undefined
        ? {}
        : { body: typeof call.body === 'string' ? call.body : JSON.stringify(call.body) }),
    })
    const count = (counts[call.id] ??= {})
    count[answer.status] = (count[answer.status] ?? 0) + 1
    if (answer.status >= 500) report(call, answer, `${answer.status}`)
    try {
      document.hold(call.method, call.path, answer)
    } catch (error) {
      report(call, answer, `not as documented: ${(error as Error).message.replaceAll(/\s+/g, ' ').slice(-250)}`)
    }
    return answer
  }
  const get = (id: string, path: string, headers = {}) => send({ id, method: 'get', path, headers })
  const list = async (name: string) =>
    ((await get(`list ${name}`, `/v1/account/${name}?per_page=200`)).body?.data ?? []) as Json[]
  const look = async () => {
    const next: World = { ids: {}, keys: {}, offers: [] }
    for (const { path, method } of operations) {
      const [, name, key] = /^\/v1\/account\/([a-z-]+)\/\{(\w+)\}$/.exec(path) ?? []
      if (name === undefined || method !== 'get') continue
      const rows = await list(name)
      next.ids[name] = rows.flatMap((row) => (row['id'] === undefined ? [] : [row['id'] as number]))
      next.keys[name] = rows.map((row) => String(row[key!]))
    }
    for (const code of next.keys['suppliers']!)
      for (const row of await list(`suppliers/${code}/offers`))
        next.offers.push(row as unknown as World['offers'][number])
    world = next
  }
  const atRest = () =>
    expect
      .poll(
        async () =>
          (await list('operations')).filter(
            ({ state }) => !['succeeded', 'failed', 'canceled'].includes(String(state)),
          ),
        { timeout: 20_000, interval: 20 },
      )
      .toEqual([])
  const shelved = () =>
    expect
      .poll(async () => (await auditAccount(service.runtime.db, accountId)).isStale, { timeout: 20_000, interval: 20 })
      .toBe(false)
  const head = async () => (await http('/v1/changes?since=now')).text

  const { call, rowOf } = openDeck(dice, operations, schemaOf, () => world)

  /** Checks that a refusal names exactly the members of the request that its schema refuses. */
  const holdRefusal = (made: Call, answer: Answer) => {
    const names = ((answer.body?.errors ?? []) as { name: string }[]).map(({ name }) => name)
    const parameters = (made.operation.parameters ?? []).map(({ name }) => name)
    if (answer.body?.status !== answer.status) report(made, answer, 'the problem says another status')
    if (answer.status === 400 && (names.length === 0 || !names.every((name) => parameters.includes(name))))
      report(made, answer, `400 names ${names.join()}`)
    if (answer.status !== 422 || answer.body?.code === 'idempotency-key-reused') return
    const members = new Set([
      ...Object.keys((made.body ?? {}) as Json),
      ...Object.keys(schemaOf(made.id)?.properties ?? {}),
      ...parameters,
      ...(made.id === 'putPriceListFile' ? ['line ', 'file'] : []),
    ])
    if (names.length === 0) report(made, answer, `422 names nothing: ${answer.body?.detail}`)
    const strange = names.filter(
      (name) => !members.has(name.split('.')[0]!) && ![...members].some((member) => name.startsWith(member)),
    )
    if (strange.length > 0) report(made, answer, `422 names what is no member: ${strange.join()}`)
    const first = ({ instancePath, params }: ErrorObject) =>
      instancePath.split('/')[1] ??
      (params as { additionalProperty?: string; missingProperty?: string }).additionalProperty ??
      (params as { missingProperty?: string }).missingProperty ??
      ''
    const assigned = (name: string) => schemaOf(made.id)?.properties?.[name]?.readOnly === true
    // members that the service assigns may be sent back, and are not validated
    const misfits = new Set((validators.get(made.id)?.errors ?? []).map(first).filter((name) => !assigned(name)))
    // a request that sets assigned members is refused before the others are validated
    if ((answer.body?.errors ?? []).every(({ reason }: { reason: string }) => reason.startsWith('is assigned'))) return
    const untold = [...misfits].filter((name) => !names.some((one) => one === name || one.startsWith(`${name}.`)))
    if (untold.length > 0) report(made, answer, `422 is silent about «${untold.join()}» which the schema refuses`)
  }
  // members that change when `action` does
  const moved = /^(percent|fixed_price)$/
  const pathOf = ({ path }: Call) => path.split('?')[0]!

  /** Sends one call without concurrency and checks everything that must then hold. */
  const alone = async (made: Call) => {
    const reader =
      made.method === 'put' || made.method === 'patch' || made.method === 'delete' ? readerOf(made.template) : undefined
    const address = pathOf(made)
    const before = reader === undefined ? undefined : await get(reader.operation.operationId, address)
    const tag = before?.status === 200 ? (before.headers.get('etag') ?? '') : null
    const guard = reader === undefined ? 0 : dice.next()
    if (guard > 0.9) made.headers['if-match'] = '"stale"'
    else if (guard > 0.6 && tag !== null) made.headers['if-match'] = dice.one([tag, '*', `"other", ${tag}`])
    else if (guard > 0.55) made.headers['if-none-match'] = '*'
    if (made.method !== 'get' && dice.chance(0.15)) made.headers['idempotency-key'] = `key-${sent}`
    const headBefore = made.method === 'get' ? '' : await head()
    const fits = validators.get(made.id)?.(made.body) ?? true
    const answer = await send(made)
    if (answer.status >= 400) {
      holdRefusal(made, answer)
      if (made.method !== 'get' && (await head()) !== headBefore) report(made, answer, 'refused, and the feed moved')
      if (reader !== undefined && (await get(reader.operation.operationId, address)).text !== before!.text)
        report(made, answer, 'refused, and something was written')
      return
    }
    if (!fits)
      report(made, answer, `taken, and the schema refuses it: ${ajv.errorsText(validators.get(made.id)?.errors)}`)
    if (made.headers['if-match'] === '"stale"' || (made.headers['if-none-match'] === '*' && tag !== null))
      report(made, answer, 'taken against its precondition')
    const isUnfinished =
      answer.status === 202 ||
      answer.headers.has('operation-location') ||
      made.method === 'delete' ||
      made.headers['prefer'] !== undefined ||
      made.id.endsWith('Store')
    if (made.headers['idempotency-key'] !== undefined) {
      const again = await send(made)
      if (
        again.status !== answer.status ||
        again.headers.get('idempotent-replayed') !== 'true' ||
        (made.id.includes('Channel') ? false : again.text !== answer.text)
      )
        report(made, again, `not replayed alike; first ${answer.status} ${answer.text.slice(0, 150)}`)
    }
    if (made.id.startsWith('bulk') && answer.status === 200) {
      const { data, meta } = answer.body as {
        data: { row: number; status: string; errors?: { name: string }[] }[]
        meta: Record<string, number>
      }
      const sentRows = (made.body as { rows: Json[] }).rows
      if (
        data.length !== sentRows.length ||
        data.some(({ row }, i) => row !== i) ||
        data.length !== meta['created']! + meta['changed']! + meta['unchanged']! + meta['failed']!
      )
        report(made, answer, 'results are not those of the rows')
      for (const { row, status, errors = [] } of data) {
        if ((status === 'failed') !== errors.length > 0)
          report(made, answer, `row ${status} with ${errors.length} errors`)
        for (const { name } of errors)
          if (
            !/^(product_id|sku|ean|value|key|locale|supplier|cost)$/.test(name) &&
            !Object.hasOwn(sentRows[row] ?? {}, name.split('.')[0] ?? '')
          )
            report(made, answer, `a row's error names ${name}`)
      }
      if (
        (made.path.includes('dry_run=true') ||
          data.every(({ status }) => status === 'unchanged' || status === 'failed')) &&
        (await head()) !== headBefore
      )
        report(made, answer, 'nothing was written, and the feed moved')
    }
    if (made.method === 'get') {
      const etag = answer.headers.get('etag')
      const documented304 = '304' in made.operation.responses
      if (documented304 && etag === null) report(made, answer, 'no ETag')
      if (
        etag !== null &&
        documented304 &&
        (await send({ ...made, headers: { ...made.headers, 'if-none-match': etag } })).status !== 304
      )
        report(made, answer, 'If-None-Match of its ETag is not a 304')
      if (answer.headers.get('content-type')?.includes('ndjson') === true)
        for (const line of answer.text.split('\n').filter((text) => text !== ''))
          document.hold('get', '/v1/export', {
            ...answer,
            headers: new Headers({ 'content-type': 'application/json' }),
            body: [JSON.parse(line)],
          })
    }
    if (isUnfinished) await atRest()
    const location = answer.headers.get('location')
    if (answer.status === 201 && location !== null && (await http(location)).status !== 200)
      report(made, answer, `Location ${location} is not there`)
    if (answer.status === 201 && location === null) report(made, answer, '201 without Location')
    if (
      made.method === 'delete' &&
      reader !== undefined &&
      (await get(reader.operation.operationId, address)).status !== 404
    )
      report(made, answer, 'deleted, and still there')
    // patchPriceListEntries answers with the written entries, not with the list
    if (reader === undefined || made.method === 'delete' || made.id === 'patchPriceListEntries') return
    const after = await get(reader.operation.operationId, address)
    if (after.text !== answer.text || after.headers.get('etag') !== answer.headers.get('etag'))
      report(
        made,
        after,
        `GET differs from the answer to the write: ${answer.headers.get('etag')} ${answer.text.slice(0, 400)}`,
      )
    const [then, now] = [(before?.body?.data ?? {}) as Json, (after.body?.data ?? {}) as Json]
    for (const [name, value] of Object.entries(made.body as Json)) {
      // members that the service assigns are ignored in a request
      if (schemaOf(made.id)?.properties?.[name]?.readOnly === true) continue
      if (value === null && !same(now[name] ?? [], []) && !same(now[name], {})) continue
      const wanted = merged(made.method === 'patch' ? then[name] : undefined, value)
      if (value !== null && !same(wanted, now[name], name))
        report(
          made,
          after,
          `${name} was stated as ${JSON.stringify(canonical(wanted))} and reads ${JSON.stringify(canonical(now[name]))}`.replaceAll(
            /\d{4,}/g,
            '#',
          ),
        )
    }
    if (made.method === 'patch')
      for (const name of Object.keys(then))
        if (
          !(name in (made.body as Json)) &&
          !same(then[name], now[name]) &&
          !(moved.test(name) && (made.body as Json)['action'] !== undefined)
        )
          report(
            made,
            after,
            `${name} moved without being named: ${JSON.stringify(then[name])} -> ${JSON.stringify(now[name])}`,
          )
    // sending back the body of the read changes nothing
    for (const other of operations.filter(
      ({ path, method }) => path === made.template && (method === 'put' || method === 'patch'),
    )) {
      const id = other.operation.operationId
      const body = Object.fromEntries(
        Object.entries(now).filter(([name]) => schemaOf(id)?.properties?.[name] !== undefined),
      )
      const still = await head()
      const again = {
        id,
        method: other.method,
        path: address,
        body,
        headers: { 'if-match': after.headers.get('etag') ?? '' },
      }
      const round = await send(again)
      if (round.status !== 200 || round.headers.get('etag') !== after.headers.get('etag'))
        report(again, round, `said again as read (${after.headers.get('etag')}) it is not the same`)
      if ((await head()) !== still) report(again, round, 'said again as read, and the feed moved')
    }
  }

  const put = (path: string, body: unknown) =>
    http(`/v1/account/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const putOffer = (supplier: string, sku: string, ean: string) =>
    put(`suppliers/${encodeURIComponent(supplier)}/offers/${sku}`, {
      cost: '10',
      quantity: 5,
      eans: [ean],
      texts: { en: { title: `T ${sku}` } },
      manufacturer: 'Acme',
      category: 'Tools',
    })
  let replenished = 0
  /** Creates resources of every kind, because a walk may have deleted all of one. */
  const replenish = async () => {
    const n = replenished++
    for (const code of ['north', 'south']) {
      await put(`suppliers/${code}`, { name: code, currency: 'EUR' })
      await putOffer(code, `R${n}`, eanOf(500 + n))
    }
    await put('stores/again', { name: 'Again', locale: 'en', currency: 'EUR' })
    await put('rates/PLN', { rate: '4.3' })
    await put(`attributes/r${n}`, { unit: 'cm' })
    await put(`price-lists/r${n}`, { name: `R${n}`, currency: 'EUR' })
    await look()
    for (const id of world.ids['products'] ?? []) await put(`products/${id}/stock`, { quantity: 3 })
    await put('source-orders/title', { supplier_ids: (world.ids['suppliers'] ?? []).slice(0, 1) })
    const post = (path: string, body: object) =>
      send({ id: 'replenish', method: 'post', path: `/v1/account/${path}`, headers: {}, body })
    const name = `R${n}`
    const newest = world.ids['products']?.at(-1)
    if (newest !== undefined) await post('variant-groups', { products: [{ product_id: newest }] })
    await post('groups', { name })
    await post('categories', { path: name })
    await post('channels', { name, store: 'again', format: 'csv' })
    await post('exclusion-rules', { name, kind: 'price_below', amount: '1' })
    await post('assortment-rules', { name, store_id: world.ids['stores']?.[0], is_listed: true })
    // most edits name conditions, which the default rule does not accept
    for (let i = 0; i < 3; i++) await post('pricing-rules', { name: `${name}.${i}`, action: 'markup', percent: '10' })
  }

  for (let i = 0; i < 12; i++) await putOffer(i % 2 === 0 ? 'north' : 'south', `A${i}`, eanOf(i >> 1))
  const audit = async (when: string) => {
    await atRest()
    await shelved()
    expect(await auditAccount(service.runtime.db, accountId), when).toMatchObject({
      differences: [],
      differencesTotal: 0,
    })
  }
  for (let i = 0; i < CALLS; i++) {
    if (i % 20 === 0) await look()
    if (i % 150 === 75) {
      // enough rows to be answered with 202; every other one is canceled while it runs
      const taken = await send({
        id: 'bulkStock',
        method: 'post',
        path: '/v1/account/bulk/stock',
        headers: {},
        body: { rows: Array.from({ length: 1_500 }, () => rowOf('bulkStock')) },
      })
      if (taken.status !== 202)
        report({ id: 'bulkStock', method: 'post', path: '/v1/account/bulk/stock' }, taken, 'not taken durably')
      if (i % 300 === 75)
        await send({
          id: 'cancelOperation',
          method: 'post',
          path: `/v1/account/operations/${taken.body?.data?.id}/cancel`,
          headers: {},
        })
      await atRest()
      // unlike one that succeeds, a canceled bulk ends before its writes can be read
      await shelved()
    }
    await alone(call())
  }
  await audit('one by one')
  for (let i = 0; i < BURSTS; i++) {
    if (i % 4 === 0) await look()
    await Promise.all(Array.from({ length: BURST }, () => send(call())))
  }
  await audit('in bursts')
  const succeeded = (id: string) =>
    EXCUSED[id] !== undefined || Object.keys(counts[id] ?? {}).some((status) => status.startsWith('2'))
  for (const one of operations) {
    const { operationId } = one.operation
    for (let i = 0; i < 60 && !succeeded(operationId); i++) {
      if (i % 10 === 0) await replenish()
      await look()
      await alone(call(one))
    }
    if (!succeeded(operationId))
      faults.set(operationId, `${operationId} never succeeded: ${JSON.stringify(counts[operationId])}`)
  }
  await audit('in the end')
  console.log(
    `${sent} requests`,
    Object.fromEntries(
      operations.map(({ operation: { operationId } }) => [operationId, JSON.stringify(counts[operationId] ?? {})]),
    ),
  )
  expect([...faults.values()].join('\n')).toBe('')
}, 120_000)

test('a price too large to be held back stops nothing', async () => {
  await using database = await createDatabase()
  await using service = await startTestService(database, { roles: ['api', 'work'] })
  const { accountId } = await createAccount(service.runtime)
  const http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const say = async (method: string, path: string, body: object) =>
    (
      await http(`/v1/account${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status
  const statuses = [
    await say('PATCH', '', { price_jump_factor: '2' }),
    await say('PUT', '/rates/PLN', { rate: '4000000' }),
    await say('PUT', '/suppliers/north/offers/A', { cost: '1', quantity: 5 }),
    // 4 × 10^18 PLN, more than the 10^18 that price_hold's columns can store
    await say('PUT', '/suppliers/north/offers/A', { cost: '999999999999', quantity: 5 }),
    await say('POST', '/groups', { name: 'G' }),
  ]
  expect(statuses).toEqual([200, 200, 201, 200, 201])
})
