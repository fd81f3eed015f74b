import type { Answer } from '../../api/client.ts'
import { byUrgency, gapTone, type Urgency } from '../../resources/finding-kinds.ts'

// What stores list, exclude and lack; stores with the same figures are grouped.

export type Store = Answer<'GET /panel/api/accounts/{account_id}/overview'>['data']['stores'][number]
export type Lacking = Answer<'GET /v1/account/findings/completeness'>['data']['stores'][number]

interface ToldMirror {
  store: Store
  mirror: Store['mirrors'][number]
}

const toldMirrors = (stores: readonly Store[]): ToldMirror[] =>
  stores.flatMap((store) => (store.is_active ? store.mirrors.map((mirror) => ({ store, mirror })) : []))

/** Mirrors of active stores whose last report says that they differ. */
export const differingMirrors = (stores: readonly Store[]): ToldMirror[] =>
  toldMirrors(stores).filter(({ mirror }) => mirror.differing > 0)

/** Mirrors whose last report says that they are equal, the latest report first. */
export const equalMirrors = (stores: readonly Store[]): ToldMirror[] =>
  toldMirrors(stores)
    .filter(({ mirror }) => mirror.differing === 0)
    .sort((a, b) => (a.mirror.told_at < b.mirror.told_at ? 1 : -1))

/** The gaps on the first page, in this order; the page of findings has all of them. */
const TOLD = ['no_title', 'no_image', 'no_price'] as const

/** Active stores with the same figures. */
export interface StoreGroup {
  stores: { slug: string; name: string }[]
  products: number
  excluded: number
  gaps: { gap: (typeof TOLD)[number]; products: number }[]
  tone: Urgency
}

/** Active stores, grouped by equal figures; the most urgent first. */
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

/** A store that excludes all of its listed products is as urgent as one whose products have no title or price. */
function toneOf(products: number, excluded: number, gaps: StoreGroup['gaps']): Urgency {
  if (products === 0) return 'off'
  return excluded === products ? 'warn' : gapTone(gaps.map(({ gap }) => gap))
}
