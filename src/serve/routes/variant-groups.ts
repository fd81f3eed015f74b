import { GET_VARIANT_GROUP, LIST_VARIANT_GROUPS } from '../../../contract/routes/catalog.ts'
import type { ContentBody } from '../../../contract/schemas.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { payloadsGet, type PayloadRow } from '../../shelf/payload-reads.sql.ts'
import { groupFacts } from '../../shelf/variant-group-facts.ts'
import { groupedContents, groupProducts, groupsAfter } from '../../shelf/variant-group-reads.sql.ts'
import { seenBy } from '../../shelf/without-costs.ts'
import { answer, tagOf } from '../answer.ts'
import { chosenPage } from '../chosen.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { metaOf } from '../page.ts'

/** /v1/groups: groups of variants, each as its first product in the store shows it. */
export const variantGroupHandlers: Handlers = (app, context) => {
  const { db } = context
  handle(app, LIST_VARIANT_GROUPS, async ({ query, caller: { accountId }, request, reply }) => {
    const { per_page: perPage, after_id: afterId = 0 } = query
    const { storeId, slug } = await context.stores.find(accountId, query.store)
    const rows = await groupsAfter(db, accountId, storeId, afterId, perPage)
    const leading = rows.flatMap(({ leadingId }) => (leadingId === null ? [] : [{ storeId, productId: leadingId }]))
    const payloads = leading.length === 0 ? [] : await payloadsGet(db, accountId, leading)
    const groupOf = new Map(payloads.map((row) => [row.productId, shownGroup(row)]))
    const data = rows.flatMap(({ groupId, products, leadingId }) => {
      const shown = leadingId === null ? undefined : groupOf.get(leadingId)
      // a product that is leaving its group, or the store
      if (shown === undefined) return []
      const { group, description, images } = shown
      return [
        {
          id: groupId,
          key: group.key,
          title: group.title,
          products,
          leading_product_id: leadingId,
          description,
          image: images[0] ?? null,
        },
      ]
    })
    const last = rows.length < perPage ? null : (rows.at(-1)?.groupId ?? null)
    const body = JSON.stringify({ data, store: slug, meta: { per_page: perPage, next_after_id: last } })
    return answer(request, reply, body, tagOf(body))
  })
  handle(app, GET_VARIANT_GROUP, async ({ query, params, caller, request, reply }) => {
    const { accountId } = caller
    const { per_page: perPage, page, fields } = query
    const { storeId, slug } = await context.stores.find(accountId, query.store)
    const ids = params.id === 0 ? [] : await groupProducts(db, accountId, storeId, params.id)
    const offset = Math.min((page - 1) * perPage, ids.length)
    const wanted = ids.slice(offset, offset + perPage)
    const [leadingId] = ids
    const keys = [...new Set([...(leadingId === undefined ? [] : [leadingId]), ...wanted])]
    const rows = new Map(
      keys.length === 0
        ? []
        : (
            await payloadsGet(
              db,
              accountId,
              keys.map((productId) => ({ storeId, productId })),
            )
          ).map((row) => [row.productId, row]),
    )
    const first = leadingId === undefined ? undefined : rows.get(leadingId)
    const shown = first === undefined ? undefined : shownGroup(first)
    if (shown === undefined)
      throw new ShelfwireError('unknown-variant-group', 'the store’s catalog has no such group of variants')
    const products = wanted.flatMap((productId) => rows.get(productId) ?? []).map((row) => seenBy(caller, row))
    const wholes = products.map(({ content, price }) => `{${content},${price}}`)
    const members = fields === undefined ? wholes : (await chosenPage(wholes, fields)).members
    const head = JSON.stringify({ id: params.id, key: shown.group.key, title: shown.group.title }).slice(0, -1)
    const facts = groupFacts(await groupedContents(db, accountId, storeId, ids))
    const rest = JSON.stringify({ description: shown.description, ...facts }).slice(1)
    const tail = `"store":${JSON.stringify(slug)},"meta":${JSON.stringify(metaOf(page, perPage, ids.length))}`
    const body = `{"data":${head},"products":[${members.join(',')}],${rest},${tail}}`
    return answer(request, reply, body, tagOf(body))
  })
}

/** What a product shows of its group, and what the group takes from it; undefined where it is in none. */
function shownGroup({ content }: PayloadRow) {
  const { group, description, images } = JSON.parse(`{${content}}`) as Pick<
    ContentBody,
    'group' | 'description' | 'images'
  >
  return group === undefined ? undefined : { group, description, images }
}
