import { expect, it } from 'vitest'
import { refinePacks } from './packs.ts'
import { columnsOf } from './sample-columns.ts'

it('many columns that are called like packs are looked at in time that grows with them', () => {
  const looksAt = (packs: number): number => {
    const rows = Array.from({ length: 8 }, (_, row) => ({
      quantity: String(row + 2),
      ...Object.fromEntries(Array.from({ length: packs }, (__, n) => [`box ${n}`, String((row + 3) * (n + 7))])),
    }))
    let looks = 0
    const columns = columnsOf(rows).map(({ values, ...column }) => ({
      ...column,
      get values() {
        looks++
        return values
      },
    }))
    const fields = { quantity: 'quantity' }
    refinePacks({
      columns,
      rows,
      prices: [],
      fields,
      used: new Set(),
      reasons: [],
      note: () => {},
      ask: () => {},
    })
    expect(fields).toEqual({ quantity: 'quantity' })
    return looks
  }
  expect(looksAt(400)).toBeLessThan(looksAt(100) * 6)
})
