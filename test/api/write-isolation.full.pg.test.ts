import { beforeAll, expect, test } from 'vitest'
import { client, tokenFor } from '../harness/service.ts'
import { AccountWriter, eanOf } from './account-writer.ts'
import { accountRoutes, catalogRoutes, readDocument, type Documented } from './documented.ts'
import { CASES, FEED, key, NOBODYS, type Named, type Request } from './write-isolation-cases.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// Every route below /v1/account with another account's resources named in path, query and body.

const directory = directoryOfFile('isolation')
const { database, service } = worldOfFile({ service: { roles: ['api', 'work'], env: { DATA_DIR: directory } } })
let document: Documented
beforeAll(async () => {
  // ids that cannot be mistaken for another number in an answer
  await database.db`select setval(format('%I.%I', schemaname, sequencename)::regclass, 700000) from pg_sequences where schemaname = 'public' and coalesce(last_value, 0) < 100000`
  document = await readDocument(service.url)
})

/** An account with one resource of each kind, whose name is part of all its texts. */
async function furnish(name: string, number: number): Promise<{ writer: AccountWriter; named: Named }> {
  const writer = await AccountWriter.open(service, document, name)
  const [store, supplier, currency, ean] = [`shop-of-${name}`, `goods-of-${name}`, 'SEK', eanOf(number)]
  const lists = `lists-of-${name}`
  const storeId = (
    await writer.say('PUT', `/stores/${store}`, { name: `Store ${name}`, locale: 'en', currency: 'EUR' })
  ).id as number
  const groupId = (await writer.say('POST', '/groups', { name: `Group ${name}` })).id as number
  await writer.say('PUT', `/rates/${currency}`, { rate: '11' })
  await writer.say('PUT', `/tax-classes/tax-${name}`, { name: `Tax ${name}`, codes: [`Code ${name}`] })
  await writer.say('PUT', `/price-lists/prices-${name}`, { name: `Prices ${name}`, currency: 'EUR' })
  const categoryId = (
    await writer.say('POST', '/categories', { path: `Category ${name}`, supplier_paths: [`Path ${name}`] })
  ).id as number
  await writer.say('PUT', `/attributes/size-${name}`, { unit: `unit ${name}`, labels: { en: `Size ${name}` } })
  const supplierId = (
    await writer.say('PUT', `/suppliers/${supplier}`, { name: `Supplier ${name}`, currency: 'EUR', priority: 0 })
  ).id as number
  await writer.say('PUT', `/suppliers/${supplier}/sources/feed-of-${name}`, {
    kind: 'http',
    url: `https://${name}.example/stock.csv`,
    credentials: { kind: 'bearer', token: `token of ${name}` },
    mapping: { fields: { sku: 'sku' } },
    mode: 'delta',
  })
  await writer.say('PUT', '/source-orders/sku', { supplier_ids: [supplierId] })
  const offer = {
    cost: '10',
    quantity: 5,
    manufacturer: `Maker ${name}`,
    category: `Path ${name}`,
    texts: { en: { title: `Title ${name}` } },
    attributes: [{ key: `size-${name}`, value: `value ${name}` }],
    images: [`https://img.example/${name}.jpg`],
    group: { key: `variants-of-${name}`, title: { en: `Variants ${name}` } },
  }
  const productId = (await writer.say('PUT', `/suppliers/${supplier}/offers/A%2F${name}`, { ...offer, eans: [ean] }))
    .product_id as number
  const otherId = (await writer.say('PUT', `/suppliers/${supplier}/offers/B%2F${name}`, offer)).product_id as number
  await writer.say('PATCH', `/products/${productId}`, { sku: `OWN-${name}`, description: { en: `About ${name}` } })
  await writer.say('PATCH', `/price-lists/prices-${name}/entries?confirm=true`, {
    entries: [{ product_id: productId, price: '12.34' }],
  })
  const variantGroupId = (
    await writer.say('POST', '/variant-groups', {
      title: { en: `Group of ${name}` },
      options: [{ key: `size-${name}`, labels: { en: `Label of ${name}` } }],
      products: [{ product_id: productId, options: { [`size-${name}`]: `XL ${name}` } }],
    })
  ).id as number
  await writer.say('PUT', `/products/${productId}/stock`, { quantity: 3, cost: '7' })
  const pricingRuleId = (
    await writer.say('POST', '/pricing-rules', {
      name: `Rule ${name}`,
      action: 'markup',
      percent: '10',
      priority: 1,
      store_ids: [storeId],
      group_ids: [groupId],
      supplier_ids: [supplierId],
      product_ids: [productId],
    })
  ).id as number
  const exclusionRuleId = (
    await writer.say('POST', '/exclusion-rules', {
      name: `Out ${name}`,
      kind: 'supplier',
      supplier_ids: [supplierId],
      store_ids: [storeId],
      is_active: false,
    })
  ).id as number
  const assortmentRuleId = (
    await writer.say('POST', '/assortment-rules', {
      name: `List ${name}`,
      store_id: storeId,
      is_listed: true,
      supplier_ids: [supplierId],
    })
  ).id as number
  const channelId = (
    await writer.say('POST', '/channels', { name: `File ${name}`, store, format: 'csv', group_id: groupId })
  ).id as number
  const noticeChannelId = (
    await writer.say('POST', '/notice-channels', {
      name: `Team ${name}`,
      kind: 'slack',
      url: `https://hooks.invalid/${name}`,
    })
  ).id as number
  const rows = Array.from({ length: 1_001 }, (_, i) =>
    i === 0 ? { product_id: productId, quantity: 3, cost: '7' } : { sku: `none of ${name}`, quantity: 1 },
  )
  const taken = await writer.send('POST', '/bulk/stock', { rows })
  expect(taken.status).toBe(202)
  await writer.say('PUT', `/suppliers/${lists}`, { name: `Lists ${name}`, currency: 'EUR', priority: 500 })
  const long = `${FEED}L-2,Leaf ${name},2.00 EUR,in stock\nL-3,Line,3.00 EUR,in stock\nL-4,Lid,cheap ${name},in stock\n`
  const runId = await imported(writer, lists, long, 'succeeded')
  const heldRunId = await imported(writer, lists, FEED, 'held')
  await writer.atRest()
  const named = {
    name,
    store,
    storeId,
    groupId,
    currency,
    categoryId,
    variantGroupId,
    attribute: `size-${name}`,
    taxClass: `tax-${name}`,
    priceList: `prices-${name}`,
    supplier,
    supplierId,
    source: `feed-of-${name}`,
    field: 'sku',
    pricingRuleId,
    exclusionRuleId,
    assortmentRuleId,
    channelId,
    noticeChannelId,
    productId,
    otherId,
    productSku: `OWN-${name}`,
    ean,
    offer: `A/${name}`,
    otherOffer: `B/${name}`,
    operationId: taken.body.data.id as number,
    lists,
    runId,
    heldRunId,
  }
  return { writer, named }
}

/** Uploads a file and waits until its import has reached `state`. @returns the id of the run. */
async function imported(writer: AccountWriter, supplier: string, file: string, state: string): Promise<number> {
  const { id } = await writer.say('POST', `/suppliers/${supplier}/imports?mapping=google`, file)
  await expect.poll(async () => (await writer.say('GET', `/imports/${id}`)).state, { timeout: 20_000 }).toBe(state)
  return id as number
}

/** A text with the names and ids in it replaced by placeholders, to compare answers about another account's and about unknown resources. */
function withoutNames(text: string, of: Named): string {
  let without = text
  for (const [name, value] of Object.entries(of).sort(([, a], [, b]) => String(b).length - String(a).length)) {
    if (name !== 'field')
      for (const form of [String(value), key(String(value))])
        without = without.replace(
          new RegExp(`(?<![A-Za-z0-9-])${form}(?![A-Za-z0-9-])`, 'g'),
          typeof value === 'number' ? '«id»' : `«${name}»`,
        )
  }
  return without
}

const send = (writer: AccountWriter, id: string, [path, body]: Request) => {
  const { method } = accountRoutes.find((route) => route.id === id)!
  const address = path.startsWith('../') ? `/v1/${path.slice(3)}` : `/v1/account${path}`
  return writer.ask(
    method.toUpperCase(),
    address,
    body,
    id === 'putPriceListFile' ? { 'content-type': 'text/csv' } : {},
  )
}

test('no two routes of the document have one id', () => {
  const ids = document.operations.map(({ operation }) => operation.operationId)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

test('every route has its case; its owner may, and every answer is as documented', async () => {
  expect(Object.keys(CASES).sort()).toEqual(accountRoutes.map(({ id }) => id).sort())
  const { writer, named } = await furnish('alder', 50)
  await writer.atRest()
  // before its supplier is deleted
  const groups = (await writer.ask('GET', '/v1/groups')).body.data as { id: number }[]
  expect((await writer.ask('GET', `/v1/groups/${groups[0]?.id}`)).status).toBe(200)
  // order: merging before splitting, deletions after that, and resources on which others depend last
  const LATE = ['mergeProducts', 'splitProduct', 'deleteOffer', 'deleteChannel']
  const LAST = ['deleteGroup', 'deleteSupplier', 'deleteStore']
  const rank = (id: string) =>
    id === 'previewUndo'
      ? -1 // before it is undone
      : id === 'undoImport'
        ? 0 // before another file is imported
        : LAST.includes(id)
          ? 20 + LAST.indexOf(id)
          : LATE.includes(id)
            ? 2 + LATE.indexOf(id)
            : id.startsWith('delete')
              ? 10
              : 1
  for (const id of Object.keys(CASES).sort((a, b) => rank(a) - rank(b))) {
    if (id === 'deleteGroup') {
      for (const file of (await writer.send('GET', '/channels')).body.data as { id: number }[])
        await writer.say('DELETE', `/channels/${file.id}`)
      for (const list of (await writer.send('GET', '/price-lists')).body.data as { key: string }[])
        await writer.say('DELETE', `/price-lists/${list.key}`)
    }
    for (const request of CASES[id]!.requests(named)) {
      const answer = await send(writer, id, request)
      // an operation that has ended cannot be canceled
      if (id === 'cancelOperation')
        expect([answer.status === 409 || answer.body.data.state, answer.status]).toEqual([
          expect.toBeOneOf([true, 'succeeded']),
          answer.status,
        ])
      else
        expect([id, request, answer.status < 300 ? 'taken' : `${answer.status} ${answer.text}`]).toEqual([
          id,
          request,
          'taken',
        ])
      if (id.startsWith('bulk')) expect([answer.text, answer.body.meta.failed]).toEqual([answer.text, 0])
      if (id === 'splitProduct') named.otherId = answer.body.data.id as number
    }
  }
  await writer.atRest()
  await writer.audit()
  for (const { path } of catalogRoutes) await writer.ask('GET', path.replace('{id}', String(named.productId)))
  const check = { mirror: 'Medusa', since: '2026-01-01T00:00:00Z', since_id: 0, differing: 0 }
  expect((await writer.ask('POST', '/v1/digest/checks', check)).status).toBe(200)
  const silent = document.operations
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => !document.answered.has(operation) && !/cancel$|export$/.test(operation))
  expect(silent).toEqual([])
})

// an account for each route, which takes a minute on a busy machine
test(
  'with another’s token nothing of an account is changed or seen, whatever is named',
  { timeout: 180_000 },
  async () => {
    const { writer: owner, named } = await furnish('birch', 51)
    const before = await owner.everything()
    const told = [
      'Store birch',
      'Group birch',
      'Category birch',
      'Tax birch',
      'Prices birch',
      'Code birch',
      'Group of birch',
      'Label of birch',
      'XL birch',
      'Path birch',
      'unit birch',
      'Size birch',
      'Supplier birch',
      'Maker birch',
      'Title birch',
      'value birch',
      'About birch',
      'Rule birch',
      'Out birch',
      'List birch',
      'File birch',
      'Leaf birch',
      'Lists birch',
      'birch.jpg',
      'none of birch',
    ]
    for (const marker of told.slice(0, -1)) expect(JSON.stringify(before)).toContain(marker)
    // the owner's data is read after every ten requests; a failure names those ten
    const tried: string[] = []
    const expectUntouched = async () => expect([tried, await owner.everything()]).toEqual([tried, before])
    for (const [id, { requests, makesOwn }] of Object.entries(CASES)) {
      const intruder = await AccountWriter.open(service, document, `intruder ${id}`)
      const nobodys = requests(NOBODYS)
      for (const [i, request] of requests(named).entries()) {
        const theirs = await send(intruder, id, request)
        expect([id, request, told.filter((marker) => theirs.text.includes(marker))]).toEqual([id, request, []])
        if (makesOwn === true && theirs.status < 300) continue
        const none = await send(intruder, id, nobodys[i]!)
        expect([id, request, theirs.status, withoutNames(theirs.text, named)]).toEqual([
          id,
          request,
          none.status,
          withoutNames(none.text, NOBODYS),
        ])
        if (id.startsWith('bulk') && theirs.status === 200)
          expect([id, theirs.body.meta]).toEqual([
            id,
            {
              created: 0,
              changed: 0,
              unchanged: 0,
              failed: (request[1] as { rows: unknown[] }).rows.length,
              dry_run: false,
            },
          ])
        else expect([id, request, theirs.status]).toEqual([id, request, expect.toBeOneOf([404, 409, 422])])
      }
      const mine = JSON.stringify(await intruder.everything())
      expect([id, told.filter((marker) => mine.includes(marker))]).toEqual([id, []])
      tried.push(id)
      if (tried.length === 10) {
        await expectUntouched()
        tried.length = 0
      }
    }
    await expectUntouched()
    await owner.audit()
  },
)

test('without a token 401, with a connector’s or an unbound one 403: every operation, and nothing moves', async () => {
  const { writer: owner, named } = await furnish('cedar', 52)
  const before = await owner.everything()
  const { runtime } = service
  const { accountId } = owner.account
  const tokens: [string, string | null, number, string][] = [
    ['none', null, 401, 'missing-token'],
    ['not one', 'sw_f00000000000000000000000000000000', 401, 'invalid-token'],
    ['expired', await tokenFor(runtime, accountId, 'full', new Date(Date.now() - 60_000)), 401, 'invalid-token'],
    ['connector', await tokenFor(runtime, accountId, 'connector'), 403, 'insufficient-scope'],
    ['unbound', await tokenFor(runtime, null, 'full'), 403, 'token-without-account'],
    [
      'unbound connector',
      await tokenFor(runtime, null, 'connector'),
      403,
      expect.toBeOneOf(['token-without-account', 'insufficient-scope']) as string,
    ],
  ]
  for (const [name, token, status, code] of tokens) {
    const http = client(service.url, token)
    for (const [id, { requests }] of Object.entries(CASES)) {
      const { method } = accountRoutes.find((route) => route.id === id)!
      for (const [path, body] of requests(named)) {
        const address = path.startsWith('../') ? `/v1/${path.slice(3)}` : `/v1/account${path}`
        const answer = await http(address, {
          method: method.toUpperCase(),
          headers: body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': 'cedar' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        document.hold(method, address, answer)
        expect([name, id, answer.status, answer.body?.code]).toEqual([name, id, status, code])
        if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      }
    }
    expect([name, await owner.everything()]).toEqual([name, before])
  }
})

test('Idempotency-Keys of two accounts do not meet, and a replay shows what its own account made', async () => {
  const [one, two] = [
    await AccountWriter.open(service, document, 'one'),
    await AccountWriter.open(service, document, 'two'),
  ]
  for (const [path, body] of [
    ['/groups', { name: 'Same' }],
    ['/products', { sku: 'SAME' }],
    ['/channels', { name: 'C', store: 'main', format: 'csv' }],
  ] as const) {
    const headers = { 'idempotency-key': `same-${path}` }
    const made = await Promise.all([one.send('POST', path, body, headers), two.send('POST', path, body, headers)])
    expect(made.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [201, null],
      [201, null],
    ])
    const ids = made.map(({ body }) => body.data.id as number)
    expect(new Set(ids).size).toBe(2)
    const again = await Promise.all([one.send('POST', path, body, headers), two.send('POST', path, body, headers)])
    expect(
      again.map(({ status, headers, body }) => [status, headers.get('idempotent-replayed'), body.data.id]),
    ).toEqual(ids.map((id) => [201, 'true', id]))
    // a secret is shown only in the first answer
    expect(again.map(({ text }) => text.includes('"url"'))).toEqual([false, false])
    // the use of a key by another account is not noticeable here
    const own = await one.send('POST', path, body, { 'idempotency-key': `one's ${path}`.replaceAll(' ', '-') })
    expect(own.status).toBeOneOf([201, 409])
  }
  const keyed = { 'idempotency-key': 'owner-only' }
  expect((await one.send('POST', '/groups', { name: 'A' }, keyed)).status).toBe(201)
  expect((await two.send('POST', '/groups', { name: 'B' }, keyed)).status).toBe(201)
  expect((await one.send('POST', '/groups', { name: 'B' }, keyed)).body).toMatchObject({
    status: 422,
    code: 'idempotency-key-reused',
  })
})
