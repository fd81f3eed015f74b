import type { Db } from '../../src/db/sql.ts'
import type { PreviewEffect } from '../../contract/panel/previews.ts'

// The real effects of a change of rules, read from stored payloads and holds, without any code of previews.

interface StoredPrice {
  customer_group_id: string
  computed_price: string
  applied_rule_id: string
  tiers?: readonly unknown[]
  compare_at_price?: string
}

interface Stored {
  productId: number
  storeId: number
  reason: string | null
  prices: ReadonlyMap<string, StoredPrice>
}

/** Everything that clients read of an account, and which prices are held. */
export interface Shown {
  payloads: ReadonlyMap<string, Stored>
  held: ReadonlySet<string>
}

export async function readShown(db: Db, accountId: number): Promise<Shown> {
  const rows = await db<{ storeId: number; productId: number; price: string; reason: string | null }[]>`
    select p.store_id as "storeId", p.product_id as "productId", p.body as price,
      ('{' || c.body || '}')::jsonb ->> 'exclusion_reason' as reason
    from payload_price p join payload_content c using (account_id, store_id, product_id) where account_id = ${accountId}`
  const holds = await db<{ key: string }[]>`
    select product_id || '.' || store_id || '.' || group_id as key from price_hold where account_id = ${accountId}`
  const asText = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  const parsed = rows.map(({ storeId, productId, price, reason }): [string, Stored] => {
    const { prices } = JSON.parse(`{${price}}`, asText) as { prices: StoredPrice[] }
    return [
      `${productId}.${storeId}`,
      { productId, storeId, reason, prices: new Map(prices.map((entry) => [entry.customer_group_id, entry])) },
    ]
  })
  return { payloads: new Map(parsed), held: new Set(holds.map(({ key }) => key)) }
}

/** The effects on products in stores, and the changed prices. */
export interface Happened {
  effect: PreviewEffect
  key: string
}

/** The differences between two states. `moves`: `product.store.group old new`. */
export function difference(
  before: Shown,
  after: Shown,
): { effects: Happened[]; moves: string[]; changed: Set<string> } {
  const effects: Happened[] = []
  const moves: string[] = []
  const changed = new Set<string>()
  for (const key of new Set([...before.payloads.keys(), ...after.payloads.keys()])) {
    const [old, now] = [before.payloads.get(key), after.payloads.get(key)]
    const note = (effect: PreviewEffect) => effects.push({ effect, key })
    if (old === undefined || now === undefined) {
      note(old === undefined ? 'listed' : 'unlisted')
      changed.add(key)
      continue
    }
    const groups = [...new Set([...old.prices.keys(), ...now.prices.keys()])]
    const pairs = groups.map((group) => ({ group, was: old.prices.get(group), is: now.prices.get(group) }))
    const differing = pairs.filter(
      ({ was, is }) =>
        was?.computed_price !== is?.computed_price ||
        was?.applied_rule_id !== is?.applied_rule_id ||
        JSON.stringify(was?.tiers) !== JSON.stringify(is?.tiers) ||
        was?.compare_at_price !== is?.compare_at_price,
    )
    const moved = differing.filter(
      ({ was, is }) => was !== undefined && is !== undefined && was.computed_price !== is.computed_price,
    )
    for (const { group, was, is } of moved) moves.push(`${key}.${group} ${was?.computed_price} ${is?.computed_price}`)
    if (moved.length > 0) note('repriced')
    const isTiered = pairs.some(
      ({ was, is }) =>
        was !== undefined &&
        was.computed_price === is?.computed_price &&
        JSON.stringify(was.tiers) !== JSON.stringify(is.tiers),
    )
    if (isTiered) note('tiered')
    const isCompared = pairs.some(
      ({ was, is }) =>
        was !== undefined && was.computed_price === is?.computed_price && was.compare_at_price !== is.compare_at_price,
    )
    if (isCompared) note('compared')
    if (
      !isTiered &&
      !isCompared &&
      moved.length === 0 &&
      differing.length > 0 &&
      old.prices.size > 0 &&
      now.prices.size > 0
    )
      note('ruled')
    if (old.prices.size > 0 && now.prices.size === 0) note('unpriced')
    if (old.prices.size === 0 && now.prices.size > 0) note('priced')
    if (old.reason !== now.reason)
      note(old.reason === null ? 'excluded' : now.reason === null ? 'included' : 'reasoned')
    if (differing.length > 0 || old.reason !== now.reason) changed.add(key)
  }
  const newlyHeld = [...after.held].filter((key) => !before.held.has(key))
  for (const key of new Set(newlyHeld.map((held) => held.split('.').slice(0, 2).join('.'))))
    effects.push({ effect: 'held', key })
  return { effects, moves, changed }
}
