import type { NamedProduct } from '../../overview/named-products.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { parseTimestamp } from '../../platform/time/timestamp.ts'

/** The members by which people recognize a product. */
export const nameMembers = ({
  sku,
  title,
  titleLocale,
  picture,
}: Pick<NamedProduct, 'sku' | 'title' | 'titleLocale' | 'picture'>) => ({
  sku,
  title,
  title_locale: titleLocale,
  picture,
})

/** A page of a list that is read newest first. @param rows up to one more than the page has: the surplus row shows that more follow */
export function pageOf<Row>(
  rows: readonly Row[],
  perPage: number,
  idOf: (row: Row) => number,
  represent: (row: Row) => object,
) {
  const page = rows.slice(0, perPage)
  const last = page.at(-1)
  return {
    data: page.map(represent),
    meta: { per_page: perPage, next_before: rows.length > perPage && last !== undefined ? idOf(last) : null },
  }
}

/** A timestamp in a body. @throws ShelfwireError invalid-input */
export function timeOf(name: string, text: string): Date {
  const at = parseTimestamp(text)
  if (at !== null) return at
  const reason = 'must be a timestamp with offset such as 2026-11-20T10:00:00+00:00'
  throw new ShelfwireError('invalid-input', `${name} ${reason}`, { faults: [{ name, reason }] })
}
