import { ProductPrices } from '../../contract/schemas.ts'
import { mapYielding } from '../platform/yielding.ts'
import { chosenMembers } from '../shelf/chosen-members.ts'
import type { Shape } from '../shelf/payload-pages.sql.ts'
import { openTag } from './answer.ts'

// `fields`: answers with some members of each product.

export type Fields = ReadonlySet<string>

const OF_PRICES = new Set(Object.keys(ProductPrices.properties))

/** What is read for the chosen members: without the description a page of 40 MB is one of 300 kB. */
export function shapeOf(fields: Fields | undefined): Shape {
  if (fields === undefined || fields.has('description')) return 'products'
  return [...fields].every((name) => OF_PRICES.has(name)) ? 'prices' : 'products-without-description'
}

/**
 * A page of products with their chosen members. Texts may be long: other requests are answered in between.
 * @returns also the tag of the texts themselves: a change of other members leaves it as it was, and a choice never has that of another.
 */
export async function chosenPage(
  products: readonly string[],
  fields: Fields,
): Promise<{ members: string[]; tag: string }> {
  const digest = openTag()
  const members = await mapYielding(products, (product) => {
    const chosen = chosenMembers(product, fields)
    digest.add(chosen)
    return chosen
  })
  return { members, tag: digest.end() }
}
