import { localeChain } from '../model/locale.ts'
import type { Payload, Price } from '../model/payload.ts'
import { compileLabels, resolveAttributes, type Labels } from './attributes.ts'
import { converter } from './currency.ts'
import type { AccountInputs, OfferInput, ProductInputs, StoreInput, SupplierInput } from './inputs.ts'
import { baseCost, compileRules, matchRule, resolvePrices, type CompiledRule } from './price.ts'
import { compareText, rankOffers } from './sourcing.ts'
import { resolveStock } from './stock.ts'
import { resolveManufacturer, resolveText } from './text.ts'

/**
 * The version of everything in this room. Raise it whenever equal inputs may give another payload; stored payloads carry
 * it, and a sweep re-resolves those of an older one.
 */
export const RESOLVER_VERSION = 1

interface CompiledStore {
  store: StoreInput
  chain: readonly string[]
  labels: Labels
  ruleOf: ReadonlyMap<number, CompiledRule | undefined>
}

/** An account's shared inputs made ready once, for any number of products. */
export interface Resolver {
  /** The payload of a product in each store; null where the store does not list it. Pure, total, synchronous. */
  resolve(product: ProductInputs): { store: StoreInput; payload: Payload | null }[]
}

/** Prepares the part of resolving that does not depend on the product. */
export function compileResolver(account: AccountInputs): Resolver {
  const money = converter(account.currency, account.rates)
  const suppliers = new Map(account.suppliers.map((supplier) => [supplier.supplierId, supplier]))
  const rules = compileRules(account.rules)
  const groups = [...account.groups].sort((a, b) => a.groupId - b.groupId)
  const stores = account.stores.map((store): CompiledStore => {
    const chain = localeChain(store.locale, account.locale)
    return {
      store,
      chain,
      labels: compileLabels(account.attributes, chain),
      ruleOf: new Map(groups.map((group) => [group.groupId, matchRule(rules, store.storeId, group.groupId)])),
    }
  })

  return {
    resolve(product) {
      const ranked = rankOffers(product.offers, suppliers, account.currency, money)
      const best = ranked[0]
      const stock = resolveStock(product.ownStock, best)
      const cost = baseCost(product.ownStock, best, account.currency)
      const sources = orderSources(product.offers, suppliers)
      return stores.map((compiled) => {
        const { store } = compiled
        if (product.isDeleted || product.unlistedStoreIds.includes(store.storeId)) return { store, payload: null }
        const prices = resolvePrices(cost, store, groups, (groupId) => compiled.ruleOf.get(groupId), money)
        return { store, payload: assemble(product, compiled, sources, prices, stock) }
      })
    },
  }
}

function assemble(
  product: ProductInputs,
  { store, chain, labels }: CompiledStore,
  sources: readonly OfferInput[],
  prices: readonly Price[],
  stock: number,
): Payload {
  const exclusionReason = prices.length === 0 ? 'no_price' : null
  return {
    content: {
      id: product.productId,
      sku: product.sku,
      ean: primaryEan(product, sources),
      title: resolveText('title', chain, product.overrides, sources),
      description: resolveText('description', chain, product.overrides, sources),
      manufacturer: resolveManufacturer(product.overrides, sources),
      images: sources.find((offer) => offer.images.length > 0)?.images ?? [],
      store: store.slug,
      excluded: exclusionReason !== null,
      exclusionReason,
      attributes: resolveAttributes(chain, labels, product.attributeOverrides, sources),
    },
    price: { prices, stock },
  }
}

/** The EAN the owner chose, else the first one of the first supplier that states any. */
function primaryEan(product: ProductInputs, sources: readonly OfferInput[]): string | null {
  const chosen = product.eans.find((entry) => entry.isPrimary)
  if (chosen !== undefined) return chosen.ean
  for (const offer of sources) {
    const stated = product.eans.filter(
      (entry) => entry.supplierId === offer.supplierId && entry.supplierSku === offer.supplierSku,
    )
    const [first] = stated.sort((a, b) => a.position - b.position || compareText(a.ean, b.ean))
    if (first !== undefined) return first.ean
  }
  return null
}

/**
 * Offers in the order in which texts, attributes and images are taken from them: by supplier priority, not by cost, so
 * that a title does not flip with the stock. Inactive suppliers come last: pausing one must not blank a product.
 */
function orderSources(
  offers: readonly OfferInput[],
  suppliers: ReadonlyMap<number, SupplierInput>,
): OfferInput[] {
  const rank = (offer: OfferInput) => {
    const supplier = suppliers.get(offer.supplierId)
    return { inactive: supplier?.isActive === true ? 0 : 1, priority: supplier?.priority ?? 0 }
  }
  return [...offers].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)]
    return (
      left.inactive - right.inactive ||
      left.priority - right.priority ||
      a.supplierId - b.supplierId ||
      compareText(a.supplierSku, b.supplierSku)
    )
  })
}

