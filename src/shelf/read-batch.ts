import { productsLock, productsLockAll } from '../catalog/products/products.sql.ts'
import { marksDelete, marksDeleteRead, marksOf, type Mark } from '../catalog/stale/marks.sql.ts'
import { useGenericPlans } from '../db/statements/kept-plans.sql.ts'
import type { Tx } from '../db/sql.ts'
import type { Half } from '../model/payload.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import type { CompiledAccounts, ShelvedAccount } from './inputs/compiled-inputs.ts'
import { storedPrices } from './payloads/price-halves.ts'
import { weightsOf } from './inputs/product-slices.ts'
import { readContentInputs, readPriceInputs, readProductInputs } from './inputs/read-inputs.ts'
import { charactersOf, countThatFits, nextSlice, type Weights } from './slices.ts'
import { storedWholeProducts } from './payloads/whole-products.ts'

// Steps 1 to 3 of T2, numbered as in ARCHITECTURE.md, which has the reasons.

export interface ShelveOptions {
  /** Skip products that another batch has locked instead of waiting for it; their marks stay. */
  skipLocked?: boolean
  /** Take at most this many products, lowest ids first; with skipLocked, concurrent workers get different ones. */
  limit?: number
  /** Resolve for one store only. The products' marks stay, because other stores may need them. */
  storeId?: number | null
  /**
   * Only this half can have changed; marks stay, because they may concern the other half. null: both can have changed. Omitted: the marks decide.
   */
  half?: Half | null
  /**
   * Whether JoinsOthers is thrown if shelving changes the variant group of products outside the batch that still fit into it. Otherwise these
   * are only marked.
   */
  withOthers?: boolean
}

/** Locked products, with the inputs of the first slice and optionally the stored rows. */
export interface Batch {
  locked: number[]
  /** Products of which only the price half can have changed. */
  priceIds: number[]
  wholeIds: number[]
  account: ShelvedAccount
  /** Inputs of all `priceIds`. */
  priced: readonly ProductInputs[]
  /** Inputs of the first slice of `wholeIds`. */
  products: readonly ProductInputs[]
  /** Weights of the heavy ones of `locked`. */
  weights: Weights
  /** Only the content halves of `wholeIds` can have changed: `products` lack the inputs that only prices depend on. */
  isContentAlone?: boolean
  /** Stored rows that are being read already. */
  stored?: { prices?: ReturnType<typeof storedPrices>; wholes?: ReturnType<typeof storedWholeProducts> }
}

/** The locked products are too heavy for one transaction: it is rolled back, and the caller shelves those that fit. */
export class TooHeavy extends Error {
  override readonly name = 'TooHeavy'
  /** The first products that fit, by ascending id. */
  readonly productIds: readonly number[]
  constructor(productIds: readonly number[]) {
    super('too much for one transaction')
    this.productIds = productIds
  }
}

/**
 * Shelving changes the variant group of products outside the batch: the transaction is rolled back, and the caller locks all of them, in id
 * order, and shelves them in one transaction.
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

/** Steps 1 to 3. @returns null if none of the products could be locked. */
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
  // if the connection breaks, marksDelete fails first, and the unhandled rejection of this one would end the process
  weighing?.catch(() => {})
  // 2. delete the visible marks. Awaited before the reads below: a query is sent when it is first awaited, and the reads await internally, so
  // in one Promise.all the deletion could be sent after them
  const marks = onlyStore === null && !isOneHalf ? await marksDelete(tx, accountId, locked) : []
  // a sweep of whole products resolves them whole, whatever their marks say
  const isByMarks = options.half === undefined
  let parts = { priceIds: [] as number[], wholeIds: locked }
  if (onlyPrices) parts = { priceIds: locked, wholeIds: [] }
  else if (isByMarks) parts = partByHalf(locked, marks)
  const weights = (await weighing) ?? LIGHT
  // 3. read the inputs in later statements, which see every write that left one of those marks
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
 * The same for a few products that were just written, in one round trip: the statements run in the order of the steps, and each sees what was
 * committed before it runs. Only reads are sent, so that they travel with the beginning of the transaction; the marks read are deleted with the
 * writes. Of several products, locked ones are left out, because an import may hold one for long.
 * @param half the half that the caller expects to change (null: both). If marks say otherwise, the inputs are read again; if the account's
 * stores have changed, the stored rows are.
 */
export async function readWritten(
  tx: Tx,
  accounts: CompiledAccounts,
  accountId: number,
  productIds: readonly number[],
  half: 'price' | null,
): Promise<Batch | null> {
  void useGenericPlans(tx).execute()
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
        : { wholes: storedWholeProducts(tx, accountId, known, productIds) }
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
  const fit = countThatFits(locked, weights, stores)
  if (fit < locked.length) throw new TooHeavy(locked.slice(0, fit))
}

/** Reads the inputs of all price halves and of the first slice of whole products. */
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
 * Separates products of which only the price half can have changed: they have marks, and all of these say so. A product without marks was
 * requested directly, or another batch has shelved it meanwhile; it is resolved as a whole.
 * @param unmarked what a product without marks needs, if the caller knows that it wrote no more than that.
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
