import { productIdsAfter } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db, type Reader, type Tx } from '../db/sql.ts'
import { asBusy, openFairTurns } from '../platform/turns/fair-turns.ts'
import { LIMITS } from '../platform/limits.ts'
import { mapYielding, openYielding } from '../platform/turns/yielding.ts'
import { rulesReaching } from '../resolve/reach.ts'
import { resolve } from '../resolve/resolve.ts'
import { compiledAccounts, compileInTurns, type CompiledAccounts } from '../shelf/inputs/compiled-inputs.ts'
import { withReadingTurn } from '../shelf/inputs/looked-at.ts'
import { productSlices } from '../shelf/inputs/product-slices.ts'
import { readPriceInputs, readProductInputs } from '../shelf/inputs/read-inputs.ts'
import { partsOf, type Weights } from '../shelf/slices.ts'
import { compareProduct, comparisonOf, inStores, type Comparison, type Difference } from './compare.ts'
import { changedInputs, namedBy, type RuleChange, type RuleKind } from './rule-change.ts'
import { reduceHeavySample, takeSample } from './sample.ts'
import { addProduct, openTally, type Example, type Tally } from './tally.ts'

/** A preview of a sample. */
export interface Preview {
  tally: Tally
  /** The products that are spread evenly over the catalog: their share of changes is roughly that of all products. */
  spread: { products: number; changed: number }
  isEverything: boolean
}

/** How many of the examined products each rule affects, by kind and rule id. */
export interface RuleReach {
  products: number
  isEverything: boolean
  rules: Record<RuleKind, ReadonlyMap<number, number>>
}

/** The name of an example's product in a store; null if it has none there or the product is gone. */
export interface Named {
  title: string | null
  sku: string | null
}

/**
 * Previews of rule changes. Nothing is written or locked: the inputs are read in one snapshot, the rules are replaced in memory, and products are
 * resolved with both.
 */
export interface Previews {
  /**
   * @param plan makes the change from the rules of the same snapshot, by the code that would write it.
   * @param signal ends the wait for a turn.
   * @throws ShelfwireError rate-limited if too many previews wait; the reason of `signal`.
   */
  sample(accountId: number, plan: (reader: Reader) => Promise<RuleChange>, signal?: AbortSignal): Promise<Preview>
  reach(accountId: number, signal?: AbortSignal): Promise<RuleReach>
  /** Names of the examples' products, by `store.product`. */
  names(accountId: number, examples: readonly Example[]): Promise<ReadonlyMap<string, Named>>
}

export function openPreviews(db: Db): Previews {
  const accounts = compiledAccounts(db)
  const turns = openFairTurns('previews of rules', {
    atOnce: LIMITS.rulePreviewsAtOnce,
    perKey: LIMITS.rulePreviewsPerAccountMax,
    waitingMax: LIMITS.rulePreviewsWaitingMax,
    waitingPerKeyMax: LIMITS.rulePreviewsWaitingPerAccountMax,
  })
  const inTurn = async <T>(accountId: number, signal: AbortSignal | undefined, work: (tx: Tx) => Promise<T>) => {
    const turn = await turns.acquire(accountId, { signal }).catch((error: unknown) => {
      throw asBusy(error, 'previews', LIMITS.rulePreviewRetrySeconds)
    })
    using _turn = turn
    return await inSnapshot(db, work)
  }
  return {
    sample: (accountId, plan, signal) =>
      inTurn(accountId, signal, async (tx) => {
        const [before, change] = await Promise.all([accounts.get(tx, accountId), plan(tx)])
        const comparison = comparisonOf(before, await compileInTurns(changedInputs(before.account, change)))
        const named = namedBy(before.account, change)
        const taken = await takeSample(tx, accountId, before, named, sampleProducts(comparison))
        const sample = comparison.isPriceAlone ? taken : await reduceHeavySample(tx, accountId, taken)
        const tally = openTally()
        const { weights } = sample
        await tallied(tx, accountId, comparison, sample.spread, tally, { weights })
        const part = { products: tally.products, changed: tally.changed.products }
        const spread = new Set(sample.spread)
        const others = sample.named.filter((id) => !spread.has(id))
        await tallied(tx, accountId, comparison, others, tally, { weights })
        return { tally, spread: part, isEverything: sample.isEverything }
      }),
    reach: (accountId, signal) =>
      inTurn(accountId, signal, async (tx) => {
        const account = await accounts.get(tx, accountId)
        const stores = Math.max(1, account.stores.length)
        const most = Math.min(LIMITS.reachProductsMax, Math.ceil(LIMITS.reachPayloadsMax / stores))
        const taken = await takeSample(tx, accountId, account, null, most)
        const sample = account.isPriceAlone ? taken : await reduceHeavySample(tx, accountId, taken)
        const rules = { pricing: new Map<number, number>(), exclusion: new Map(), assortment: new Map() }
        let products = 0
        // price inputs suffice if no exclusion rule reads contents
        const read = account.isPriceAlone ? readPriceInputs : readProductInputs
        for await (const slice of productSlices(tx, accountId, sample.spread, { read, weights: sample.weights })) {
          const present = slice.products.filter(({ isDeleted }) => !isDeleted)
          products += present.length
          for (const reached of await mapYielding(present, (product) => rulesReaching(account, product)))
            for (const kind of ['pricing', 'exclusion', 'assortment'] as const)
              for (const id of reached[kind]) rules[kind].set(id, (rules[kind].get(id) ?? 0) + 1)
        }
        return { products, isEverything: sample.isEverything, rules }
      }),
    names: (accountId, examples) => {
      const ids = [...new Set(examples.map(({ productId }) => productId))]
      const naming = (tx: Tx) => namesOf(tx, accounts, accountId, examples, ids)
      return withReadingTurn(db, accountId, ids, () => inSnapshot(db, naming))
    },
  }
}

async function namesOf(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  examples: readonly Example[],
  ids: readonly number[],
): Promise<ReadonlyMap<string, Named>> {
  const account = await accounts.get(tx, accountId)
  const storesOf = Map.groupBy(examples, ({ productId }) => productId)
  const names = new Map<string, Named>()
  const yielding = openYielding()
  for await (const { products } of productSlices(tx, accountId, ids))
    for (const product of products) {
      const shownIn = new Set(storesOf.get(product.productId)?.map(({ storeId }) => storeId))
      // one store at a time: names are kept, payloads of a long product are not
      for (const inStore of account.stores) {
        const { storeId } = inStore.store
        if (!shownIn.has(storeId)) continue
        // as if listed, so that a product that the store does not list yet has a name as well
        const listed = { ...product, listings: [{ storeId, isListed: true }] }
        const [named] = resolve({ ...account, stores: [inStore] }, listed)
        names.set(`${storeId}.${product.productId}`, {
          title: named?.payload?.content.title ?? null,
          sku: named?.payload?.content.sku ?? product.sku,
        })
        const pause = yielding()
        if (pause !== null) await pause
      }
    }
  return names
}

function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    return work(tx)
  })
}

/** As many products as can be examined while a person types; whole products take twice as long. */
function sampleProducts({ before, isPriceAlone }: Comparison): number {
  const products = Math.min(
    LIMITS.previewProductsMax,
    Math.floor(LIMITS.previewPayloadsMax / Math.max(1, before.stores.length)),
  )
  return Math.max(1, isPriceAlone ? products : Math.ceil(products / 2))
}

/** The longest reading time that the pauses are based on: a statement that waited for a lock or a slow disk is no reason for a long pause. */
const REST_FOR_MS = 20

/**
 * Reads these products, compares them and adds them to a tally.
 * @param restMs pause per millisecond of work; see mapYielding. @param deadline stops after the slice that passes it, by performance.now(). @param
 * weights see productSlices.
 * @returns the last product examined; undefined: none.
 */
async function tallied(
  reader: Reader,
  accountId: number,
  comparison: Comparison,
  productIds: readonly number[],
  tally: Tally,
  {
    restMs = 0,
    deadline = Infinity,
    weights,
  }: { restMs?: number; deadline?: number; weights?: Weights | undefined } = {},
): Promise<number | undefined> {
  const read = comparison.isPriceAlone ? readPriceInputs : readProductInputs
  let from = performance.now()
  let last: number | undefined
  for await (const { ids, products } of productSlices(reader, accountId, productIds, { read, weights })) {
    // a pause for the database as well, in proportion to the reading time, which is longer when others wait for it
    if (restMs > 0)
      await new Promise((done) => setTimeout(done, restMs * Math.min(performance.now() - from, REST_FOR_MS)))
    const present = products.filter(({ isDeleted }) => !isDeleted)
    const differences = new Map<number, Difference[]>()
    // a long product is resolved in some stores at a time
    for (const part of partsOf(comparison.before, present)) {
      const ofPart = inStores(comparison, part.account.stores)
      const compared = await mapYielding(part.products, (product) => compareProduct(ofPart, product), restMs)
      for (const [i, { productId }] of part.products.entries())
        differences.set(productId, [...(differences.get(productId) ?? []), ...(compared[i] ?? [])])
    }
    for (const { productId } of present) addProduct(tally, comparison.before, differences.get(productId) ?? [])
    last = ids.at(-1)
    from = performance.now()
    if (from >= deadline) break
  }
  return last
}

/** The progress of a preview of everything. */
export interface Progress {
  /** The last product examined. */
  place: number
  tally: Tally
}

/**
 * Examines the next products of a preview of everything, for at most LIMITS.previewStepMs. While the process serves requests it pauses in between,
 * because a preview takes minutes and readers must not wait for it.
 * @returns isDone: whether no products are left.
 */
export async function previewStep(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  change: RuleChange,
  { place, tally }: Progress,
  isServing: () => boolean,
): Promise<Progress & { isDone: boolean }> {
  const deadline = performance.now() + LIMITS.previewStepMs
  const before = await accounts.get(tx, accountId)
  const comparison = comparisonOf(before, await compileInTurns(changedInputs(before.account, change)))
  const stores = Math.max(1, before.stores.length)
  const limit = Math.max(1, Math.min(LIMITS.shelveBatchProducts, Math.floor(LIMITS.shelveBatchPayloads / stores)))
  for (let last = place; ;) {
    const ids = await productIdsAfter(tx, accountId, last, limit)
    const restMs = isServing() ? LIMITS.previewRestMs : 0
    last = (await tallied(tx, accountId, comparison, ids, tally, { restMs, deadline })) ?? last
    const isDone = ids.length < limit && last === (ids.at(-1) ?? last)
    if (isDone || performance.now() >= deadline) return { place: last, tally, isDone }
  }
}
