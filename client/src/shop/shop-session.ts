import { Shelfwire } from '../shelfwire.ts'
import type { Keeper, Logger } from './keeper.ts'
import { lastStores, noteStore, type KeptConnection } from './kept.sql.ts'
import type { ShopTarget } from './shop-target.ts'

// The parts that work together while a shop is brought up to date or compared.

export interface ShopSession {
  shelf: Shelfwire
  keeper: Keeper
  target: ShopTarget
  /** Slugs of the active stores among those of the options, in the options' order. */
  stores: string[]
  /** The shop's name in the panel, where the account sees whether the shop is equal to its stores. */
  name: string
}

/** What a connector needs to know of the account. */
export interface OpenedAccount {
  shelf: Shelfwire
  /** By slug, in the order of the request. A store that is not active now has the values that it had when it last was. */
  stores: Map<string, { locale: string; currency: string }>
  /** Slugs of the active stores, in the same order. The others cannot be read, and their products stay as they are. */
  active: string[]
  /** The ID of the customer group whose price is the public one. */
  publicGroupId: number
}

/**
 * Reads the account's stores and its default customer group.
 * @param kept has the last known values of stores @param warn logs a text once, not at each run
 * @throws Error where a store was never active, or none is now; ShelfwireError
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

/** What `rowNamed` looks for, in the words of its error message. */
export interface Asked {
  /** Such as `sales channel`. */
  what: string
  /** The name of the option that selects the row. */
  option: string
  store: string
  /** The name of the connector's package. */
  connector: string
}

/** Finds a row by its ID or name. @param asked null: the option is not set @param otherwise the row for that case @throws Error that lists the shop's rows */
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

/** A log of warnings that writes each text only once. */
export function warnOnce(logger: Logger): (text: string) => void {
  const logged = new Set<string>()
  return (text) => {
    if (logged.has(text)) return
    logged.add(text)
    logger.warn(text)
  }
}
