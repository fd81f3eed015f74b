import { expect, it } from 'vitest'
import { readPriceFile } from './file.ts'

const read = (price: string) => readPriceFile(Buffer.from(`sku;price\nN-1;${price}\n`), 'EUR', [], undefined)

it.each(['19.9900001234567', '19,9900001234567', '19,9991', '19.991 EUR'])(
  'refuses a price with more digits than its currency by its line, as it stands in the file: %s',
  async (price) => {
    const { rows, faults } = await read(price)
    expect(rows).toEqual([])
    expect(faults).toEqual([{ name: 'line 2', reason: expect.stringContaining(`, not "${price}"`) }])
  },
)

it('reads a price as people write it', async () => {
  expect(await read('19,90 €')).toMatchObject({ rows: [{ at: 'line 2', amount: '19.9' }], faults: [] })
})
