import { pick, drawEntries, type Draw } from './draws.ts'
import type { PriceListEntryInput, PriceListInput } from '../inputs.ts'

const KEYS = ['spring', 'trade', 'sale'] as const
const DAYS = [null, null, '2026-11-19', '2026-11-20', '2026-11-21'] as const

/** Price lists; none in a third of the draws. */
export const drawPriceLists = (draw: Draw): PriceListInput[] =>
  draw(2) === 0
    ? []
    : drawEntries(
        draw,
        3,
        () => ({
          key: pick(draw, KEYS),
          name: 'List',
          currency: pick(draw, ['EUR', 'EUR', 'PLN', 'JPY']),
          storeIds: draw(2) > 0 ? null : [1 + draw(4)],
          groupId: draw(3) > 0 ? null : pick(draw, [9, 1, 2]),
          validFrom: pick<string | null>(draw, DAYS),
          validTo: pick<string | null>(draw, DAYS),
          priority: draw(1),
          isActive: draw(5) > 0,
          createdAt: pick(draw, ['2026-01-01T00:00:00', '2026-02-01T00:00:00']),
        }),
        (list) => list.key,
      )

/** Entries of a product in price lists, some of which do not exist. */
export const drawListEntries = (draw: Draw): PriceListEntryInput[] =>
  drawEntries(
    draw,
    4,
    () => ({
      listKey: pick(draw, KEYS),
      groupId: pick(draw, [0, 9, 1, 2]),
      amount: pick(draw, ['9.99', '12.5', '1000', '0.01', '4.99']),
    }),
    (entry) => `${entry.listKey} ${entry.groupId}`,
  )
