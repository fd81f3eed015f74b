import { Problem } from '../problem.ts'
import { BULK, butIs, type Fault } from './body-shapes.ts'
import { readAmount, readPieces } from './numbers.ts'
import { requireShape } from './request.ts'
import { hasProduct, productsOfSku, type Call, type Made, type OwnStock, type Work, type Write } from './written.ts'

// Own stock of many products: each row as if it were a request of its own, in their order.

const ROWS_MAX = 1_000
const KEYS = ['product_id', 'sku', 'ean'] as const
const MEMBERS = [...KEYS, 'quantity', 'cost', 'expected']
type Members = Readonly<Record<string, unknown>>

interface Result {
  row: number
  status: 'created' | 'changed' | 'unchanged' | 'failed'
  product_id?: number
  errors?: Fault[]
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** What is wrong with a row, noted while it is read. */
class Faults {
  readonly list: Fault[] = []

  note(name: string, reason: string): undefined {
    this.list.push({ name, reason })
    return undefined
  }

  known(members: Members, known: readonly string[], at = ''): void {
    for (const name of Object.keys(members))
      if (!known.includes(name)) this.note(at + name, `is not a known member; they are ${known.join(', ')}`)
  }

  number<T>(
    name: string,
    given: unknown,
    read: (given: string | number) => { value: T } | { reason: string },
    words: string,
  ): T | undefined {
    if (typeof given !== 'string' && typeof given !== 'number') return this.note(name, words + butIs(given))
    const verdict = read(given)
    return 'value' in verdict ? verdict.value : this.note(name, verdict.reason)
  }

  pieces(name: string, given: unknown): number | undefined {
    return this.number(name, given, readPieces, 'must be a quantity such as 12, ">10" or "10+"')
  }

  amount(name: string, given: unknown): string | undefined {
    return this.number(name, given, readAmount, 'must be a decimal such as "12.50"')
  }
}

/** @throws Problem invalid-input, payload-too-large */
export function bulkStock(call: Call): Work {
  const { rows } = requireShape(call.body, BULK, 'bulk') as { rows: unknown[] }
  if (rows.length > ROWS_MAX)
    throw new Problem(
      'payload-too-large',
      `the fake of @shelfwire/client/testing answers bulks of up to ${ROWS_MAX} rows, at once; larger ones are operations of the service`,
    )
  const { atomic, dry_run: isDryRun } = call.flags
  return () => {
    const stock = new Map(call.written.stock)
    const writes: Write[] = []
    const results = rows.map((sent, row): Result => ({ row, ...written(call, sent, stock, writes) }))
    if (atomic === true) requireAll(results)
    const count = (status: Result['status']) => results.filter((one) => one.status === status).length
    const meta = {
      created: count('created'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      failed: count('failed'),
      dry_run: isDryRun === true,
    }
    const made: Made = { status: 200, whole: { data: results, meta }, next: {}, writes: [] }
    return Promise.resolve(isDryRun === true ? made : { ...made, next: { stock }, writes })
  }
}

/** Writes a row to `stock`, and notes what it has changed. */
function written(call: Call, sent: unknown, stock: Map<number, OwnStock>, writes: Write[]): Omit<Result, 'row'> {
  const faults = new Faults()
  const members = isObject(sent) ? sent : {}
  if (members !== sent) faults.note('row', 'must be an object')
  faults.known(members, MEMBERS)
  const key = isObject(sent) ? keyOf(members, faults) : undefined
  if (isObject(sent) && members['quantity'] === undefined) faults.note('quantity', 'is required')
  const [quantity, cost] = [members['quantity'], members['cost']].map((given, i) =>
    given === undefined || given === null
      ? given
      : i === 0
        ? faults.pieces('quantity', given)
        : faults.amount('cost', given),
  ) as [number | null | undefined, string | null | undefined]
  if (quantity === null && typeof cost === 'string') faults.note('cost', 'goes with own stock when quantity is null')
  const expected = expectedOf(members['expected'], faults)
  if (faults.list.length > 0 || key === undefined) return { status: 'failed', errors: faults.list }

  const found = productOf(call, key)
  if (typeof found === 'string') return { status: 'failed', errors: [{ name: key[0], reason: found }] }
  const before = stock.get(found) ?? null
  const reason = 'is not what is there now: it was changed meanwhile; read it again'
  if (expected !== undefined && !isSame(expected, before))
    return { status: 'failed', product_id: found, errors: [{ name: 'expected', reason }] }
  const now =
    quantity === null || quantity === undefined
      ? null
      : { product_id: found, quantity, cost: cost === undefined ? (before?.cost ?? null) : cost }
  if (isSame(before, now)) return { status: 'unchanged', product_id: found }
  if (now === null) stock.delete(found)
  else stock.set(found, now)
  writes.push({ kind: 'stock', productId: found, before, now })
  return { status: before === null ? 'created' : 'changed', product_id: found }
}

type Stock = Pick<OwnStock, 'quantity' | 'cost'>

const isSame = (a: Stock | null, b: Stock | null): boolean =>
  a === null || b === null ? a === b : a.quantity === b.quantity && a.cost === b.cost

/** undefined: whatever is there. */
function expectedOf(given: unknown, faults: Faults): Stock | null | undefined {
  if (given === undefined || given === null) return given
  if (!isObject(given)) return faults.note('expected', 'must be an object, or null')
  faults.known(given, ['quantity', 'cost'], 'expected.')
  const { quantity, cost = null } = given
  return {
    quantity: faults.pieces('expected.quantity', quantity) ?? 0,
    cost: cost === null ? null : (faults.amount('expected.cost', cost) ?? null),
  }
}

type Key = readonly [name: (typeof KEYS)[number], value: string | number]

function keyOf(members: Members, faults: Faults): Key | undefined {
  const [name, other] = KEYS.filter((one) => members[one] !== undefined)
  if (name === undefined) return faults.note('product_id', 'is required: name the product by product_id, sku or ean')
  if (other !== undefined) return faults.note(other, `name the product by one of ${KEYS.join(', ')}, not by several`)
  const given = members[name]
  if (name === 'product_id')
    return Number.isSafeInteger(given) && Number(given) > 0
      ? [name, Number(given)]
      : faults.note(name, `must be an ID: a whole number above 0${butIs(given)}`)
  if (typeof given !== 'string') return faults.note(name, `must be a string${butIs(given)}`)
  if (name === 'sku') return given.trim() === '' ? faults.note(name, 'must not be empty') : [name, given]
  return /^\d(?:[\d\s-]*\d)?$/.test(given.trim())
    ? [name, given.replace(/[\s-]/g, '')]
    : faults.note(name, `must be an EAN of digits, blanks and dashes, not ${quoted(given)}`)
}

/** Its ID, or why there is none. */
function productOf(call: Call, [name, value]: Key): number | string {
  if (name === 'product_id')
    return hasProduct(call, Number(value)) ? Number(value) : `${value}: the account has no such product`
  const text = String(value)
  const ofEan = name === 'ean' ? call.catalog.idOfEans([text]) : undefined
  const ids = name === 'sku' ? productsOfSku(call, text) : ofEan === undefined ? [] : [ofEan]
  const [id, ...others] = ids.filter((one) => hasProduct(call, one))
  if (id === undefined) return `${quoted(text)}: no product has it`
  return others.length === 0
    ? id
    : `${quoted(text)}: products ${[id, ...others].join(' and ')} have it: name one by product_id`
}

/** @throws Problem invalid-input where a row has failed */
function requireAll(results: readonly Result[]): void {
  const faults = results.flatMap(({ row, errors = [] }) =>
    errors.map(({ name, reason }) => ({ name: name === 'row' ? `rows.${row}` : `rows.${row}.${name}`, reason })),
  )
  const [first] = faults
  if (first === undefined) return
  const failed = results.filter(({ status }) => status === 'failed').length
  throw new Problem(
    'invalid-input',
    `nothing was written, because of ${failed} of ${results.length} rows: ${first.name} ${first.reason}`,
    { faults },
  )
}
