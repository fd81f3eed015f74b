import { afterAll, beforeAll } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { AccountWriter, eanOf, type Kind } from './account-writer.ts'
import { readDocument, type Documented } from './documented.ts'
import { StoreListeners } from './store-listeners.ts'

// Shared by the tests of deletions: a whole service with payloads, feed and webhooks, and an account with five products.
// setUp() starts the service for the test file that calls it and stops it at the end.

export let database: TestDatabase
export let service: TestService
export let document: Documented
export let receiver: Receiver
let accounts = 0
/** Registers what begins before the tests of a file, and ends after them. */
export function setUp(): void {
  beforeAll(async () => {
    database = await createDatabase()
    receiver = await startReceiver()
    service = await startTestService(database, {
      roles: ['api', 'work'],
      env: { OUTBOUND_ALLOW: '127.0.0.0/8', WEBHOOKS_PER_SECOND: '1000' },
    })
    document = await readDocument(service.url)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })
}

export const PEN = eanOf(1)
export const INK = eanOf(2)
export const CAP = eanOf(3)

/** An account in which both suppliers offer the pen, south cheaper; only north the ink, only south the cap; the sheet has own stock and no offer. */
export async function open() {
  const writer = await AccountWriter.open(service, document, `deletions-${accounts++}`)
  const put = async (supplier: string, sku: string, over: object): Promise<number> =>
    (await writer.say('PUT', `/suppliers/${supplier}/offers/${sku}`, over)).product_id as number
  const pen = await put('north', 'N-1', {
    eans: [PEN],
    cost: '10',
    quantity: 3,
    manufacturer: 'Stabilo',
    category: 'Pens',
    texts: { en: { title: 'Pen of north' }, de: { title: 'Stift' } },
    attributes: [{ key: 'length', value: '14' }],
    images: ['https://img.example/n1.jpg'],
  })
  await put('south', 'S-1', {
    eans: [PEN],
    cost: '36',
    quantity: 10,
    manufacturer: 'Stabilo S',
    texts: { en: { title: 'Pen of south' } },
    images: ['https://img.example/s1.jpg'],
  })
  const ink = await put('north', 'N-2', {
    eans: [INK],
    cost: '20',
    quantity: 1,
    manufacturer: 'Pelikan',
    category: 'Ink',
    texts: { en: { title: 'Ink' } },
    images: ['https://img.example/n2.jpg'],
  })
  const cap = await put('south', 'S-3', {
    eans: [CAP],
    cost: '4',
    quantity: 7,
    manufacturer: 'Bic',
    category: 'Caps',
    texts: { en: { title: 'Cap' } },
  })
  const sheet = (await writer.say('POST', '/products', { sku: 'SHEET', title: { en: 'Sheet' } })).id as number
  await writer.say('PUT', `/products/${sheet}/stock`, { quantity: 4, cost: '2' })
  await writer.atRest()
  const listeners = await StoreListeners.open(writer, receiver)
  /** Runs a write and checks its feed against the payloads, webhooks against the feed, and payloads by the audit. */
  const row = async (work: () => Promise<unknown>) => {
    const told = await writer.changesOf(work)
    await listeners.hear(told)
    await writer.atRest()
    await writer.audit()
    return told
  }
  const product = async (slug: string, id: number) => (await writer.shelf(slug)).get(id)
  return { writer, listeners, row, put, product, pen, ink, cap, sheet }
}

export const everywhere = (...told: [id: number, ...kinds: Kind[]][]) => {
  const store = Object.fromEntries(told.map(([id, ...kinds]) => [id, kinds]))
  return { main: store, de: store, pl: store }
}
