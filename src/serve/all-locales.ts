import type { StoreRow } from '../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { mapYielding } from '../platform/turns/yielding.ts'
import { chosenMembers } from '../shelf/reads/chosen-members.ts'
import { contentsByLocale } from '../shelf/reads/locale-texts.sql.ts'
import { textMembers, type Fields } from './chosen.ts'

// `locales=all`: products with their texts in the locale of every active store, cut out of the payloads of those stores.

/** Reads the texts of products of one store in every locale of the account's stores. */
export interface AllLocales {
  /** The most products in an answer, so that it has no more texts in all than an answer in one locale. */
  productsMax: number
  /** Adds the member `texts` to each product, a JSON object that begins with its id. */
  add(reader: Reader, products: readonly string[]): Promise<string[]>
}

/**
 * @param stores the account's active stores, whose order is that of the locales.
 * @param store the store that is read: its texts are already in the products.
 * @param fields the chosen members: of each text only those named here, or all if none is named.
 */
export function openAllLocales(
  accountId: number,
  stores: readonly StoreRow[],
  store: StoreRow,
  fields: Fields | undefined,
): AllLocales {
  const locales = [...new Set(stores.map(({ locale }) => locale))]
  const places = stores.filter(({ locale }) => locale !== store.locale)
  const members = textMembers(fields)
  return {
    productsMax: Math.max(1, Math.floor(LIMITS.textsPerAnswerMax / locales.length)),
    async add(reader, products) {
      const ids = products.map(idOf)
      const rows =
        places.length === 0 || ids.length === 0
          ? []
          : await contentsByLocale(reader, accountId, places, ids, members.has('description'))
      const found = new Map(rows.map(({ productId, locale, content }) => [`${productId} ${locale}`, content]))
      return mapYielding(products, (product) => {
        const id = idOf(product)
        const texts = locales.flatMap((locale) => {
          const content = found.get(`${id} ${locale}`)
          const whole = locale === store.locale ? product : content === undefined ? undefined : `{${content}}`
          return whole === undefined ? [] : [`${JSON.stringify(locale)}:${chosenMembers(whole, members)}`]
        })
        return `${product.slice(0, -1)},"texts":{${texts.join(',')}}}`
      })
    },
  }
}

/** @throws ShelfwireError `invalid-parameters` for more products than an answer may have */
export function requireAtMost(name: 'ids' | 'slug', given: readonly unknown[], { productsMax }: AllLocales): void {
  if (given.length <= productsMax) return
  const reason = `must be at most ${productsMax} with locales=all: the more languages the account's stores have, the fewer products fit into an answer`
  throw new ShelfwireError('invalid-parameters', `${name} ${reason}`, { faults: [{ name, reason }] })
}

const ID = '{"id":'
const idOf = (product: string) => Number(product.slice(ID.length, product.indexOf(',')))
