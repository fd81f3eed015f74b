import type { Call } from '../written.ts'
import type { Bulk, Draft } from './row.ts'

/** A bulk whose draft is a copy of the present state. */
export function draftOf(call: Call): Bulk {
  const { stock, offers, products, made } = call.written
  const draft: Draft = {
    stock: new Map(stock),
    offers: new Map(offers),
    products: new Map(products),
    made: new Map(made),
  }
  return { call: { ...call, written: { ...call.written, ...draft } }, draft, writes: [] }
}
