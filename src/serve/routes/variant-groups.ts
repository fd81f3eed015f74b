import { GET_VARIANT_GROUP, LIST_VARIANT_GROUPS } from '../../../contract/routes/catalog.ts'
import type { ContentBody } from '../../../contract/schemas.ts'
import type { StoreRow } from '../../catalog/settings/stores/stores.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { chosenMembers } from '../../shelf/reads/chosen-members.ts'
import { payloadsGet, type PayloadRow } from '../../shelf/reads/payload-reads.sql.ts'
import { groupFacts } from '../../shelf/reads/variant-group-facts.ts'
import { groupedContents, groupProducts, groupsAfter } from '../../shelf/reads/variant-group-reads.sql.ts'
import { seenBy } from '../../shelf/reads/without-costs.ts'
import { answerFound, openTag, tagOf } from '../answer.ts'
import { chosenPage } from '../chosen.ts'
import type { Handlers, ServeContext } from '../context.ts'
import { handle } from '../handle.ts'
import type { ListParts } from '../large-answers.ts'
import { metaOf } from '../page.ts'
import type { Asked } from '../read.ts'

/** /v1/groups: groups of variants, each with title, description and picture of its first product in the store. */
export const variantGroupHandlers: Handlers = (app, context) => {
  const { largeAnswers, stores } = context
  handle(app, LIST_VARIANT_GROUPS, async (call) => {
    const { query, caller, request, reply } = call
    const store = await stores.find(caller.accountId, query.store)
    const read = () => groupList(context, call, store)
    return answerFound(request, reply, await largeAnswers.read(caller.accountId, query.per_page, read))
  })
  handle(app, GET_VARIANT_GROUP, async (call) => {
    const { query, caller, request, reply } = call
    const store = await stores.find(caller.accountId, query.store)
    const read = () => oneGroup(context, call, store)
    // one more, for the group's first product, which is always read
    return answerFound(request, reply, await largeAnswers.read(caller.accountId, query.per_page + 1, read))
  })
}

async function groupList(
  { db }: ServeContext,
  { query, caller: { accountId } }: Asked<typeof LIST_VARIANT_GROUPS>,
  { storeId, slug }: StoreRow,
): Promise<ListParts> {
  const { per_page: perPage, after_id: afterId = 0 } = query
  const rows = await groupsAfter(db, accountId, storeId, afterId, perPage)
  const leading = rows.flatMap(({ leadingId }) => (leadingId === null ? [] : [leadingId]))
  const payloads = await payloadsOf(db, accountId, storeId, leading)
  const tag = openTag()
  const data = await mapYielding(rows, ({ groupId, products, leadingId }) => {
    const leader = leadingId === null ? undefined : payloads.get(leadingId)
    const shown = leader === undefined ? undefined : shownGroup(leader)
    // its first product is leaving the group or the store
    if (shown === undefined) return ''
    const { group, description, images } = shown
    const head = { id: groupId, key: group.key, title: group.title, products, leading_product_id: leadingId }
    const text = `${JSON.stringify(head).slice(0, -1)},${description},"image":${JSON.stringify(images[0] ?? null)}}`
    tag.add(text)
    return text
  })
  const last = rows.length < perPage ? null : (rows.at(-1)?.groupId ?? null)
  const meta = JSON.stringify({ per_page: perPage, next_after_id: last })
  const tail = `],"store":${JSON.stringify(slug)},"meta":${meta}}`
  tag.add(tail)
  return { head: '{"data":[', members: data.filter((text) => text !== ''), tail, tag: tag.end() }
}

async function oneGroup(
  { db }: ServeContext,
  { query, params, caller }: Asked<typeof GET_VARIANT_GROUP>,
  { storeId, slug }: StoreRow,
): Promise<ListParts> {
  const { accountId } = caller
  const { per_page: perPage, page, fields } = query
  const ids = params.id === 0 ? [] : await groupProducts(db, accountId, storeId, params.id)
  const offset = Math.min((page - 1) * perPage, ids.length)
  const wanted = ids.slice(offset, offset + perPage)
  const rows = await payloadsOf(db, accountId, storeId, [...new Set([...ids.slice(0, 1), ...wanted])])
  const [leadingId] = ids
  const first = leadingId === undefined ? undefined : rows.get(leadingId)
  const shown = first === undefined ? undefined : shownGroup(first)
  if (first === undefined || shown === undefined)
    throw new ShelfwireError('unknown-variant-group', 'the store’s catalog has no such group of variants')
  const products = wanted.flatMap((productId) => rows.get(productId) ?? []).map((row) => seenBy(caller, row))
  const wholes = products.map(({ content, price }) => `{${content},${price}}`)
  const chosen = fields === undefined ? null : await chosenPage(wholes, fields)
  const head = JSON.stringify({ id: params.id, key: shown.group.key, title: shown.group.title }).slice(0, -1)
  const { options, images } = groupFacts(await groupedContents(db, accountId, storeId, ids))
  const pictures = await mapYielding(images, (image) => JSON.stringify(image))
  const facts = `"options":${JSON.stringify(options)},"images":[${pictures.join(',')}]`
  const tail = `"store":${JSON.stringify(slug)},"meta":${JSON.stringify(metaOf(page, perPage, ids.length))}`
  // the tags of the halves replace their texts in the tag of the answer
  const halves = chosen === null ? products.map((row) => `${row.contentTag}${row.priceTag}`).join() : chosen.tag
  return {
    head: `{"data":${head},"products":[`,
    members: chosen === null ? wholes : chosen.members,
    tail: `],${shown.description},${facts}},${tail}}`,
    tag: tagOf([head, halves, first.contentTag, facts, tail].join('.')),
  }
}

async function payloadsOf(
  db: Reader,
  accountId: number,
  storeId: number,
  ids: readonly number[],
): Promise<Map<number, PayloadRow>> {
  if (ids.length === 0) return new Map()
  const keys = ids.map((productId) => ({ storeId, productId }))
  return new Map((await payloadsGet(db, accountId, keys)).map((row) => [row.productId, row]))
}

const OF_GROUP: ReadonlySet<string> = new Set(['group', 'images'])
const DESCRIPTION: ReadonlySet<string> = new Set(['description'])

/**
 * The parts of a product that its group shows; undefined if it is in no group. The description is kept as stored JSON, because it may be
 * longer than everything else.
 */
function shownGroup({ content }: PayloadRow) {
  const product = `{${content}}`
  const { group, images } = JSON.parse(chosenMembers(product, OF_GROUP)) as Pick<ContentBody, 'group' | 'images'>
  return group === undefined
    ? undefined
    : { group, images, description: chosenMembers(product, DESCRIPTION).slice(1, -1) }
}
