import type { Product, Store } from '../answers.ts'
import { LOCALE_MEMBERS } from '../contract-names.ts'
import type { Caller } from './callers.ts'
import type { Catalog, Listed } from './catalog.ts'
import { Problem } from './problem.ts'
import type { QUERIES, Values } from './parameters.ts'

// Reads of products and prices. Each function gives the body of its answer.

const PAGE_MAX = 200
/** How many products times locales an answer has at most. */
const TEXTS_MAX = 200

type Fields = ReadonlySet<string> | undefined
export type ListValues = Values<(typeof QUERIES)['products']>

const chosen = (product: object, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(product).filter(([name]) => names.has(name)))

/** The text of a product for a caller: without purchase prices where it may not see them. */
export function seenBy({ seesCosts }: Caller, { product, text }: Listed): string {
  if (seesCosts) return text
  const prices = product.prices.map((price) =>
    Object.fromEntries(Object.entries(price).filter(([name]) => name !== 'base_cost')),
  )
  return JSON.stringify({ ...product, prices })
}

export const textWith = (text: string, fields: Fields): string =>
  fields === undefined ? text : JSON.stringify(chosen(JSON.parse(text) as object, fields))

/** The part of a product's text that reads of prices answer: ID, SKU and the price half. */
export function pricesIn(text: string): string {
  const { id, sku } = JSON.parse(text) as Product
  return `{"id":${id},"sku":${JSON.stringify(sku)}${text.slice(text.indexOf(',"prices":['))}`
}

/** Adds the texts of every active store's locale to products of one store. */
export function openLocales(catalog: Catalog, store: Store, fields: Fields) {
  const locales = [...new Set(catalog.active.map(({ locale }) => locale))]
  const named = LOCALE_MEMBERS.filter((name) => fields?.has(name) === true)
  const members = new Set(named.length === 0 ? LOCALE_MEMBERS : named)
  return {
    productsMax: Math.max(1, Math.floor(TEXTS_MAX / locales.length)),
    add(text: string): string {
      const product = JSON.parse(text) as Product
      const texts = locales.flatMap((locale) => {
        const listing = catalog.active.find(
          (other) => other.locale === locale && catalog.listed(other.slug).has(product.id),
        )
        const shown =
          locale === store.locale
            ? product
            : listing === undefined
              ? undefined
              : catalog.listed(listing.slug).get(product.id)?.product
        return shown === undefined ? [] : [[locale, chosen(shown, members)] as const]
      })
      const own = fields === undefined ? product : chosen(product, fields)
      return JSON.stringify({ ...own, texts: Object.fromEntries(texts) })
    },
  }
}

/** A list of products or of prices: by page, by keyset, by ids or by keys. */
export function readList(
  catalog: Catalog,
  caller: Caller,
  shape: 'products' | 'prices',
  query: Partial<ListValues> & Pick<ListValues, 'page' | 'per_page'>,
): string {
  const { page, per_page: asked, ids, after_id: afterId, sku, ean, slug, fields } = query
  const store = catalog.find(query.store)
  const locales = query.locales === undefined ? null : openLocales(catalog, store, fields)
  const most = locales?.productsMax ?? PAGE_MAX
  const perPage = Math.min(asked, most)
  if (locales !== null) requireFew({ ids, slug }, most)
  const all = catalog.all(store.slug)
  let found: Listed[]
  let meta: object
  if (afterId !== undefined) {
    found = all.filter(({ id }) => id > afterId).slice(0, perPage)
    const next = found.length < perPage ? null : (found.at(-1)?.id ?? null)
    meta = { ...metaOf(1, perPage, all.length), next_after_id: next }
  } else if (sku !== undefined || ean !== undefined) {
    const having = all.filter(({ product }) => (sku === undefined ? isOfEan(product, ean ?? '') : product.sku === sku))
    found = having.slice((page - 1) * most, page * most)
    meta = metaOf(page, most, having.length)
  } else if (ids !== undefined || slug !== undefined) {
    const wanted = new Set(ids ?? slug?.flatMap((one) => catalog.idsOfSlug(one, store.slug)))
    found = all.filter(({ id }) => wanted.has(id))
    meta = { current_page: 1, per_page: most, last_page: 1, total: found.length }
  } else {
    found = all.slice((page - 1) * perPage, (page - 1) * perPage + perPage)
    meta = metaOf(page, perPage, all.length)
  }
  const data = found.map((one) => {
    const text = seenBy(caller, one)
    if (shape === 'prices') return pricesIn(text)
    return locales === null ? textWith(text, fields) : locales.add(text)
  })
  return `{"data":[${data.join(',')}],"store":${JSON.stringify(store.slug)},"meta":${JSON.stringify(meta)}}`
}

function requireFew(given: Pick<Partial<ListValues>, 'ids' | 'slug'>, most: number): void {
  for (const [name, list] of Object.entries(given)) {
    if (list === undefined || list.length <= most) continue
    const reason = `must be at most ${most} with locales=all: the more languages the account's stores have, the fewer products fit into an answer`
    throw new Problem('invalid-parameters', `${name} ${reason}`, { faults: [{ name, reason }] })
  }
}

function isOfEan({ ean, eans }: Product, wanted: string): boolean {
  const own = eans ?? (ean === null ? [] : [ean])
  const gtin = gtinOf(wanted)
  return own.some((one) => one === wanted || (gtin !== null && gtinOf(one) === gtin))
}

/** A GTIN padded to 14 digits, so that all ways to write it are equal; null where the text is none or its check digit is wrong. */
function gtinOf(ean: string): string | null {
  if (!/^(?:\d{8}|\d{12,14})$/.test(ean)) return null
  const digits = ean.padStart(14, '0')
  const sum = Array.from(digits.slice(0, 13)).reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return !/^0+$/.test(digits) && (10 - (sum % 10)) % 10 === Number(digits[13]) ? digits : null
}

/** The `meta` of a page. For a page past the end, `current_page` is the last page. */
export function metaOf(page: number, perPage: number, total: number) {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  return { current_page: Math.min(page, lastPage), per_page: perPage, last_page: lastPage, total }
}

/** @throws Problem unknown-product */
export function findListed(catalog: Catalog, store: string | undefined, id: number): { store: Store; listed: Listed } {
  const found = catalog.find(store)
  const listed = catalog.listed(found.slug).get(id)
  if (listed === undefined) throw new Problem('unknown-product', 'the store’s catalog has no such product')
  return { store: found, listed }
}
