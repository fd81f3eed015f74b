import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { Shelfwire, type Batch, type Status } from '../../client/src/shelfwire.ts'
import { MemoryTarget } from '../../client/src/targets/memory.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// A shop that writes so slowly that the service ends the export from which it is filled.

const PRODUCTS = 4_000
const { service, account } = worldOfFile({ service: {}, account: 'acme' })
beforeAll(async () => {
  // more than the socket buffers hold
  for (let i = 0; i < PRODUCTS; i += 1_000)
    await giveOffers(
      service.runtime,
      account,
      Array.from({ length: 1_000 }, (_, j) =>
        offer(`A${i + j}`, { texts: { en: { title: `Article ${i + j}`, description: 'x'.repeat(5_000) } } }),
      ),
    )
}, 60_000)

/** Stops in its second batch for longer than the service waits for a reader. */
class SlowTarget extends MemoryTarget {
  readonly written: number[] = []
  readonly #stillMs: number

  constructor(stillMs: number) {
    super()
    this.#stillMs = stillMs
  }

  override async apply(batch: Batch): Promise<boolean> {
    if (this.written.length === 200) await sleep(this.#stillMs)
    this.written.push(...batch.products.map(({ id }) => id))
    return super.apply(batch)
  }
}

test('a target that stands still until the service ends the export gets each product once, and does not begin again', async () => {
  const limits: { exportStallMs: number } = LIMITS
  const before = limits.exportStallMs
  limits.exportStallMs = 700
  try {
    const asked: string[] = []
    const shelf = new Shelfwire({
      url: service.url,
      token: await tokenFor(service.runtime, account.accountId, 'connector'),
      // uncompressed, so that the unread part does not fit into the buffers
      fetch: (input, init) => {
        asked.push(new Request(input).url)
        return fetch(input, { ...init, headers: { ...init?.headers, 'Accept-Encoding': 'identity' } })
      },
    })
    const target = new SlowTarget(4_000)
    const told: Status[] = []
    await shelf.sync({ stores: ['main'], target, onStatus: (status) => told.push(status) }).once()
    expect(told.filter(({ state }) => state === 'retrying')).toHaveLength(1)
    expect(asked.filter((url) => url.includes('/export'))).toHaveLength(1)
    const ids: number[] = []
    for await (const { id } of shelf.products.walk({ store: 'main' })) ids.push(id)
    expect(ids).toHaveLength(PRODUCTS)
    expect(target.written).toEqual(ids)
    expect((await shelf.verify(target, { stores: ['main'] }))[0]).toMatchObject({ isEqual: true, products: PRODUCTS })
  } finally {
    limits.exportStallMs = before
  }
}, 60_000)
