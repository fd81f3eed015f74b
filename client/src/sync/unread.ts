import type { Product } from '../answers.ts'
import type { ShelfwireError } from '../error.ts'
import { noAnswer } from '../sender.ts'
import type { Batch, Target } from './target.ts'

// Products of an export of which only the id has been parsed. A target that keeps texts writes the lines unchanged: parsing and serializing each of
// them takes a third of the time of a fill. docs/decisions/248-a-fill-writes-lines-as-they-came.md says why.

/** A product that has arrived: with its line where it is from an export, or parsed, or both. */
export interface ReceivedProduct {
  id: number
  line: string | null
  /** Null: the line has not been parsed. */
  product: Product | null
}

const BEGINNING = /^\{"id":(\d{1,15}),/
/** Occurs where the line feed between two products was lost, but never within one, where a quote in a text is `\"`. Taken for one product, the second would be missing. */
const JOINED = '}{"id":'

/** The product of a line, unparsed where its form is the usual one. @throws ShelfwireError `no-answer` where the line is no product: it was damaged on its way */
export function receivedProductOf(line: string): ReceivedProduct {
  const id = line.endsWith('}') && !line.includes(JOINED) ? BEGINNING.exec(line)?.[1] : undefined
  if (id !== undefined) return { id: Number(id), line, product: null }
  const product = productIn(line)
  if (product === null) throw damaged(line)
  return { id: product.id, line: JSON.stringify(product), product }
}

/** The parsed product of a line, for targets that take products: a line that is none fails here, before it reaches them. @throws ShelfwireError as `receivedProductOf` */
export function parsedProductOf(line: string): ReceivedProduct {
  const came = receivedProductOf(line)
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

function productOf({ id, line, product }: ReceivedProduct): Product {
  if (product !== null) return product
  const read = productIn(line ?? '')
  if (read?.id !== id) throw damaged(line ?? '')
  return read
}

/** The `apply` functions that read `textsOf(batch)`. For any other function, also a wrapper of these, products are parsed before it is called. */
const takers = new WeakSet<Target['apply']>()

/** Whether a target writes lines unparsed, because `takeTexts` was called for it. */
export const takesTexts = ({ apply }: Target): boolean => takers.has(apply)

export const takeTexts = ({ apply }: Target): void => void takers.add(apply)

const unread = new WeakMap<Batch, readonly ReceivedProduct[]>()

/** A batch whose products are parsed on first access. From then on, and in a copy, its texts are made from the products, which may have been changed. */
export function batchOf(batch: Omit<Batch, 'products'>, came: readonly ReceivedProduct[]): Batch {
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
  /** The text was not parsed: the target must make sure that it is JSON. */
  isUnread: boolean
}

/** The products of a batch as texts: their lines unchanged, where nobody has accessed `products`. */
export function* textsOf(batch: Batch): Generator<Text> {
  const came = unread.get(batch)
  if (came === undefined) for (const product of batch.products) yield textOf({ id: product.id, line: null, product })
  else for (const one of came) yield textOf(one)
}

const textOf = ({ id, line, product }: ReceivedProduct): Text => ({
  id,
  text: line ?? JSON.stringify(product),
  isUnread: product === null,
})
