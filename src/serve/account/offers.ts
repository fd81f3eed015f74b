import type { FastifyRequest } from 'fastify'
import { GIVEN, OfferPatch, OfferPut } from '../../../contract/product-sources.ts'
import { canonicalLocale } from '../../input/locale.ts'
import { deleteOffer } from '../../catalog/products/delete-offer.ts'
import { offerHold, offerOf, offersPage, type OfferSourceRow } from '../../catalog/products/offer-resource.sql.ts'
import { suppliersList, type SupplierRow } from '../../catalog/settings/suppliers.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import { bulkNow } from '../../operations/bulk/write.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { Query } from '../query.ts'
import { answerWrite, type Outcome } from '../writing/answer-write.ts'
import { requireMatch, sourceBody, sourceTag } from '../writing/preconditions.ts'
import { partEchoed, requireEchoed } from '../writing/echoed.ts'
import { shapeReader } from '../writing/shape.ts'

const readPut = shapeReader(OfferPut)
const readPatch = shapeReader(OfferPatch)
/** What an offer states where a PUT is silent. */
const EMPTY = {
  eans: null,
  cost: null,
  quantity: 0,
  manufacturer: null,
  category: null,
  attributes: null,
  images: null,
}

/** /v1/account/suppliers/{code}/offers: what a supplier sends, one by one. Files and bulks write the same offers. */
export const offerRoutes: Route = (app, context) => {
  const path = '/suppliers/:code/offers'
  app.get(path, async (request, reply) => {
    const query = new Query(request.query)
    const perPage = query.clamped('per_page', { min: 1, max: LIMITS.perPageMax }) ?? LIMITS.perPageDefault
    const after = query.text('after') ?? ''
    if (after.includes('\0')) query.fault('after', 'must not hold NUL')
    query.doneClosed()
    const { accountId } = callerOf(request)
    const supplier = await supplierOf(context.db, accountId, request)
    const rows = await offersPage(context.db, accountId, supplier.supplierId, after, perPage + 1)
    const page = rows.slice(0, perPage)
    const next = rows.length > perPage ? (page.at(-1)?.supplierSku ?? null) : null
    const body = JSON.stringify({
      data: page.map((row) => represent(row, supplier)),
      meta: { per_page: perPage, next_after: next },
    })
    return answer(request, reply, body, sourceTag(body))
  })
  app.get(`${path}/:sku`, async (request, reply) => {
    const { accountId } = callerOf(request)
    const supplier = await supplierOf(context.db, accountId, request)
    const body = sourceBody(represent(await existing(context.db, accountId, supplier, skuOf(request)), supplier))
    return answer(request, reply, body, sourceTag(body))
  })
  app.put(`${path}/:sku`, (request, reply) => {
    const { members, echoed } = partEchoed(readPut(request.body, 'offer'), GIVEN.offer)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const { supplier, row } = await held(tx, accountId, request)
      requireMatch(request, row === undefined ? null : represent(row, supplier))
      requireEchoed(
        'offer',
        echoed,
        row === undefined ? { supplier: supplier.code, sku: skuOf(request) } : represent(row, supplier),
      )
      // what the body leaves out of texts is no longer stated
      const given = Object.entries((members['texts'] ?? {}) as OfferSourceRow['texts']).map(
        ([locale, texts]) => [locale, { title: null, description: null, ...texts }] as const,
      )
      const named = new Set(given.map(([locale]) => canonicalLocale(locale)))
      const gone = Object.keys(row?.texts ?? {}).filter((locale) => !named.has(locale))
      const texts = Object.fromEntries([...gone.map((locale) => [locale, null] as const), ...given])
      return write(
        tx,
        accountId,
        request,
        supplier,
        { ...EMPTY, currency: supplier.currency, ...members, texts },
        row === undefined ? 201 : 200,
      )
    })
  })
  app.patch(`${path}/:sku`, (request, reply) => {
    const { members: patch, echoed } = partEchoed(readPatch(request.body, 'offer'), GIVEN.offer)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const { supplier, row } = await held(tx, accountId, request)
      if (row === undefined) throw noOffer(supplier, skuOf(request))
      requireMatch(request, represent(row, supplier))
      requireEchoed('offer', echoed, represent(row, supplier))
      return write(tx, accountId, request, supplier, patch, 200)
    })
  })
  app.delete(`${path}/:sku`, (request, reply) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      const { supplier, row } = await held(tx, accountId, request)
      if (row === undefined) throw noOffer(supplier, skuOf(request))
      requireMatch(request, represent(row, supplier))
      return { status: 204, productIds: await deleteOffer(tx, accountId, supplier.supplierId, skuOf(request)) }
    }),
  )
}

/** The same way as a bulk of one row. */
async function write(
  tx: Tx,
  accountId: number,
  request: FastifyRequest,
  supplier: SupplierRow,
  members: Record<string, unknown>,
  status: 200 | 201,
): Promise<Outcome> {
  const sku = skuOf(request)
  const { quantity, currency } = members
  const row = {
    ...members,
    ...(quantity === null ? { quantity: 0 } : {}),
    ...(currency === null ? { currency: supplier.currency } : {}),
    supplier: supplier.code,
    sku,
  }
  const { results, productIds } = await bulkNow(tx, accountId, 'bulk_offers', [row], { atomic: false, isDryRun: false })
  const faults = results[0]?.faults ?? []
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('invalid-input', `offer: ${first.name} ${first.reason}`, { faults })
  const data = represent(await existing(tx, accountId, supplier, sku), supplier)
  return {
    status,
    data,
    productIds,
    ...(status === 201 ? { location: `/v1/account/suppliers/${supplier.code}/offers/${encodeURIComponent(sku)}` } : {}),
  }
}

function skuOf(request: FastifyRequest): string {
  const { sku } = request.params as { sku: string }
  if (sku.length > LIMITS.skuLengthMax || sku.includes('\0'))
    throw new ShelfwireError('unknown-reference', 'no offer can have this key')
  return sku
}

async function supplierOf(reader: Reader, accountId: number, request: FastifyRequest): Promise<SupplierRow> {
  const { code } = request.params as { code: string }
  const supplier = (await suppliersList(reader, accountId)).find((row) => row.code === code)
  if (supplier === undefined)
    throw new ShelfwireError('unknown-supplier', `the account has no supplier «${code.slice(0, 80)}»`)
  return supplier
}

async function held(tx: Tx, accountId: number, request: FastifyRequest) {
  const supplier = await supplierOf(tx, accountId, request)
  await offerHold(tx, accountId, supplier.supplierId, skuOf(request))
  return { supplier, row: await offerOf(tx, accountId, supplier.supplierId, skuOf(request)) }
}

async function existing(
  reader: Reader,
  accountId: number,
  supplier: SupplierRow,
  sku: string,
): Promise<OfferSourceRow> {
  const row = await offerOf(reader, accountId, supplier.supplierId, sku)
  if (row === undefined) throw noOffer(supplier, sku)
  return row
}

const noOffer = (supplier: SupplierRow, sku: string) =>
  new ShelfwireError('unknown-reference', `supplier ${supplier.code} has no offer «${sku.slice(0, 80)}»`)

function represent(row: OfferSourceRow, supplier: SupplierRow) {
  return {
    supplier: supplier.code,
    sku: row.supplierSku,
    product_id: row.productId,
    eans: row.eans,
    cost: row.cost,
    currency: row.currency,
    quantity: row.quantity,
    texts: row.texts,
    manufacturer: row.manufacturer,
    category: row.category,
    attributes: row.attributes,
    images: row.images,
    absent_since: row.absentSince === null ? null : formatTimestamp(row.absentSince),
  }
}
