import type { Product } from '../answers.ts'
import type { ShelfwireError } from '../error.ts'
import { noAnswer } from '../sender.ts'
import type { Batch, Target } from './target.ts'

// Products of an export, of which nobody has asked for more than the id. A target that keeps them as texts writes the lines as they came: to read each
// and write it anew takes a third of the time of a fill. docs/decisions/248-a-fill-writes-lines-as-they-came.md says why.

/** A product, and the line of one that an export had. */
export interface Came {
  id: number
  line: string | null
  /** Null: nobody has read the line. */
  product: Product | null
}

const BEGINNING = /^\{"id":(\d{1,15}),/
/** Where the line feed between two products was lost: taken for the first, the second would have left the store. No JSON has it, a quote within a text being `\"`. */
const JOINED = '}{"id":'

/** @throws ShelfwireError `no-answer` where the line is no product: what was damaged on its way may be asked for again */
export function cameAs(line: string): Came {
  const id = line.endsWith('}') && !line.includes(JOINED) ? BEGINNING.exec(line)?.[1] : undefined
  if (id !== undefined) return { id: Number(id), line, product: null }
  const product = productIn(line)
  if (product === null) throw damaged(line)
  return { id: product.id, line: JSON.stringify(product), product }
}

/** For who takes products: what is no product is known before it is given to anybody. @throws ShelfwireError as `cameAs` */
export function readAs(line: string): Came {
  const came = cameAs(line)
  return { ...came, product: productOf(came) }
}

export const damaged = (line: string): ShelfwireError =>
  noAnswer(`the transfer was damaged: a line is no product: ${line.slice(0, 200)}`)

/** @returns null where the line is no product */
export function productIn(line: string): Product | null {
  try {
    const product = JSON.parse(line) as Partial<Product> | null
    return Number.isSafeInteger(product?.id) ? (product as Product) : null
  } catch {
    return null
  }
}

function productOf({ id, line, product }: Came): Product {
  if (product !== null) return product
  const read = productIn(line ?? '')
  if (read?.id !== id) throw damaged(line ?? '')
  return read
}

/** Functions `apply` that take `textsOf(batch)`. Of any other one, also of one around them, the products are read before it is called. */
const takers = new WeakSet<Target['apply']>()

export const takesTexts = ({ apply }: Target): boolean => takers.has(apply)

export const takeTexts = ({ apply }: Target): void => void takers.add(apply)

const unread = new WeakMap<Batch, readonly Came[]>()

/** A batch whose products are read when they are asked for. A copy of it has them read, and whoever has asked for them may have changed them. */
export function batchOf(batch: Omit<Batch, 'products'>, came: readonly Came[]): Batch {
  let products: Product[] | undefined
  const made: Batch = {
    ...batch,
    get products() {
      unread.delete(made)
      return (products ??= came.map(productOf))
    },
    set products(others) {
      unread.delete(made)
      products = others
    },
  }
  unread.set(made, came)
  return made
}

/** A product as a target keeps it. */
export interface Text {
  id: number
  text: string
  /** Nobody has read it: the target makes sure that it is JSON. */
  isUnread: boolean
}

/** The products of a batch as texts: as they came, where nobody has read them. */
export function* textsOf(batch: Batch): Generator<Text> {
  const came = unread.get(batch)
  if (came === undefined) for (const product of batch.products) yield textOf({ id: product.id, line: null, product })
  else for (const one of came) yield textOf(one)
}

const textOf = ({ id, line, product }: Came): Text => ({
  id,
  text: line ?? JSON.stringify(product),
  isUnread: product === null,
})
