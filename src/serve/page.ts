import type { LIST_PRICES } from '../../contract/routes/catalog.ts'
import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { gtinOf } from '../model/gtin.ts'
import { productWithoutTitle } from '../model/slug.ts'
import { pageAfter, pageAt, pageOf, type Page, type Shape } from '../shelf/reads/payload-pages.sql.ts'
import { idsByEan, idsBySku, idsBySlug, type IdsFound } from '../shelf/reads/payload-reads.sql.ts'
import { openAllLocales, requireAtMost } from './all-locales.ts'
import { tagOf, type Found } from './answer.ts'
import { chosenPage, shapeOf, type Fields } from './chosen.ts'
import type { ServeContext } from './context.ts'
import type { ListParts } from './large-answers.ts'
import type { Asked } from './read.ts'
import { must } from '../platform/must.ts'

interface PageMeta {
  current_page: number
  per_page: number
  last_page: number
  total: number
  next_after_id?: number | null
}

const HEAD = '{"data":['

/** A query for prices, or for products, of which members can be chosen. */
type PageAsked = Asked<typeof LIST_PRICES> & {
  query: {
    fields?: Fields | undefined
    locales?: 'all' | undefined
  }
}

/** Reads a list of products or of prices: by page, after an id, or by the ids or keys in the query. */
export function readPage(context: ServeContext, whole: Shape, asked: PageAsked): Promise<Found> {
  const { ids, locales, per_page: perPage } = asked.query
  // with `locales=all` the limit is on texts, whatever the number of products
  const products = locales === undefined ? (ids?.length ?? perPage) : LIMITS.textsPerAnswerMax
  return context.largeAnswers.read(asked.caller.accountId, products, () => pageParts(context, whole, asked))
}

async function pageParts(
  context: ServeContext,
  whole: Shape,
  { query, caller: { accountId, seesCosts } }: PageAsked,
): Promise<ListParts> {
  const { page, ids, after_id: afterId, sku, ean, slug, fields } = query
  const store = await context.stores.find(accountId, query.store)
  const texts =
    query.locales === undefined
      ? null
      : openAllLocales(accountId, await context.stores.active(accountId), store, fields)
  const shape = fields === undefined ? whole : shapeOf(fields, texts !== null)
  const view = { shape, seesCosts }
  const perPage = Math.min(query.per_page, texts?.productsMax ?? query.per_page)
  const idsMax = Math.min(LIMITS.idsMax, texts?.productsMax ?? LIMITS.idsMax)
  if (ids !== undefined && texts !== null) requireAtMost('ids', ids, texts)
  const { db } = context
  let found: Page
  let meta: PageMeta
  if (afterId !== undefined) {
    found = await pageAfter(db, accountId, store.storeId, view, afterId, perPage)
    meta = { ...metaOf(1, perPage, found.total), next_after_id: found.nextAfterId }
  } else if (sku !== undefined || ean !== undefined) {
    const wanted = await idsOfKey(db, accountId, store.storeId, { sku, ean }, offsetOf(page, idsMax), idsMax)
    found = await pageOf(db, accountId, store.storeId, view, wanted.ids)
    // without the products that have left the store since their ids were read
    meta = metaOf(page, idsMax, wanted.total - (wanted.ids.length - found.total))
  } else if (ids !== undefined || slug !== undefined) {
    if (slug !== undefined && texts !== null) requireAtMost('slug', slug, texts)
    const wanted = ids ?? (await idsOfSlugs(db, accountId, store.storeId, must(slug)))
    found = await pageOf(db, accountId, store.storeId, view, wanted)
    meta = { current_page: 1, per_page: idsMax, last_page: 1, total: found.total }
  } else {
    const offset = offsetOf(page, perPage)
    found = await pageAt(db, accountId, store.storeId, view, offset, perPage)
    meta = metaOf(page, perPage, found.total)
  }
  const tail = `],"store":${JSON.stringify(store.slug)},"meta":${JSON.stringify(meta)}}`
  if (fields !== undefined || texts !== null) {
    const members = texts === null ? found.members : await texts.add(db, found.members)
    const chosen = await chosenPage(members, fields, texts !== null)
    return { head: HEAD, members: chosen.members, tail, tag: tagOf(`${chosen.tag}.${tail}`) }
  }
  return { head: HEAD, members: found.members, tail, tag: tagOf(`${shape}.${found.tag ?? ''}.${tail}`) }
}

const offsetOf = (page: number, perPage: number) => Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)

/** Ids of the products that have this SKU or EAN, one page of them. */
function idsOfKey(
  db: Reader,
  accountId: number,
  storeId: number,
  { sku, ean }: Pick<PageAsked['query'], 'sku' | 'ean'>,
  offset: number,
  limit: number,
): Promise<IdsFound> {
  if (sku !== undefined) return idsBySku(db, accountId, storeId, sku, offset, limit)
  const wanted = must(ean)
  return idsByEan(db, accountId, storeId, { ean: wanted, gtin: gtinOf(wanted) }, offset, limit)
}

/** Ids of the products with these slugs. A product without a title has no slug of its own: its id is in the slug. */
async function idsOfSlugs(db: Reader, accountId: number, storeId: number, slugs: readonly string[]): Promise<number[]> {
  const found = await idsBySlug(db, accountId, storeId, slugs)
  return [...new Set([...found, ...slugs.flatMap((slug) => productWithoutTitle(slug) ?? [])])]
}

/** Past the end current_page is the last page, so that a loop "until current_page equals last_page" ends. */
export function metaOf(page: number, perPage: number, total: number): PageMeta {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  return { current_page: Math.min(page, lastPage), per_page: perPage, last_page: lastPage, total }
}
