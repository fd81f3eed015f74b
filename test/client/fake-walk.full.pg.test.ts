import { expect, test } from 'vitest'
import { Shelfwire, type Batch, type Change, type SyncOptions } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import type { FakeShelfwire } from '../../client/src/testing/fake-shelfwire.ts'
import { prng } from '../../src/demo/catalog/prng.ts'
import { fenceRestore } from '../../src/shelf/fence-restore.ts'
import { offer } from '../harness/account.ts'
import { seedFor } from '../harness/interleave.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { copyChanges, fakeOfService } from './fake-of-service.ts'

// The same random changes in the service and in the fake: mirrors of both receive the same changes, store the same bytes and
// have the same digests.

const SKUS = Array.from({ length: 30 }, (_, i) => `A${String(i).padStart(2, '0')}`)
const STORES = ['main', 'de', 'pl']
const { service, account, http } = worldOfFile({
  service: {},
  account: 'acme',
  products: SKUS.map((sku) => offer(sku)),
})

/** A mirror in memory that records the changes of the feed. */
class NotingTarget extends MemoryTarget {
  /** By store, because stores are read concurrently. */
  readonly heard: Record<string, { changes: Omit<Change, 'created_at'>[]; removed: number[] }[]> = {}

  override apply(batch: Batch): Promise<boolean> {
    const changes = batch.changes.map(({ created_at: _at, ...change }) => change)
    if (changes.length > 0) (this.heard[batch.store] ??= []).push({ changes, removed: batch.removed })
    return super.apply(batch)
  }
}

function mirrorOf(options: ConstructorParameters<typeof Shelfwire>[0]) {
  const shelf = new Shelfwire({ ...options, attempts: 1 })
  const target = new NotingTarget()
  const sync = (stores: SyncOptions['stores']) => shelf.sync({ stores, target }).once()
  return { shelf, target, sync }
}

const send = async (method: string, path: string, body?: object) => {
  const { status } = await http(`/v1/account${path}`, {
    method,
    headers: { 'content-type': 'application/json', prefer: 'wait=10' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect([200, 201, 202, 204, 404], `${method} ${path}`).toContain(status)
}

test('after each change of a walk, mirrors of the service and of the fake are the same', async () => {
  const random = prng(seedFor('fake-walk'))
  const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const token = await tokenFor(service.runtime, account.accountId, 'connector')
  const real = mirrorOf({ url: service.url, token })
  const fake: FakeShelfwire = await fakeOfService(service.url, token)
  const inMemory = mirrorOf({ url: fake.url, token, fetch: fake.fetch })
  const cursors = new Map<string, { since: string; since_id: number }>()
  const inactive = new Set<string>()
  const active = () => STORES.filter((store) => !inactive.has(store))
  for (const store of STORES) {
    const { next_since: since, next_id: id } = await real.shelf.changes({ store, cursor: 'now' })
    cursors.set(store, { since, since_id: id })
  }
  const offerOf = (sku: string) => `/suppliers/north/offers/${sku}`
  const steps: Record<string, () => Promise<unknown>> = {
    price: () => send('PUT', offerOf(draw(SKUS)), { cost: String(1 + Math.floor(random() * 900) / 10), quantity: 5 }),
    stock: () => send('PATCH', offerOf(draw(SKUS)), { quantity: Math.floor(random() * 50) }),
    text: () =>
      send('PATCH', offerOf(draw(SKUS)), { texts: { [draw(['en', 'de', 'pl'])]: { title: `T${random()}` } } }),
    group: () =>
      send('PATCH', offerOf(draw(SKUS)), {
        group: { key: draw(['g', 'h']), title: { en: 'Group' }, options: [], position: Math.floor(random() * 9) },
      }),
    'no cost': () => send('PATCH', offerOf(draw(SKUS)), { cost: null }),
    removal: () => send('DELETE', offerOf(draw(SKUS))),
    'new product': () => send('PUT', offerOf(`N${Math.floor(random() * 10)}`), { cost: '3', quantity: 1 }),
    nothing: async () => {},
    'a store ends or begins again': async () => {
      const store = draw(['de', 'pl'])
      if (inactive.delete(store)) {
        await send('PATCH', `/stores/${store}`, { is_active: true })
        fake.activate(store)
      } else {
        inactive.add(store)
        await send('PATCH', `/stores/${store}`, { is_active: false })
        fake.deactivate(store)
      }
    },
    'a restored backup': async () => {
      await fenceRestore(service.runtime.db)
      fake.backup()
      fake.restore()
      for (const { shelf } of [real, inMemory]) {
        const { next_since: since, next_id: id } = await shelf.changes({ cursor: 'now' })
        // a cursor from after the backup, which was lost with the restore
        const lost = shelf.changes({ cursor: { since, since_id: id - 5 } })
        await expect(lost).rejects.toMatchObject({ code: 'cursor-ahead', status: 410 })
      }
    },
  }
  const names = Object.keys(steps)
  for (let i = 0; i < 60; i++) {
    const name = i < names.length ? names[i]! : draw(names)
    await steps[name]!()
    for (const store of active()) cursors.set(store, await copyChanges(real.shelf, fake, store, cursors.get(store)))
    for (const { shelf } of [real, inMemory])
      for (const store of inactive)
        await expect(shelf.products.list({ store })).rejects.toMatchObject({ code: 'unknown-store' })
    await real.sync(active())
    await inMemory.sync(active())
    expect(inMemory.target.heard, `step ${i}: ${name}`).toEqual(real.target.heard)
    for (const store of active()) {
      expect([...inMemory.target.products(store)], `step ${i}: ${name}`).toEqual([...real.target.products(store)])
      const [digest, other] = [await real.shelf.digest({ store }), await inMemory.shelf.digest({ store })]
      expect(other.data, `step ${i}: ${name}`).toEqual(digest.data)
    }
  }
  // each mirror is equal to both by its digests
  for (const { shelf } of [real, inMemory]) {
    const target = shelf === real.shelf ? real.target : inMemory.target
    for (const { isEqual, findings } of await shelf.verify(target, { stores: active() }))
      expect({ isEqual, findings }).toEqual({ isEqual: true, findings: [] })
  }
  expect(Object.values(real.target.heard).flat().length).toBeGreaterThan(40)
}, 120_000)
