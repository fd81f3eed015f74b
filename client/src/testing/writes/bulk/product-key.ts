import { hasProduct, productsOfEans, productsOfSku, type Call } from '../written.ts'
import { quoted } from '../../quoted.ts'
import { failed, type Result, type Row } from './row.ts'

// Finds the product that a row names by product_id, sku or ean.

const NAMES = ['product_id', 'sku', 'ean'] as const
export const PRODUCT_KEY_MEMBERS: readonly string[] = NAMES

export type ProductKey = readonly [name: (typeof NAMES)[number], value: string | number]

export function readProductKey(row: Row): ProductKey | undefined {
  const [name, other] = NAMES.filter((one) => row.has(one))
  if (name === undefined)
    return row.isObject ? row.note('product_id', 'is required: name the product by product_id, sku or ean') : undefined
  if (other !== undefined) return row.note(other, `name the product by one of ${NAMES.join(', ')}, not by several`)
  const value = name === 'product_id' ? row.id(name) : name === 'sku' ? row.text(name) : row.ean(name)
  return value === undefined ? undefined : [name, value]
}

/** The product's ID, or the result of a row whose key no product has, or several. */
export function findProduct(call: Call, [name, value]: ProductKey): number | Result {
  const refused = (reason: string) => failed([{ name, reason }])
  if (name === 'product_id')
    return hasProduct(call, Number(value)) ? Number(value) : refused(`${value}: the account has no such product`)
  const text = String(value)
  const ids = name === 'sku' ? productsOfSku(call, text) : productsOfEans(call, [text])
  // two are enough to show that the key is ambiguous
  const [id, ...others] = ids.slice(0, 2)
  if (id === undefined) return refused(`${quoted(text)}: no product has it`)
  return others.length === 0
    ? id
    : refused(`${quoted(text)}: products ${[id, ...others].join(' and ')} have it: name one by product_id`)
}
