import type { GroupInput } from '../../resolve/inputs.ts'
import { foldName } from '../../resolve/rules/conditions.ts'
import { dialectOf } from '../../supplier-files/csv/dialect.ts'
import { scanRecord } from '../../supplier-files/csv/scan.ts'
import { readMoney, type DecimalSign } from '../../supplier-files/numbers.ts'
import { countLines } from '../../supplier-files/rows.ts'
import { readEan } from '../../input/ean.ts'
import { readKey } from '../../input/text.ts'
import { quoted, type Verdict } from '../../input/verdict.ts'
import { readId } from '../../input/whole.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { ProductKey } from '../bulk/product-key.ts'
import { readPrice, type EntryRow } from './rows.ts'

// A file of prices: CSV whose first line names the columns.

const FIELDS_MAX = 50
const FIELD_LENGTH_MAX = 1_000
const SAMPLE = 20_000

/** Accepted names of each column, folded. */
const COLUMNS = {
  product_id: ['product_id', 'product id', 'id'],
  sku: ['sku'],
  ean: ['ean', 'gtin'],
  group: ['customer_group', 'customer group', 'group', 'group_id', 'customer_group_id'],
  price: ['price', 'amount'],
} as const
type Column = keyof typeof COLUMNS

/**
 * The valid rows of a file, and the faults of the others, each named by its line.
 * @param decimal the decimal sign of its prices; undefined: detected per price, which then may have only one sign.
 * @throws ShelfwireError invalid-input if the file as a whole cannot be read.
 */
export async function readPriceFile(
  bytes: Buffer,
  currency: string,
  groups: readonly Pick<GroupInput, 'groupId' | 'name'>[],
  decimal: DecimalSign,
): Promise<{ rows: EntryRow[]; faults: Fault[] }> {
  const text = textOf(bytes)
  const { delimiter, skip, isCr } = dialectOf(text.slice(0, SAMPLE), '"', undefined, 0)
  const body = isCr ? text.replaceAll('\r', '\n') : text
  const signs = { delimiter, quote: '"', fieldsMax: FIELDS_MAX, fieldLengthMax: FIELD_LENGTH_MAX }
  const groupOf = groupFinder(groups)
  const rows: EntryRow[] = []
  const faults: Fault[] = []
  let columns: Partial<Record<Column, number>> | null = null
  let count = 0
  let line = 1 + countLines(body, 0, skip)
  const turn = openYielding()
  for (let from = skip; from < body.length;) {
    const scan = scanRecord(body, from, signs, true)
    if (scan === 'more' || scan === 'malformed')
      throw unreadable(`line ${line} can not be read: a quote is opened and never closed`)
    const at = `line ${line}`
    line += countLines(body, from, scan.next)
    from = scan.next
    if (scan.fields.every((field) => field.trim() === '')) continue
    if (columns === null) {
      columns = columnsOf(scan.fields)
      continue
    }
    if (++count > LIMITS.priceListFileRowsMax)
      throw unreadable(`has more than ${LIMITS.priceListFileRowsMax} rows; send it in parts`)
    const row = rowOf(scan.fields, columns, currency, groupOf, decimal)
    if ('reason' in row) {
      if (faults.length < LIMITS.faultsMax) faults.push({ name: at, reason: row.reason })
    } else rows.push({ at, ...row.value })
    const others = turn()
    if (others !== null) await others
  }
  if (count === 0) throw unreadable('has no rows: the names of the columns, and a row for each price')
  return { rows, faults }
}

const unreadable = (reason: string) =>
  new ShelfwireError('invalid-input', `the file ${reason}`, { faults: [{ name: 'file', reason }] })

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('is not UTF-8')
  }
}

function columnsOf(names: readonly string[]): Partial<Record<Column, number>> {
  const columns: Partial<Record<Column, number>> = {}
  for (const [i, given] of names.entries()) {
    const name = foldName(given)
    const column = (Object.keys(COLUMNS) as Column[]).find((one) => (COLUMNS[one] as readonly string[]).includes(name))
    if (column === undefined)
      throw unreadable(`has a column ${quoted(given)}; they are sku or product_id or ean, customer_group, price`)
    if (columns[column] !== undefined) throw unreadable(`has two columns that are ${column}`)
    columns[column] = i
  }
  if (columns.price === undefined) throw unreadable('has no column "price"')
  const keys = (['product_id', 'sku', 'ean'] as const).filter((key) => columns[key] !== undefined)
  if (keys.length !== 1)
    throw unreadable(
      keys.length === 0 ? 'has no column "sku", "product_id" or "ean"' : `has ${keys.join(' and ')}: keep one of them`,
    )
  return columns
}

/** A customer group by its name in any letter case, or by its id. */
function groupFinder(groups: readonly Pick<GroupInput, 'groupId' | 'name'>[]): (text: string) => number | undefined {
  const byName = new Map(groups.map(({ groupId, name }) => [foldName(name), groupId]))
  const ids = new Set(groups.map(({ groupId }) => groupId))
  return (text) =>
    byName.get(foldName(text)) ?? (/^\d{1,15}$/.test(text) && ids.has(Number(text)) ? Number(text) : undefined)
}

function rowOf(
  fields: readonly string[],
  columns: Partial<Record<Column, number>>,
  currency: string,
  groupOf: (text: string) => number | undefined,
  decimal: DecimalSign,
): Verdict<Omit<EntryRow, 'at'>> {
  const cell = (column: Column) => {
    const at = columns[column]
    return at === undefined ? '' : (fields[at] ?? '').trim()
  }
  const key = keyOf(columns, cell)
  if ('reason' in key) return key
  const group = cell('group')
  const groupId = group === '' ? 0 : groupOf(group)
  if (groupId === undefined) return { reason: `customer_group: the account has no customer group ${quoted(group)}` }
  const given = cell('price')
  if (given === '') return { reason: 'price: is empty' }
  const money = readMoney(given, decimal)
  if ('reason' in money) return { reason: `price: ${money.reason}` }
  if (money.value.currency !== null && money.value.currency !== currency)
    return { reason: `price: ${quoted(given)} is in ${money.value.currency}, and the list in ${currency}` }
  const amount = readPrice(money.value.amount, currency, given)
  return 'reason' in amount
    ? { reason: `price: ${amount.reason}` }
    : { value: { key: key.value, groupId, amount: amount.value } }
}

function keyOf(columns: Partial<Record<Column, number>>, cell: (column: Column) => string): Verdict<ProductKey> {
  if (columns.product_id !== undefined) {
    const given = cell('product_id')
    const id = readId(/^\d{1,15}$/.test(given) ? Number(given) : given)
    return 'reason' in id
      ? { reason: `product_id: ${id.reason}` }
      : { value: { by: 'product_id', productId: id.value } }
  }
  if (columns.ean !== undefined) {
    const ean = readEan(cell('ean'))
    return 'reason' in ean ? { reason: `ean: ${ean.reason}` } : { value: { by: 'ean', ean: ean.value } }
  }
  const sku = readKey(cell('sku'), LIMITS.skuLengthMax)
  return 'reason' in sku ? { reason: `sku: ${sku.reason}` } : { value: { by: 'sku', sku: sku.value } }
}
