import { LOCALE_MEMBERS, ProductPrices } from '../../contract/schemas.ts'
import { mapYielding } from '../platform/turns/yielding.ts'
import { chosenMembers } from '../shelf/reads/chosen-members.ts'
import type { Shape } from '../shelf/reads/payload-pages.sql.ts'
import { openTag } from './answer.ts'

// `fields`: answers with some members of each product.

export type Fields = ReadonlySet<string>

const OF_PRICES = new Set(Object.keys(ProductPrices.properties))

/** The members of texts in each locale: those that are chosen, or all where none of them is. */
export function textMembers(fields: Fields | undefined): Fields {
  const named = fields === undefined ? [] : LOCALE_MEMBERS.filter((name) => fields.has(name))
  return new Set<string>(named.length === 0 ? LOCALE_MEMBERS : named)
}

/** What is read for the chosen members: without the description a page of 40 MB is one of 300 kB. */
export function shapeOf(fields: Fields | undefined, isInAllLocales: boolean): Shape {
  if (fields === undefined || fields.has('description')) return 'products'
  if (isInAllLocales) return textMembers(fields).has('description') ? 'products' : 'products-without-description'
  return [...fields].every((name) => OF_PRICES.has(name)) ? 'prices' : 'products-without-description'
}

/** The members that are cut out of a product; undefined: it stays whole. In all locales it has `texts`, whatever is chosen. */
export const namesIn = (fields: Fields | undefined, isInAllLocales: boolean): Fields | undefined =>
  fields !== undefined && isInAllLocales ? new Set([...fields, 'texts']) : fields

/**
 * A page of products with their chosen members. Texts may be long: other requests are answered in between.
 * @returns also the tag of the texts themselves: a change of other members leaves it as it was, and a choice never has that of another.
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
