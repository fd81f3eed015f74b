import type { Product } from '../answers.ts'
import { parsedProductOf } from '../sync/unread.ts'
import { wholeExport } from '../sync/whole-export.ts'
import { differences, parsedProduct, type Difference } from './differences.ts'
import type { Damage, Held } from './held.ts'
import type { Changes, Comparing, Finding, Kind } from './comparison.ts'

/** Compares every product of the mirror with the service's export, for a service that has no digests. */
export async function compareByExport(
  { shelf, target, store, detailed, onProgress, signal }: Comparing,
  changes: Changes,
): Promise<{ products: number; findings: Finding[]; damages: Damage[] }> {
  const damages: Damage[] = []
  const findings: Finding[] = []
  let kept = 0
  const find = (id: number, kind: Kind, of: () => Difference[] | null) => {
    if (changes.ids.has(id)) return
    findings.push({ id, kind, differences: kept++ < detailed ? of() : null })
  }
  const held = oneByOne(target.held(store, (damage) => void damages.push(damage)))
  let products = 0
  let own = await held.next()
  const { lines } = await shelf.export({ store, signal })
  try {
    for await (const product of productsIn(
      wholeExport(lines, shelf.products, { store, signal }, parsedProductOf, () => {}),
    )) {
      products++
      if (products % 200 === 0) onProgress(products)
      for (; own.done !== true && own.value.id < product.id; own = await held.next())
        find(own.value.id, 'superfluous', () => null)
      if (own.done === true || own.value.id > product.id) find(product.id, 'missing', () => null)
      else {
        const differing = differencesOf(own.value, product)
        if (differing.length > 0) find(product.id, 'different', () => differing)
        own = await held.next()
      }
    }
    for (; own.done !== true; own = await held.next()) find(own.value.id, 'superfluous', () => null)
  } finally {
    await held.return(undefined)
  }
  return { products, findings, damages }
}

async function* productsIn(exported: ReturnType<typeof wholeExport>): AsyncGenerator<Product> {
  for await (const some of exported) for (const { product } of some) if (product !== null) yield product
}

async function* oneByOne(pages: ReturnType<Comparing['target']['held']>): AsyncGenerator<Held, undefined> {
  for await (const page of pages) yield* page
}

export const differencesOf = ({ text }: Held, product: Product): Difference[] =>
  differences(parsedProduct(text), product)
