import type { Answer } from '../../api/client.ts'
import { byUrgency, gapTone, type Urgency } from '../../resources/finding-kinds.ts'

// What stores list, exclude and lack, together where they have the same figures.

export type Store = Answer<'GET /panel/api/accounts/{account_id}/overview'>['data']['stores'][number]
export type Lacking = Answer<'GET /v1/account/findings/completeness'>['data']['stores'][number]

interface ToldMirror {
  store: Store
  mirror: Store['mirrors'][number]
}

const toldMirrors = (stores: readonly Store[]): ToldMirror[] =>
  stores.flatMap((store) => (store.is_active ? store.mirrors.map((mirror) => ({ store, mirror })) : []))

/** Mirrors of active stores that have told that they differ. */
export const differingMirrors = (stores: readonly Store[]): ToldMirror[] =>
  toldMirrors(stores).filter(({ mirror }) => mirror.differing > 0)

/** Those that have told that they are equal, whoever told last first. */
export const equalMirrors = (stores: readonly Store[]): ToldMirror[] =>
  toldMirrors(stores)
    .filter(({ mirror }) => mirror.differing === 0)
    .sort((a, b) => (a.mirror.told_at < b.mirror.told_at ? 1 : -1))

/** What the first page shows, in this order; the findings have the rest. */
const TOLD = ['no_title', 'no_image', 'no_price'] as const

/** Active stores with the same figures. */
export interface StoreGroup {
  stores: { slug: string; name: string }[]
  products: number
  excluded: number
  gaps: { gap: (typeof TOLD)[number]; products: number }[]
  tone: Urgency
}

/** Active stores, those with the same figures together; the most in need first. */
export function storeGroups(stores: readonly Store[], lacking: readonly Lacking[] = []): StoreGroup[] {
  const groups = new Map<string, StoreGroup>()
  for (const { slug, name, products, excluded, is_active: isActive } of stores) {
    if (!isActive) continue
    const found = lacking.find(({ store }) => store === slug)?.gaps ?? []
    const gaps = TOLD.flatMap((gap) => {
      const count = found.find((row) => row.gap === gap)?.products ?? 0
      return count === 0 ? [] : [{ gap, products: count }]
    })
    const key = JSON.stringify([products, excluded, gaps])
    const group = groups.get(key)
    if (group !== undefined) group.stores.push({ slug, name })
    else groups.set(key, { stores: [{ slug, name }], products, excluded, gaps, tone: toneOf(products, excluded, gaps) })
  }
  return [...groups.values()].sort((a, b) => byUrgency(a.tone, b.tone))
}

/** A store that exports none of its listed products needs attention as much as one whose products have no title or price. */
function toneOf(products: number, excluded: number, gaps: StoreGroup['gaps']): Urgency {
  if (products === 0) return 'off'
  return excluded === products ? 'warn' : gapTone(gaps.map(({ gap }) => gap))
}
