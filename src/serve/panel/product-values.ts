import { timeOrNull } from '../../platform/time/timestamp.ts'
import { GRID_NAMES, isTextField } from '../../../contract/product-fields.ts'
import { CELL_COLUMNS_MAX, PRODUCT_CELLS, PRODUCT_PICTURES } from '../../../contract/panel/product-values.ts'
import { storesList, type StoreRow } from '../../catalog/settings/stores/stores.sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import { reasonsByCount } from '../../images/adoption/adopt.ts'
import { readLocaleForm } from '../../input/locale.ts'
import { namedProducts } from '../../overview/named-products.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { readProductCells, type CellColumn } from '../../shelf/reads/product-cells.ts'
import { readProductPictures, type ProductPicture } from '../../shelf/reads/product-pictures.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { nameMembers } from './represent.ts'

/** The owner's values of products, and the suppliers' beside them. */
export function productValueHandlers(app: PanelApp, context: ServeContext): void {
  const { db } = context
  app.handle(PRODUCT_CELLS, async ({ accountId, query }) => {
    const { ids = [] } = query
    const columns = columnsOf(query.columns, await storesList(db, accountId))
    const stores = await context.stores.active(accountId)
    const [rows, cells] = await Promise.all([
      namedProducts(db, accountId, stores, ids),
      readProductCells(db, accountId, ids, columns),
    ])
    const cellsOf = new Map(cells.map((entry) => [entry.productId, entry]))
    return {
      data: rows.flatMap((row) => {
        const found = cellsOf.get(row.productId)
        return found === undefined
          ? []
          : [{ id: row.productId, ...nameMembers(row), stock: found.ownStock, cells: found.cells }]
      }),
    }
  })
  app.handle(PRODUCT_PICTURES, async ({ accountId, query }) => {
    const { own, source, pictures } = await readProductPictures(db, accountId, query.product)
    const supplierId = source?.from === 'supplier' ? source.supplierId : null
    const supplier = (await suppliersList(db, accountId)).find((row) => row.supplierId === supplierId)
    return {
      data: { is_own: own !== null, supplier: supplier?.code ?? null, pictures: pictures.map(pictureOf) },
    }
  })
}

function pictureOf({ url, isListed, suppliers, state, reason, shown, alts, record }: ProductPicture) {
  return {
    url,
    is_listed: isListed,
    suppliers,
    state,
    reason,
    shown,
    type: record?.type ?? null,
    width: record?.width ?? null,
    height: record?.height ?? null,
    bytes: record?.bytes ?? null,
    alts: alts.map(({ locale, text, foundIn, supplier }) => ({ locale, text, found_in: foundIn, supplier })),
    is_uploaded: record !== null && record.nextFetchAt === null,
    is_adopted: record !== null && record.adoptedAt !== null,
    looks: record?.failures ?? 0,
    reasons: reasonsByCount(record?.failingReasons ?? {}).map((name) => ({
      reason: name,
      looks: record?.failingReasons[name] ?? 0,
    })),
    failed_since: timeOrNull(record?.failedSince ?? null),
    fetched_at: timeOrNull(record?.fetchedAt ?? null),
    next_fetch_at: timeOrNull(record?.nextFetchAt ?? null),
  }
}

/** The columns of a list of names. @throws ShelfwireError invalid-parameters for a name that no column has. */
function columnsOf(text: string, stores: readonly StoreRow[]): CellColumn[] {
  const names = text === '' ? [] : text.split(',')
  if (names.length > CELL_COLUMNS_MAX) throw invalid(`has at most ${CELL_COLUMNS_MAX} names`)
  return names.map((name) => {
    const [field = '', ...rest] = name.split('.')
    const place = rest.length === 0 ? null : decoded(rest.join('.'))
    const column = columnOf(field, place, stores)
    if (column === null) throw invalid(`has no column ${JSON.stringify(name.slice(0, 80))}`)
    return column
  })
}

function columnOf(field: string, place: string | null, stores: readonly StoreRow[]): CellColumn | null {
  if (isTextField(field) || field === 'image_alts') {
    const locale = readLocaleForm(place)
    return 'value' in locale ? { field, locale: locale.value } : null
  }
  if (field === 'attribute') return place === null || place === '' ? null : { field, key: place }
  // whether the list exists is not checked: one that does not exist has no prices
  if (field === 'price') return place === null || place === '' ? null : { field, listKey: place }
  if (field === 'eans') return place === null ? { field } : null
  if (field === 'slug') {
    const store = stores.find(({ slug }) => slug === place)
    return store === undefined ? null : { field, storeId: store.storeId }
  }
  if (field === 'excluded') {
    if (place === null) return { field, storeId: 0 }
    const store = stores.find(({ slug }) => slug === place)
    return store === undefined ? null : { field, storeId: store.storeId }
  }
  const name = GRID_NAMES.find((one) => one === field)
  return place === null && name !== undefined ? { field: name } : null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function invalid(reason: string): ShelfwireError {
  return new ShelfwireError('invalid-parameters', `columns ${reason}`, { faults: [{ name: 'columns', reason }] })
}
