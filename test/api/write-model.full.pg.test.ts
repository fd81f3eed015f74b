import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inGate } from '../harness/gate.ts'
import { AccountModel, type Shown } from './account-model.ts'
import { AccountWriter, type Kind } from './account-writer.ts'
import { readDocument, type Documented } from './documented.ts'
import { COMMANDS_BY_NAME, picking, RULE } from './write-model-commands.ts'
import { worldOfFile } from '../harness/world.ts'

// Random sequences of writes over HTTP against a model of the account in memory: after each write clients read what the model
// expects, and the feed names the products that differ in the model. SEED repeats a run, RUNS makes it longer.

const SEED = Number(process.env['SEED'] ?? 20_261_121)
const RUNS = Number(process.env['RUNS'] ?? inGate(5, 10))
const COMMANDS = 25

const { service } = worldOfFile({ service: { roles: ['api', 'work'] } })
let document: Documented
let accounts = 0
beforeAll(async () => {
  document = await readDocument(service.url)
})

/** The account of the harness, as it is before the first command. */
async function begin(): Promise<{ writer: AccountWriter; model: AccountModel }> {
  const writer = await AccountWriter.open(service, document, `model-${accounts++}`)
  const model = new AccountModel()
  const list = async <T>(path: string) => (await writer.send('GET', path)).body.data as T[]
  const LOCALES: Record<string, string[]> = { main: ['en'], de: ['de'], pl: ['pl-PL', 'pl'] }
  for (const { slug, id, currency } of await list<{ slug: string; id: number; currency: string }>('/stores'))
    model.stores.set(slug, { id, currency, locales: LOCALES[slug]!, isActive: true, listsByDefault: true })
  for (const { id, name } of await list<{ id: number; name: string }>('/groups')) model.groups.set(id, name)
  for (const { currency, rate } of await list<{ currency: string; rate: string }>('/rates'))
    model.rates.set(currency, rate)
  for (const { code, id, currency, priority } of await list<{
    code: string
    id: number
    currency: string
    priority: number
  }>('/suppliers'))
    model.suppliers.set(code, { id, currency, priority, buffer: 0, isActive: true })
  const [rule] = await list<{ id: number; percent: string }>('/pricing-rules')
  model.rules.set(rule!.id, { ...RULE, isDefault: true, percent: rule!.percent })
  return { writer, model }
}

const WEIGHTS: Record<string, number> = {
  putOffer: 8,
  bulkOffers: 5,
  patchOffer: 3,
  stock: 4,
  patchProduct: 4,
  pricingRule: 4,
  listOrExclude: 3,
}
const command = fc.record({
  name: fc.oneof(
    ...Object.keys(COMMANDS_BY_NAME).map((name) => ({ weight: WEIGHTS[name] ?? 2, arbitrary: fc.constant(name) })),
  ),
  numbers: fc.array(fc.nat(9_999), { minLength: 12, maxLength: 12 }),
})

/** The members of a payload that the model covers, in its order. */
function covered(product: Shown): Shown {
  const { id, sku, ean, title, manufacturer, images, excluded, exclusion_reason, stock, prices } = product
  return {
    id,
    sku,
    ean,
    title,
    manufacturer,
    images,
    excluded,
    exclusion_reason,
    stock,
    prices: [...prices].sort((a, b) => a.customer_group_id - b.customer_group_id),
  }
}

/** The changes that a feed must announce between two states of the model. */
function mustBeTold(before: Map<number, Shown>, after: Map<number, Shown>): Record<number, Kind[]> {
  const halves = (product: Shown): [string, string] => {
    const { prices, stock, ...content } = covered(product)
    return [JSON.stringify(content), JSON.stringify({ prices, stock })]
  }
  const told: Record<number, Kind[]> = {}
  for (const [id, product] of after) {
    const [content, price] = halves(product)
    const old = before.get(id)
    const [oldContent, oldPrice] = old === undefined ? ['', ''] : halves(old)
    const kinds: Kind[] = [
      ...(content === oldContent ? [] : ['content' as const]),
      ...(price === oldPrice ? [] : ['price' as const]),
    ]
    if (kinds.length > 0) told[id] = kinds
  }
  for (const id of before.keys()) if (!after.has(id)) told[id] = ['removed']
  return told
}

async function oneOffer(body: object) {
  const { writer } = await begin()
  const send = async (method: string, path: string, sent?: object) =>
    (await writer.say(method, path, sent)) as Record<string, unknown>
  await send('PUT', '/suppliers/south/offers/1', body)
  const bulk = async (kind: string, row: object) =>
    (
      (await writer.say('POST', `/bulk/${kind}`, { rows: [{ supplier: 'south', sku: '1', ...row }] })) as {
        status: string
        errors?: unknown
      }[]
    )[0]
  return {
    put: (sent: object) => send('PUT', '/suppliers/south/offers/1', sent),
    patch: (sent: object) => send('PATCH', '/suppliers/south/offers/1', sent),
    get: () => send('GET', '/suppliers/south/offers/1'),
    bulk,
  }
}
const DOLLARS = {
  cost: '5',
  currency: 'USD',
  quantity: 2,
  manufacturer: 'M',
  texts: { en: { title: 'T', description: 'D' }, de: { title: 'U' } },
  images: ['https://img.example/1.jpg'],
}

test('what a PUT of an offer leaves out is gone', async () => {
  const { put, get } = await oneOffer(DOLLARS)
  expect(await put({ cost: '6', texts: { en: { title: 'V' } } })).toMatchObject({
    cost: '6',
    currency: 'PLN',
    quantity: 0,
    manufacturer: null,
    images: [],
  })
  const { texts } = (await get()) as { texts: Record<string, { title: string; description?: string | null }> }
  expect([Object.keys(texts), texts['en']!.title, texts['en']!.description ?? null]).toEqual([['en'], 'V', null])
  expect((await put({ cost: '6' }))['texts']).toEqual({})
})

test('what a PATCH of an offer leaves out stays, also the currency of its cost', async () => {
  const { patch } = await oneOffer(DOLLARS)
  expect(await patch({ quantity: 3 })).toMatchObject({ cost: '5', currency: 'USD', quantity: 3 })
  expect(await patch({ cost: '6' })).toMatchObject({
    cost: '6',
    currency: 'USD',
    quantity: 3,
    manufacturer: 'M',
    images: DOLLARS.images,
  })
  expect(await patch({ cost: null })).toMatchObject({ cost: null, currency: 'USD' })
  expect(await patch({ currency: null, cost: '1' })).toMatchObject({ cost: '1', currency: 'PLN' })
  const { texts } = (await patch({ texts: { en: { description: null } } })) as {
    texts: Record<string, { title: string; description?: string | null }>
  }
  expect([texts['de']!.title, texts['en']!.title, texts['en']!.description ?? null]).toEqual(['U', 'T', null])
})

test('what a row of a bulk leaves out stays, also the currency of its cost', async () => {
  const { bulk, get } = await oneOffer(DOLLARS)
  expect(await bulk('offers', { quantity: 3 })).toMatchObject({ status: 'changed' })
  expect(await get()).toMatchObject({ cost: '5', currency: 'USD', quantity: 3 })
  expect(await bulk('offers', { cost: '6' })).toMatchObject({ status: 'changed' })
  expect(await get()).toMatchObject({ cost: '6', currency: 'USD', quantity: 3 })
  expect(await bulk('prices', { cost: '7' })).toMatchObject({ status: 'changed' })
  expect(await get()).toMatchObject({ cost: '7', currency: 'USD', quantity: 3 })
})

test('a row of bulk prices may name the quantity alone', async () => {
  const { bulk, get } = await oneOffer(DOLLARS)
  expect(await bulk('prices', { quantity: 9 })).toMatchObject({ status: 'changed' })
  expect(await get()).toMatchObject({ cost: '5', currency: 'USD', quantity: 9 })
})

test(`whatever is written in whatever order, stores show what the model says and the feed names what differs (SEED=${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: COMMANDS - 5, maxLength: COMMANDS }), async (commands) => {
      const { writer, model } = await begin()
      /** For each store its last cursor and the model's products at that time. */
      const seen = new Map<string, { cursor: string; shelf: Map<number, Shown> }>()
      for (const slug of model.stores.keys())
        seen.set(slug, { cursor: await writer.cursor(slug), shelf: model.shelf(slug) })
      const trace: string[] = []
      for (const { name, numbers } of commands) {
        trace.push(name)
        await COMMANDS_BY_NAME[name]!(writer, model, picking(numbers)).catch((error: unknown) => {
          throw new Error(`at the end of ${trace.join()}`, { cause: error })
        })
        for (const [slug, store] of model.stores) {
          // a store that is inactive announces the differences when it is active again
          if (!store.isActive) continue
          const after = model.shelf(slug)
          const { cursor, shelf } = seen.get(slug)!
          const shown = new Map(
            [...(await writer.shelf(slug))].map(([id, product]) => [id, covered(product as unknown as Shown)]),
          )
          expect(shown, `${trace.join()} in ${slug}`).toEqual(
            new Map([...after].map(([id, product]) => [id, covered(product)])),
          )
          expect(await writer.told(slug, cursor), `feed after ${trace.join()} in ${slug}`).toEqual(
            mustBeTold(shelf, after),
          )
          seen.set(slug, { cursor: await writer.cursor(slug), shelf: after })
        }
      }
      await writer.atRest()
      await writer.audit()
    }),
    { seed: SEED, numRuns: RUNS, endOnFailure: process.env['SHRINK'] === undefined },
  )
}, 600_000)
