import type { Reader } from '../../db/sql.ts'
import { undescribed } from './payload-pages.sql.ts'

/** A store from which texts of a locale are read. Stores of one locale are tried in order. */
export interface TextPlace {
  locale: string
  storeId: number
}

/**
 * The content half of products in each of these locales, from the first store of the locale that lists the product.
 * @param isDescribed with descriptions.
 */
export function contentsByLocale(
  reader: Reader,
  accountId: number,
  places: readonly TextPlace[],
  productIds: readonly number[],
  isDescribed: boolean,
) {
  return reader<{ productId: number; locale: string; content: string }[]>`
    select product_id as "productId", locale, ${isDescribed ? reader`body` : undescribed(reader)} as content
    from (
      select distinct on (ids.id, places.locale) ids.id as product_id, places.locale, c.body
      from unnest(${[...productIds]}::bigint[]) as ids (id)
      cross join unnest(${places.map(({ locale }) => locale)}::text[], ${places.map(({ storeId }) => storeId)}::bigint[])
        with ordinality as places (locale, store_id, place)
      cross join lateral (
        select body from payload_content
        where account_id = ${accountId} and store_id = places.store_id and product_id = ids.id offset 0
      ) c
      order by ids.id, places.locale, places.place
    ) found`
}
