import { exchange } from '../../api/client.ts'
import type { Static } from 'typebox'
import type { BulkAnswer } from '../../../contract/operation-schemas.ts'
import { asProblem, Problem } from '../../api/problem.ts'
import { keyOf, partsOf, type CellFault, type Draft, type SheetState } from './sheet-state.ts'

// Saves the input in batches of rows by the service's bulk routes. Each row states the value that it replaces, so that no other
// person's change is overwritten, and a batch whose answer was lost can be sent again.

type Kind = 'overrides' | 'stock' | 'exclusions' | 'prices'
interface Sent {
  kind: Kind
  /** Key of the price list; for prices only. */
  list?: string
  /** For prices only: a large change has been confirmed. */
  isConfirmed?: boolean
  row: Record<string, unknown>
  drafts: ReadonlyMap<string, Draft>
}
export type Batch = readonly Sent[]

/** Products of a batch: as many as one request reads again. */
const BATCH_PRODUCTS = 100
const WAITS_MAX = 5

/** All unsaved input, in the order of the rows. Both columns of own stock are in one row. */
export function batchesOf(state: SheetState): Batch[] {
  const places = new Map(state.rows.map(({ id }, i) => [id, i]))
  const byProduct = Map.groupBy(state.drafts, ([key]) => partsOf(key).id)
  const ids = [...byProduct.keys()].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  const batches: Batch[] = []
  for (let at = 0; at < ids.length; at += BATCH_PRODUCTS)
    batches.push(ids.slice(at, at + BATCH_PRODUCTS).flatMap((id) => sentOf(id, new Map(byProduct.get(id)))))
  return batches
}

export const cellsOf = (batches: readonly Batch[]) => batches.flat().reduce((sum, { drafts }) => sum + drafts.size, 0)

function sentOf(id: number, drafts: ReadonlyMap<string, Draft>): Sent[] {
  const stock = new Map<string, Draft>()
  const sent: Sent[] = []
  for (const [key, draft] of drafts) {
    const { column } = partsOf(key)
    if (column === 'quantity' || column === 'cost') stock.set(key, draft)
    else sent.push(cellSent(id, column, key, draft))
  }
  return stock.size === 0 ? sent : [...sent, stockSent(id, stock)]
}

function cellSent(id: number, column: string, key: string, draft: Draft): Sent {
  const at = column.indexOf('.')
  const field = at < 0 ? column : column.slice(0, at)
  const place = at < 0 ? null : decodeURIComponent(column.slice(at + 1))
  const { value, expected } = draft
  const drafts = new Map([[key, draft]])
  if (field === 'excluded')
    return { kind: 'exclusions', drafts, row: { product_id: id, store: place, reason: value, expected } }
  if (field === 'price') {
    const isConfirmed = draft.isJumpRight === true
    return { kind: 'prices', list: place ?? '', isConfirmed, drafts, row: { product_id: id, price: value, expected } }
  }
  const where = field === 'attribute' ? { key: place } : place === null ? {} : { locale: place }
  return { kind: 'overrides', drafts, row: { product_id: id, field, ...where, value, expected } }
}

function stockSent(id: number, drafts: ReadonlyMap<string, Draft>): Sent {
  const quantity = drafts.get(keyOf(id, 'quantity'))
  const cost = drafts.get(keyOf(id, 'cost'))
  const expected = (quantity ?? cost)?.stock ?? null
  // a change of the cost alone sends the current quantity; without own stock there is none, and the service refuses the
  // row
  const pieces = quantity === undefined ? expected?.quantity : quantity.value
  return {
    kind: 'stock',
    drafts,
    row: {
      product_id: id,
      ...(pieces === undefined ? {} : { quantity: pieces }),
      ...(cost === undefined ? {} : { cost: cost.value }),
      expected,
    },
  }
}

const PRICES = 'PATCH /v1/account/price-lists/{key}/entries'
const ROUTES = {
  overrides: 'POST /v1/account/bulk/overrides',
  stock: 'POST /v1/account/bulk/stock',
  exclusions: 'POST /v1/account/bulk/exclusions',
} as const

/** The result of a batch. */
export interface Saved {
  stored: Map<string, Draft>
  faults: Map<string, CellFault>
}

/**
 * Sends a batch of a save and reports each answer as it arrives.
 * @throws Problem; rows that have not been reported by then may not be stored
 */
export async function sendBatch(
  accountId: number,
  batch: Batch,
  save: string,
  onSaved: (saved: Saved) => void,
): Promise<void> {
  for (const kind of ['overrides', 'stock', 'exclusions'] as const) {
    const sent = batch.filter((entry) => entry.kind === kind)
    if (sent.length === 0) continue
    const body = { rows: sent.map(({ row }) => row) }
    const answer = await withRetries(() => exchange(ROUTES[kind], { accountId, isOneOfMany: true, save, body }))
    onSaved(savedOf(sent, (answer.body as Static<typeof BulkAnswer>).data as Result[]))
  }
  const prices = Map.groupBy(
    batch.filter(({ kind }) => kind === 'prices'),
    ({ list = '' }) => list,
  )
  for (const [list, ofList] of prices)
    for (const [confirm, sent] of Map.groupBy(ofList, ({ isConfirmed = false }) => isConfirmed))
      await sendPrices({ accountId, list, confirm, save, onSaved }, sent)
}

interface PricesSending {
  accountId: number
  /** Key of the price list. */
  list: string
  confirm: boolean
  save: string
  onSaved: (saved: Saved) => void
}

/**
 * A request for a price list is written completely or not at all. If it is refused, each half is sent again by itself, until the
 * faulty rows are alone.
 */
async function sendPrices(sending: PricesSending, sent: readonly Sent[]): Promise<void> {
  const { accountId, list: key, confirm, save, onSaved } = sending
  const body = { entries: sent.map(({ row }) => row) }
  const drafts = new Map(sent.flatMap((entry) => [...entry.drafts]))
  try {
    const request = { accountId, params: { key }, query: { confirm }, isOneOfMany: true, save, body }
    await withRetries(() => exchange(PRICES, request))
    onSaved({ stored: drafts, faults: new Map() })
  } catch (error) {
    const problem = asProblem(error)
    if (problem.status !== 409 && problem.status !== 422 && problem.status !== 404) throw error
    if (sent.length > 1) {
      const middle = Math.ceil(sent.length / 2)
      await sendPrices(sending, sent.slice(0, middle))
      await sendPrices(sending, sent.slice(middle))
      return
    }
    const fault = priceFault(problem)
    onSaved({ stored: new Map(), faults: new Map([...drafts.keys()].map((draft) => [draft, fault])) })
  }
}

export function priceFault({ faults, sentence }: Pick<Problem, 'faults' | 'sentence'>): CellFault {
  const reason = faults.map((fault) => fault.reason).join('; ') || sentence
  const isOf = (wanted: RegExp) => faults.some(({ name }) => wanted.test(name))
  return { kind: isOf(/(?:^|\.)expected$/) ? 'conflict' : isOf(/^confirm$/) ? 'jump' : 'refused', reason }
}

interface Result {
  status: string
  errors?: { name: string; reason: string }[]
}

function savedOf(sent: readonly Sent[], results: readonly Result[]): Saved {
  const saved: Saved = { stored: new Map(), faults: new Map() }
  for (const [i, { drafts }] of sent.entries()) {
    const { status, errors = [] } = results[i] ?? { status: 'failed' }
    if (status !== 'failed') {
      for (const [key, draft] of drafts) saved.stored.set(key, draft)
      continue
    }
    const isConflict = errors.some(({ name }) => name === 'expected')
    for (const key of drafts.keys()) {
      // a fault of own stock is shown at the column concerned; without one, at both
      const own = errors.filter(({ name }) => name === partsOf(key).column)
      const reason = (own.length > 0 ? own : errors).map((fault) => fault.reason).join('; ')
      saved.faults.set(key, { kind: isConflict ? 'conflict' : 'refused', reason })
    }
  }
  return saved
}

/** Waits and retries if the service asks for it: after too many requests, or during a restart. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await work()
    } catch (error) {
      const { status, retryAfter } = asProblem(error)
      if (!(error instanceof Problem) || waits >= WAITS_MAX || (status !== 429 && status !== 503)) throw error
      await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 1) * 1_000))
    }
  }
}
