import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked } from '../fixtures.ts'
import { readOfferPages } from '../read-offers.ts'

async function proposed(...lines: string[]) {
  const warnings: string[] = []
  const bytes = Buffer.from(lines.join('\n'))
  const { mapping } = await detectMapping(chunked(bytes), (warning) => warnings.push(warning))
  const tiers: unknown[] = []
  for await (const page of readOfferPages(chunked(bytes), mapping))
    for (const row of page) if ('offer' in row) tiers.push(row.offer.costTiers)
  return { fields: mapping.fields, tiers, warnings: warnings.join('\n') }
}

describe('costs by quantity', () => {
  it.each([
    ['price', 'price_10', 'price_100'],
    ['EK', 'EK 10 St.', 'EK 100 St.'],
    ['EK', 'ab 10 Stk', 'ab 100 Stk'],
    ['Preis ab 1', 'Preis ab 10', 'Preis ab 100'],
    ['Cena', 'Cena od 10 szt', 'Cena od 100 szt'],
  ])('are prices whose names have the quantity: %s, %s, %s', async (cost, ten, hundred) => {
    const { fields, tiers, warnings } = await proposed(
      `SKU;Name;${cost};${ten};${hundred};Stock`,
      'A-1;Hex bolt;5,00;4,50;4,00;7',
      'A-2;Wing nut;3,00;2,90;;1',
    )
    expect(fields.cost).toBe(cost)
    expect(fields.quantity).toBe('Stock')
    expect(tiers).toEqual([
      [
        { quantity: 10, cost: '4.5' },
        { quantity: 100, cost: '4' },
      ],
      [{ quantity: 10, cost: '2.9' }],
    ])
    expect(warnings).toContain('taken for what a piece costs from a quantity on')
  })

  it('are prices beside their quantities, which are no stock', async () => {
    const { fields, tiers } = await proposed(
      'SKU,Name,Price 1,Qty 2,Price 2,Qty 3,Price 3',
      'A-1,Hex bolt,5.00,10,4.50,100,4.00',
      'A-2,Wing nut,3.00,12,2.90,,',
    )
    expect(fields.quantity).toBeUndefined()
    expect(tiers).toEqual([
      [
        { quantity: 10, cost: '4.5' },
        { quantity: 100, cost: '4' },
      ],
      [{ quantity: 12, cost: '2.9' }],
    ])
  })

  it.each([
    ['price lists that are numbered', 'price1,price2,price3', '5.00,4.50,4.00', '3.00,2.90,2.80'],
    ['prices that rise', 'price,price_10,price_100', '5.00,4.50,6.00', '3.00,2.90,4.00'],
    ['prices that are the same', 'price,price_10,price_100', '5.00,5.00,5.00', '3.00,3.00,3.00'],
  ])('are not %s', async (_, names, ...prices) => {
    const { fields } = await proposed(`sku,name,${names}`, `A-1,Hex bolt,${prices[0]}`, `A-2,Wing nut,${prices[1]}`)
    expect(fields.cost_tiers).toBeUndefined()
  })
})
