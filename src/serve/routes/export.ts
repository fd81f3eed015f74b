import type { FastifyReply } from 'fastify'
import { EXPORT_PRODUCTS } from '../../../contract/routes/catalog.ts'
import type { Reader } from '../../db/sql.ts'
import { readFeed } from '../../feed/read.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { chosenMembers } from '../../shelf/reads/chosen-members.ts'
import { walkStore } from '../../shelf/reads/payload-walk.ts'
import { matchesEntityTag, tagOf } from '../answer.ts'
import { openAllLocales, type AllLocales } from '../all-locales.ts'
import { namesIn, shapeOf, type Fields } from '../chosen.ts'
import { weightsOf } from '../coding.ts'
import type { Handlers, ServeContext } from '../context.ts'
import { openDownloadSlots, sendParts } from '../download.ts'
import type { Slots } from '../slots.ts'
import { handle, type Call } from '../handle.ts'

const LINES = 'application/x-ndjson'

/** GET /v1/export */
export const exportHandlers: Handlers = (app, context) => {
  const slots = openDownloadSlots()
  handle(app, EXPORT_PRODUCTS, (call) => answerExport(context, slots, call))
}

async function answerExport(
  context: ServeContext,
  slots: Slots,
  { query, caller: { accountId, seesCosts }, request, reply }: Call<typeof EXPORT_PRODUCTS>,
): Promise<FastifyReply> {
  const { db } = context
  const { fields, locales } = query
  const store = await context.stores.find(accountId, query.store)
  const weights = weightsOf(request.headers.accept ?? '')
  const wanted = weights.get(LINES) ?? 0
  const isLines = wanted > 0 && wanted >= (weights.get('application/json') ?? 0)
  // read before the first page: anything committed during the export has a higher number and is in the feed after it
  const { next } = await readFeed(db, accountId, store.storeId, { kind: 'now' }, 1)
  const active = locales === undefined ? null : await context.stores.active(accountId)
  // a store that is opened or closed adds or removes texts without changing a product of this store
  const places = active === null ? '' : `-${tagOf(active.map((other) => `${other.storeId} ${other.locale}`).join())}`
  // weak: without new commits the products are the same, but an earlier transfer may have read some later changes already
  const choice = `${fields === undefined ? '' : `-${tagOf([...fields].join())}`}${places}`
  const tag = `"${store.storeId}-${next.id}${isLines ? '-lines' : ''}${seesCosts ? '' : '-without-costs'}${choice}"`
  const headers = {
    ETag: `W/${tag}`,
    'Content-Type': isLines ? LINES : 'application/json; charset=utf-8',
    'Shelfwire-Next-Since': formatTimestamp(next.since),
    'Shelfwire-Next-Id': String(next.id),
    Vary: 'Authorization, Accept, Accept-Encoding',
  }
  if (matchesEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).headers(headers).send()
  if (request.method === 'HEAD') return reply.headers(headers).send()
  const release = slots.take(accountId)
  const texts = active === null ? null : openAllLocales(accountId, active, store, fields)
  const stored = walkStore(db, accountId, store.storeId, { shape: shapeOf(fields, texts !== null), seesCosts })
  const pages = texts === null ? stored : withTexts(db, stored, texts)
  const names = namesIn(fields, texts !== null)
  const chosen = names === undefined ? pages : withMembers(pages, names)
  return sendParts(request, reply, release, isLines ? lines(chosen) : array(chosen), headers)
}

/** A JSON array with one product per line. A truncated one lacks its closing bracket, so readers notice. */
async function* array(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let before = '['
  for await (const page of pages) {
    yield `${before}\n${page.join(',\n')}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

async function* lines(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const page of pages) yield `${page.join('\n')}\n`
}

/** Adds texts to parts of pages, so that no more texts are in memory than an answer may have. */
async function* withTexts(
  reader: Reader,
  pages: AsyncIterable<readonly string[]>,
  texts: AllLocales,
): AsyncGenerator<readonly string[]> {
  for await (const page of pages)
    for (let at = 0; at < page.length; at += texts.productsMax)
      yield await texts.add(reader, page.slice(at, at + texts.productsMax))
}

async function* withMembers(
  pages: AsyncIterable<readonly string[]>,
  fields: Fields,
): AsyncGenerator<readonly string[]> {
  for await (const page of pages) yield mapYielding(page, (product) => chosenMembers(product, fields))
}
