import { LOCALE_MEMBERS, ProductPrices } from '../../contract/schemas.ts'
import { mapYielding } from '../platform/turns/yielding.ts'
import { chosenMembers } from '../shelf/reads/chosen-members.ts'
import type { Shape } from '../shelf/reads/payload-pages.sql.ts'
import { openTag } from './answer.ts'

// The parameter `fields`: answers with only some members of each product.

/** Names of the chosen members of products. */
export type Fields = ReadonlySet<string>

const OF_PRICES = new Set(Object.keys(ProductPrices.properties))

/** The members of the texts in each locale: the chosen ones, or all if none is chosen. */
export function textMembers(fields: Fields | undefined): Fields {
  const named = fields === undefined ? [] : LOCALE_MEMBERS.filter((name) => fields.has(name))
  return new Set<string>(named.length === 0 ? LOCALE_MEMBERS : named)
}

/** Which parts of the payload are read for the chosen members: without the description a page of 40 MB is one of 300 kB. */
export function shapeOf(fields: Fields | undefined, isInAllLocales: boolean): Shape {
  if (fields === undefined || fields.has('description')) return 'products'
  if (isInAllLocales) return textMembers(fields).has('description') ? 'products' : 'products-without-description'
  return [...fields].every((name) => OF_PRICES.has(name)) ? 'prices' : 'products-without-description'
}

/** The members to cut out of a product; undefined: all. In all locales `texts` is always among them. */
export const namesIn = (fields: Fields | undefined, isInAllLocales: boolean): Fields | undefined =>
  fields !== undefined && isInAllLocales ? new Set([...fields, 'texts']) : fields

/**
 * A page of products with their chosen members. Texts may be long, so it yields to other requests.
 * @returns the members, and a tag computed from exactly their texts: a change of a member that is not chosen does not change it.
 */
export async function chosenPage(
  products: readonly string[],
  fields: Fields | undefined,
  isInAllLocales = false,
): Promise<{ members: string[]; tag: string }> {
  const digest = openTag()
  const names = namesIn(fields, isInAllLocales)
  const members = await mapYielding(products, (product) => {
    const chosen = names === undefined ? product : chosenMembers(product, names)
    digest.add(chosen)
    return chosen
  })
  return { members, tag: digest.end() }
}
