import { forEachField, NAME_FIELDS, TEXT_FIELDS } from '../../../../contract/product-fields.ts'
import { GIVEN } from '../../../../contract/product-resources.ts'
import type { BodyOf, ParamsOf } from '../../../../contract/route.ts'
import { DELETE_OFFER, GET_OFFER, LIST_OFFERS, PATCH_OFFER, PUT_OFFER } from '../../../../contract/routes/offers.ts'
import { canonicalLocale } from '../../../input/locale.ts'
import { deleteOffer } from '../../../catalog/products/offers/delete-offer.ts'
import { offerOf, offersPage, type OfferSourceRow } from '../../../catalog/products/offers/offer-resource.sql.ts'
import { offersLock, type LockedOffer } from '../../../catalog/products/offers/offers.sql.ts'
import {
  suppliersLockShared,
  type LockedSupplier,
  type SupplierRow,
} from '../../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { pageOfWeighed } from '../../../db/fragments/within-weight.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { timeOrNull } from '../../../platform/time/timestamp.ts'
import { writeOfferRows } from '../../../operations/bulk/offers.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite, waitFor, type Outcome } from '../../writing/answer-write.ts'
import { requireMatch } from '../../writing/preconditions.ts'
import { splitEchoedMembers, requireEchoed } from '../../writing/echoed.ts'
import { answerData, answerHeavyPage } from '../answer-read.ts'
import { noSupplier, supplierOf } from '../supplier-of.ts'

type Supplier = Pick<SupplierRow, 'supplierId' | 'code' | 'currency'>

/** Defaults of an offer, for members that a PUT leaves out. */
const EMPTY = {
  eans: null,
  cost: null,
  cost_tiers: null,
  currency: null,
  quantity: 0,
  ...forEachField(NAME_FIELDS, () => null),
  attributes: null,
  images: null,
  image_alts: null,
  group: null,
}

type Key = ParamsOf<typeof GET_OFFER>

/** /v1/account/suppliers/{code}/offers: single offers. Supplier files and bulks write the same offers. */
export const offerHandlers: Handlers = (app, context) => {
  handle(app, LIST_OFFERS, async (call) => {
    const { per_page: perPage, after = '' } = call.query
    const { accountId } = call.caller
    const supplier = await supplierOf(context.db, accountId, call.params.code)
    return answerHeavyPage(context.largeAnswers, call, perPage, async () => ({
      ...pageOfWeighed(
        await offersPage(context.db, accountId, supplier.supplierId, after, perPage + 1),
        perPage,
        (row) => row.supplierSku,
      ),
      represent: (row) => represent(row, supplier),
      meta: (next) => ({ per_page: perPage, next_after: next }),
    }))
  })
  handle(app, GET_OFFER, async (call) => {
    const { accountId } = call.caller
    const supplier = await supplierOf(context.db, accountId, call.params.code)
    const sku = checkedSku(call.params)
    return answerData(call, represent(await existing(context.db, accountId, supplier, sku), supplier))
  })
  handle(app, PUT_OFFER, ({ params, body, request, reply }) => {
    const { members, echoed } = splitEchoedMembers(body, GIVEN.offer)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const offer = await held(tx, accountId, params)
      const { supplier, sku, row } = offer
      requireMatch(request, row === undefined ? null : represent(row, supplier))
      requireEchoed('offer', echoed, row === undefined ? { supplier: supplier.code, sku } : represent(row, supplier))
      // PUT removes the texts that the body leaves out
      const given = Object.entries(members.texts ?? {}).map(
        ([locale, texts]) => [locale, { ...forEachField(TEXT_FIELDS, () => null), ...texts }] as const,
      )
      const named = new Set(given.map(([locale]) => canonicalLocale(locale)))
      const gone = Object.keys(row?.texts ?? {}).filter((locale) => !named.has(locale))
      const texts = Object.fromEntries([...gone.map((locale) => [locale, null] as const), ...given])
      const whole = { ...EMPTY, ...members, texts }
      return write(tx, accountId, offer, whole, row === undefined ? 201 : 200)
    })
  })
  handle(app, PATCH_OFFER, ({ params, body, request, reply }) => {
    const { members: patch, echoed } = splitEchoedMembers(body, GIVEN.offer)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const offer = await held(tx, accountId, params)
      const { supplier, sku, row } = offer
      if (row === undefined) throw noOffer(supplier, sku)
      requireMatch(request, represent(row, supplier))
      requireEchoed('offer', echoed, represent(row, supplier))
      return write(tx, accountId, offer, patch, 200)
    })
  })
  handle(app, DELETE_OFFER, ({ params, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      const { supplier, sku, row } = await held(tx, accountId, params)
      if (row === undefined) throw noOffer(supplier, sku)
      requireMatch(request, represent(row, supplier))
      return { ...waitFor(await deleteOffer(tx, accountId, supplier.supplierId, sku)), status: 204 }
    }),
  )
}

/** Writes one offer, as a bulk of one row. */
async function write(
  tx: Tx,
  accountId: number,
  { supplier, sku, known, row: before }: HeldOffer,
  members: Partial<BodyOf<typeof PATCH_OFFER>>,
  status: 200 | 201,
): Promise<Outcome> {
  const row = { ...members, supplier: supplier.code, sku }
  const offers = {
    known,
    contents: before === undefined ? [] : [contentOf(before)],
    eans: before?.eans.map((ean) => ({ supplierSku: sku, ean })) ?? [],
  }
  const written = await writeOfferRows(tx, accountId, [row], { supplier, offers })
  const faults = written.value[0]?.faults ?? []
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('invalid-input', `offer: ${first.name} ${first.reason}`, { faults })
  const data = represent(await existing(tx, accountId, supplier, sku), supplier)
  return {
    ...waitFor(written),
    status,
    data,
    ...(status === 201 ? { location: `/v1/account/suppliers/${supplier.code}/offers/${encodeURIComponent(sku)}` } : {}),
  }
}

const contentOf = (row: OfferSourceRow) => ({
  supplierSku: row.supplierSku,
  productId: row.productId,
  ...forEachField(NAME_FIELDS, (field) => row[field]),
  texts: row.texts,
  attributes: row.attributes,
  images: row.images,
  imageAlts: row.imageAlts,
  group: row.group,
})

/** The SKU of a path. @throws ShelfwireError unknown-reference if no offer can have it. */
function checkedSku({ sku }: Key): string {
  if (sku.length > LIMITS.skuLengthMax || sku.includes('\0'))
    throw new ShelfwireError('unknown-reference', 'no offer can have this key')
  return sku
}

/** The locked key of an offer, whether or not the offer exists. */
interface HeldOffer {
  supplier: LockedSupplier
  sku: string
  /** The locked row, also of a dropped offer. */
  known: readonly LockedOffer[]
  row: OfferSourceRow | undefined
}

async function held(tx: Tx, accountId: number, key: Key): Promise<HeldOffer> {
  // the supplier is locked before its offers: docs/lock-order.md
  // no code contains NUL, and PostgreSQL refuses it in a parameter
  const [supplier] = key.code.includes('\0') ? [] : await suppliersLockShared(tx, accountId, [key.code])
  if (supplier === undefined) throw noSupplier(key.code)
  const sku = checkedSku(key)
  // sent together: PostgreSQL runs the second when the first has its lock
  const [known, row] = await Promise.all([
    offersLock(tx, accountId, supplier.supplierId, [sku]).execute(),
    offerOf(tx, accountId, supplier.supplierId, sku),
  ])
  return { supplier, sku, known, row }
}

async function existing(reader: Reader, accountId: number, supplier: Supplier, sku: string): Promise<OfferSourceRow> {
  const row = await offerOf(reader, accountId, supplier.supplierId, sku)
  if (row === undefined) throw noOffer(supplier, sku)
  return row
}

const noOffer = (supplier: Supplier, sku: string) =>
  new ShelfwireError('unknown-reference', `supplier ${supplier.code} has no offer "${sku.slice(0, 80)}"`)

function represent(row: OfferSourceRow, supplier: Supplier) {
  return {
    supplier: supplier.code,
    sku: row.supplierSku,
    product_id: row.productId,
    eans: row.eans,
    cost: row.cost,
    cost_tiers: row.costTiers,
    currency: row.currency,
    quantity: row.quantity,
    texts: row.texts,
    ...forEachField(NAME_FIELDS, (field) => row[field]),
    attributes: row.attributes,
    images: row.images,
    image_alts: row.imageAlts,
    group: row.group,
    absent_since: timeOrNull(row.absentSince),
  }
}
