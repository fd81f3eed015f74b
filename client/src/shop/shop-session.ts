import { Shelfwire } from '../shelfwire.ts'
import type { Keeper, Logger } from './keeper.ts'
import { lastStores, noteStore, type KeptConnection } from './kept.sql.ts'
import type { ShopTarget } from './shop-target.ts'

// What works together while a shop is brought up to date or compared.

export interface ShopSession {
  shelf: Shelfwire
  keeper: Keeper
  target: ShopTarget
  /** Slugs of those of the options that are active, in their order. */
  stores: string[]
  /** What the shop is called where the account is told whether it is equal. */
  name: string
}

/** What a connector needs to know of the account. */
export interface OpenedAccount {
  shelf: Shelfwire
  /** By slug, in the order that was asked for; one that is not active now as it was last. */
  stores: Map<string, { locale: string; currency: string }>
  /** Slugs of those that are active, in that order: the others cannot be read, and their products stay as they are. */
  active: string[]
  /** The ID of the customer group whose price is the public one. */
  publicGroupId: number
}

/**
 * @param kept where it is noted how stores were last @param warn logs what need not be said each minute
 * @throws Error where a store has never been there, or none is active; ShelfwireError
 */
export async function openAccount(
  of: { url: string; token: string },
  slugs: readonly string[],
  { kept, warn }: { kept: KeptConnection; warn: (text: string) => void },
): Promise<OpenedAccount> {
  const shelf = new Shelfwire(of)
  const known = new Map((await shelf.stores()).map((store) => [store.slug, store]))
  const publicGroup = (await shelf.customerGroups()).find(({ is_default: isDefault }) => isDefault)
  if (publicGroup === undefined) throw new Error('Shelfwire has no default customer group')
  const last = await lastStores(kept)
  const stores: OpenedAccount['stores'] = new Map()
  for (const slug of slugs) {
    const store = known.get(slug) ?? last.get(slug)
    if (store === undefined)
      throw new Error(`Shelfwire has no active store ${slug}; it has ${[...known.keys()].join(', ')}`)
    stores.set(slug, { locale: store.locale, currency: store.currency })
  }
  const active = slugs.filter((slug) => known.has(slug))
  if (active.length === 0) throw new Error(`none of the stores ${slugs.join(', ')} is active in Shelfwire`)
  for (const [slug, store] of stores)
    if (known.has(slug)) await noteStore(kept, slug, store, last.get(slug))
    else
      warn(
        `Shelfwire: the store ${slug} is not active: its products stay as they are until it is, or until the options name it no more`,
      )
  return { shelf, stores, active, publicGroupId: publicGroup.id }
}

interface NamedRow<Id> {
  id: Id
  name: string
}

/** What a row of the shop is asked for. */
export interface Asked {
  /** Such as `sales channel`. */
  what: string
  /** The option that says which. */
  option: string
  store: string
  /** The name of the connector's package. */
  connector: string
}

/** The row of an ID or a name. @param otherwise where none is asked for @throws Error that says what the shop has */
export function rowNamed<Id extends string | number>(
  rows: readonly NamedRow<Id>[],
  asked: string | null,
  otherwise: NamedRow<Id> | undefined,
  { what, option, store, connector }: Asked,
): NamedRow<Id> {
  const row = asked === null ? otherwise : rows.find(({ id, name }) => String(id) === asked || name === asked)
  if (row !== undefined) return row
  const have = rows.map(({ id, name }) => `${name} (${id})`).join(', ')
  throw new Error(
    asked === null
      ? `say the \`${option}\` of the store ${store} in the options of ${connector}: the shop has ${have === '' ? `no ${what} yet` : have}`
      : `the shop has no ${what} ${asked}; it has ${have === '' ? 'none' : have}`,
  )
}

/** Logs that nobody sees twice. */
export function warnOnce(logger: Logger): (text: string) => void {
  const told = new Set<string>()
  return (text) => {
    if (told.has(text)) return
    told.add(text)
    logger.warn(text)
  }
}
