import type { Static } from 'typebox'
import { CHANGE_PRODUCTS } from '../../../contract/panel/catalog.ts'
import type { Tx } from '../../db/sql.ts'
import { writeRows, type BulkKind } from '../../operations/bulk/write.ts'
import { operationGet } from '../../operations/operations.sql.ts'
import { spool } from '../../operations/spool.ts'
import { matchingProducts } from '../../overview/product-list.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { operationMembers } from '../account/operations/operation-members.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { productFilterOf } from './product-filter.ts'
import { timeOf } from './represent.ts'

type Body = Static<(typeof CHANGE_PRODUCTS)['body']['schema']>
/** A change of each product: the kind of bulk, and the members of its rows besides the product. */
interface Change {
  name: 'exclusion' | 'override' | 'stock'
  kind: BulkKind
  row: Readonly<Record<string, unknown>>
}

const KINDS = { exclusion: 'bulk_exclusions', override: 'bulk_overrides', stock: 'bulk_stock' } as const

/** Makes one change of many products: the service finds the products and stores a bulk, which an operation writes. */
export function productChangeHandlers(app: PanelApp, context: ServeContext): void {
  app.handle(CHANGE_PRODUCTS, async ({ accountId, body, query, note }) => {
    const change = changeOf(body)
    const ids = await selectedIds(context, accountId, body.selection)
    requireFewCharacters(change, ids.length)
    const rows = { length: ids.length, at: (i: number) => ({ product_id: ids[i], ...change.row }) }
    const written = await context.writes.write(accountId, async (tx) => {
      await requireFaultless(tx, accountId, change, ids[0])
      const operationId = await spool(tx, accountId, change.kind, rows, query.dry_run)
      await note(tx, { ...body, selection: shownSelection(body.selection), products: ids.length })
      const operation = await operationGet(tx, accountId, operationId)
      return { value: operation, productIds: [], isForAll: false, isQueued: true }
    })
    if (written.isReplay || written.value === undefined) throw new Error('an operation was not stored')
    return { data: operationMembers(written.value) }
  })
}

function changeOf(body: Body): Change {
  const [name, ...others] = (['exclusion', 'override', 'stock'] as const).filter((member) => body[member] !== undefined)
  if (name === undefined || others.length > 0) throw invalid('exclusion', 'give one of exclusion, override and stock')
  return { name, kind: KINDS[name], row: body[name] ?? {} }
}

/** The ids of the selected products. @throws ShelfwireError invalid-input for none, or too many. */
async function selectedIds(context: ServeContext, accountId: number, selection: Body['selection']): Promise<number[]> {
  const { ids, filter, except } = selection
  if ((ids === undefined) === (filter === undefined)) throw invalid('selection', 'give either ids or filter')
  if (ids !== undefined) return [...new Set(ids)]
  const { changed_since: since, ...rest } = filter ?? {}
  const asked = { ...rest, ...(since === undefined ? {} : { changed_since: timeOf('changed_since', since) }) }
  const { filter: wanted, storeIds } = await productFilterOf(context, accountId, asked)
  const left = new Set(except)
  const found: number[] = []
  for await (const part of matchingProducts(context.db, accountId, wanted, storeIds)) {
    for (const id of part) if (!left.has(id)) found.push(id)
    if (found.length > LIMITS.bulkRowsMax)
      throw invalid('selection', `matches more than ${LIMITS.bulkRowsMax} products; narrow it`)
  }
  if (found.length === 0) throw invalid('selection', 'matches no product')
  return found
}

/**
 * Limits products times characters, because the change is stored once per product: a small request must not store more than a large
 * one may send.
 * @throws ShelfwireError invalid-input
 */
function requireFewCharacters({ row }: Change, products: number) {
  const characters = JSON.stringify(row).length
  const most = Math.floor(LIMITS.productChangeCharactersMax / characters)
  if (products > most)
    throw invalid(
      'selection',
      `has ${products} products, and a change of ${characters} characters can be made to at most ${most} at once: choose fewer products, or shorten it`,
    )
}

/** Writes the first row and rolls it back, so that a value that no product can have is refused at once. */
async function requireFaultless(tx: Tx, accountId: number, { name, kind, row }: Change, productId: number | undefined) {
  const [result] = (await writeRows(tx, accountId, kind, [{ product_id: productId, ...row }], true)).value
  // the first product may have been deleted meanwhile, or be full: these faults concern only its own row
  const faults = (result?.faults ?? []).filter(
    (fault) => fault.name !== 'product_id' && result?.productId === undefined,
  )
  const [first] = faults
  if (first === undefined) return
  throw new ShelfwireError('invalid-input', `${name}.${first.name} ${first.reason}`, {
    faults: faults.map((fault) => ({ name: `${name}.${fault.name}`, reason: fault.reason })),
  })
}

/** The selection for the audit trail, with long lists shortened or as their length. */
function shownSelection({ ids, filter, except = [] }: Body['selection']): Readonly<Record<string, unknown>> {
  if (filter !== undefined) return { filter, except: except.length }
  return { ids: ids?.slice(0, 20) ?? [] }
}

function invalid(name: string, reason: string): ShelfwireError {
  return new ShelfwireError('invalid-input', `${name} ${reason}`, { faults: [{ name, reason }] })
}
