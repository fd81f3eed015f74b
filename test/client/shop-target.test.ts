import { expect, test } from 'vitest'
import { ShopTarget } from '../../client/src/shop/shop-target.ts'
import type { KeptDatabase } from '../../client/src/shop/kept.sql.ts'
import type { Batch } from '../../client/src/shelfwire.ts'

// A batch whose products cannot be read rejects with that error; an unhandled rejection would end the process of the shop.

/** A database without data. */
const EMPTY: KeptDatabase = {
  raw: () => Promise.resolve({ rows: [] }),
  transaction: (work) => work(EMPTY),
}

const batch = (store: string): Batch => ({ store, from: null, position: 'p1', products: [], removed: [], changes: [] })

const broken = (store: string, error: Error): Batch => ({
  ...batch(store),
  get products(): never {
    throw error
  },
})

test('a batch whose products cannot be read is refused with its error, and others are written after it', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const shop = { bring: () => Promise.resolve(new Map<string, string>()), compare: () => Promise.resolve([]) }
    const target = new ShopTarget(EMPTY, shop, ['a', 'b'], { info() {}, warn() {}, error() {} })
    const error = new Error('a line is no product')
    for (let turn = 0; turn < 2; turn++) {
      await expect(target.apply(broken('a', error))).rejects.toBe(error)
      expect(await target.apply({ ...batch('b'), removed: [7] })).toBe(true)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
