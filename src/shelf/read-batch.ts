import { productsLock, productsLockAll } from '../catalog/products/products.sql.ts'
import { marksDelete, marksDeleteRead, marksOf, type Mark } from '../catalog/stale/marks.sql.ts'
import { plansKeep } from '../db/kept-plans.sql.ts'
import type { Tx } from '../db/sql.ts'
import type { Half } from '../model/payload.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import type { CompiledAccounts, ShelvedAccount } from './inputs/compiled-inputs.ts'
import { storedPrices } from './payloads/price-halves.ts'
import { weightsOf } from './inputs/product-slices.ts'
import { readContentInputs, readPriceInputs, readProductInputs } from './inputs/read-inputs.ts'
import { charactersOf, fitting, nextSlice, type Weights } from './slices.ts'
import { storedWholes } from './payloads/whole-products.ts'

// Steps 1 to 3 of T2, numbered as in ARCHITECTURE.md, which has the reasons.

export interface ShelveOptions {
  /** Skip products that another batch has locked instead of waiting for it; their marks stay. */
  skipLocked?: boolean
  /** Take at most this many products, lowest ids first; with skipLocked, concurrent workers get different ones. */
  limit?: number
  /** Resolve for one store only. The products' marks stay, because other stores may need them. */
  storeId?: number | null
  /**
   * Only these halves can have changed; the marks stay, because they may concern the other one.
   * null: both halves can have changed. Omitted: the products' marks decide.
   */
  half?: Half | null
  /** Whether JoinsOthers is thrown where others, few enough, come into another group by this; otherwise these are marked. */
  withOthers?: boolean
}

/** Locked products with what the first slice of them is resolved from and compared with. */
export interface Batch {
  locked: number[]
  /** Of which only the price half can have changed. */
  priceIds: number[]
  wholeIds: number[]
  account: ShelvedAccount
  /** All of `priceIds`. */
  priced: readonly ProductInputs[]
  /** The first slice of `wholeIds`. */
  products: readonly ProductInputs[]
  /** Of those of `locked` that are heavy. */
  weights: Weights
  /** Of `wholeIds` only the content halves can have changed: `products` have no inputs that only prices depend on. */
  isContentAlone?: boolean
  /** What is stored of them, if it is being read already. */
  stored?: { prices?: ReturnType<typeof storedPrices>; wholes?: ReturnType<typeof storedWholes> }
}

/** The locked products are too much for one transaction: it is rolled back, and the first of them are taken. */
export class TooHeavy extends Error {
  override readonly name = 'TooHeavy'
  /** Those that fit, in the order of their ids. */
  readonly productIds: readonly number[]
  constructor(productIds: readonly number[]) {
    super('too much for one transaction')
    this.productIds = productIds
  }
}

/**
 * Products outside of the batch come into another group of variants by it: it is rolled back, and all of them are locked, in the order of their
 * ids, and shelved in one transaction.
 */
export class JoinsOthers extends Error {
  override readonly name = 'JoinsOthers'
  readonly locked: readonly number[]
  readonly others: readonly number[]
  constructor(locked: readonly number[], others: readonly number[]) {
    super('others come into another group')
    this.locked = locked
    this.others = others
  }
}

const NONE = Promise.resolve([])
const LIGHT: Weights = new Map()

/** @returns null when none of the products could be locked. */
export async function readBatch(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  options: ShelveOptions,
): Promise<Batch | null> {
  // 1. lock the products: from here on no other batch resolves them
  const locked = await productsLock(tx, accountId, productIds, options.skipLocked ?? false, options.limit)
  faultPoint('shelve:after-lock')
  if (locked.length === 0) return null
  const onlyStore = options.storeId ?? null
  const onlyPrices = options.half === 'price'
  const isContentAlone = options.half === 'content'
  const isOneHalf = onlyPrices || isContentAlone
  const weighing = onlyPrices ? null : weightsOf(tx, accountId, locked)
  // if the connection breaks, deleting the marks fails first, and an unhandled rejection of this would end the process
  weighing?.catch(() => {})
  // 2. delete the marks that are visible. Awaited separately: the client sends a query when it is first awaited, and in
  // one Promise.all with the reads below, which await internally, it would be sent after them
  const marks = onlyStore === null && !isOneHalf ? await marksDelete(tx, accountId, locked) : []
  // a sweep over whole products ignores what the marks say
  const isByMarks = options.half === undefined
  let parts = { priceIds: [] as number[], wholeIds: locked }
  if (onlyPrices) parts = { priceIds: locked, wholeIds: [] }
  else if (isByMarks) parts = partByHalf(locked, marks)
  const weights = (await weighing) ?? LIGHT
  // 3. read the inputs in later statements: these see every write that left one of those marks
  const getting = accounts.get(tx, accountId)
  if (weights.size > 1) {
    const whole = new Set(parts.wholeIds)
    const writing = new Map([...weights].filter(([id]) => whole.has(id)))
    const { stores } = await getting
    requireFitting(locked, writing, onlyStore === null ? stores.length : 1)
  }
  const [account, priced, products] = await Promise.all([
    getting,
    ...inputsOf(tx, accountId, parts, weights, isContentAlone ? readContentInputs : readProductInputs),
  ])
  return {
    ...parts,
    locked,
    priced,
    products,
    weights,
    isContentAlone,
    account:
      onlyStore === null
        ? account
        : { ...account, stores: account.stores.filter(({ store }) => store.storeId === onlyStore) },
  }
}

/**
 * The same for a few products that writers have just written, in one round trip: the statements are sent in the order of the steps, and
 * each sees what was committed before it is run. Only what reads is sent, so that it goes together with the beginning of the transaction; the
 * marks that were read are deleted with what is written. Of several products those are left out that somebody has locked: an import may keep
 * one for long.
 * @param half what the caller expects to be resolved: price halves, or (null) whole products. Where the marks say otherwise, or the account's
 *   stores have changed, the rest is read again.
 */
export async function readWritten(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  half: 'price' | null,
): Promise<Batch | null> {
  void plansKeep(tx).execute()
  const locking = productsLockAll(tx, accountId, productIds, productIds.length > 1)
  const marking = marksOf(tx, accountId, productIds).execute()
  const known = accounts.known(accountId)
  const reading = Promise.all([
    accounts.get(tx, accountId),
    half === 'price' ? readPriceInputs(tx, accountId, productIds) : readProductInputs(tx, accountId, productIds),
  ])
  reading.catch(() => {})
  const stored =
    known === undefined
      ? {}
      : half === 'price'
        ? { prices: storedPrices(tx, accountId, known, productIds) }
        : { wholes: storedWholes(tx, accountId, known, productIds) }
  const locked = (await locking).map((row) => row.product_id)
  faultPoint('shelve:after-lock')
  const isLocked = new Set(locked)
  const marks = (await marking).filter(({ productId }) => isLocked.has(productId))
  const [account, read] = await reading
  if (locked.length === 0) return null
  if (marks.length > 0) void marksDeleteRead(tx, accountId, marks).execute()
  const parts = partByHalf(locked, marks, half)
  const isAsExpected = (half === 'price' ? parts.wholeIds : parts.priceIds).length === 0
  if (!isAsExpected) {
    const weights = await weightsOf(tx, accountId, locked)
    requireFitting(locked, weights, account.stores.length)
    const [priced, products] = await Promise.all(inputsOf(tx, accountId, parts, weights))
    return { ...parts, locked, account, priced, products, weights }
  }
  const inputs = read.filter(({ productId }) => isLocked.has(productId))
  if (half === null && inputs.length > 1)
    requireFitting(
      locked,
      new Map(inputs.map((product) => [product.productId, charactersOf(product)])),
      account.stores.length,
    )
  const isSame = known === account && locked.length === productIds.length
  return {
    ...parts,
    locked,
    account,
    priced: half === 'price' ? inputs : [],
    products: half === 'price' ? [] : inputs,
    weights: LIGHT,
    ...(isSame ? { stored } : {}),
  }
}

/** @throws TooHeavy */
function requireFitting(locked: readonly number[], weights: Weights, stores: number): void {
  const fit = fitting(locked, weights, stores)
  if (fit < locked.length) throw new TooHeavy(locked.slice(0, fit))
}

/** The inputs for price halves, and those of the first slice of whole products. */
function inputsOf(
  tx: Tx,
  accountId: number,
  { priceIds, wholeIds }: Pick<Batch, 'priceIds' | 'wholeIds'>,
  weights: Weights,
  read = readProductInputs,
) {
  const first = nextSlice(wholeIds, 0, LIMITS.shelveSliceProducts, weights)
  return [
    priceIds.length === 0 ? NONE : readPriceInputs(tx, accountId, priceIds),
    first.length === 0 ? NONE : read(tx, accountId, first),
  ] as const
}

/**
 * Separates the products of which only price halves can have changed: they have marks, and all of the marks say so. A
 * product without marks was requested directly, or another batch deleted its marks and is committed: it is resolved as a whole.
 * @param unmarked what is resolved of it otherwise, where the caller has written no more than that.
 */
function partByHalf(
  productIds: readonly number[],
  marks: readonly Pick<Mark, 'productId' | 'half'>[],
  unmarked: 'price' | null = null,
): { priceIds: number[]; wholeIds: number[] } {
  const priced = new Set(unmarked === 'price' ? productIds : [])
  for (const { productId, half } of marks) if (half === 'price') priced.add(productId)
  for (const { productId, half } of marks) if (half === null) priced.delete(productId)
  return { priceIds: productIds.filter((id) => priced.has(id)), wholeIds: productIds.filter((id) => !priced.has(id)) }
}
