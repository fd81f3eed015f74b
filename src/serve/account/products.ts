import type { FastifyRequest } from 'fastify'
import { GIVEN, MergeBody, ProductCreate, ProductPatch, SplitBody } from '../../../contract/product-sources.ts'
import { mergeProducts, splitProduct } from '../../catalog/products/merge-split.ts'
import { readEan } from '../../input/ean.ts'
import { gtinOf } from '../../model/gtin.ts'
import { editProduct, productHold } from '../../catalog/products/edit-product.ts'
import { productsByKeys } from '../../catalog/products/product-keys.sql.ts'
import { productIdsOfSources, productSources } from '../../catalog/products/product-resource.sql.ts'
import { createProducts, deleteProducts } from '../../catalog/products/products.ts'
import { storesList } from '../../catalog/settings/stores.sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { pathId, Query } from '../query.ts'
import { answerWrite } from '../writing/answer-write.ts'
import { requireMatch, sourceBody, sourceTag } from '../writing/preconditions.ts'
import { partEchoed, requireEchoed } from '../writing/echoed.ts'
import { shapeReader } from '../writing/shape.ts'
import { writing } from './collection.ts'
import { productChanges, productMembers, type ProductPatchBody } from './product-members.ts'

const readCreate = shapeReader(ProductCreate)
const readPatch = shapeReader(ProductPatch)
const readMerge = shapeReader(MergeBody)
const readSplit = shapeReader(SplitBody)

/** The product that a path names. @throws ShelfwireError unknown-product when it can be nobody's. */
export function productIdOf(request: FastifyRequest): number {
  const productId = pathId((request.params as { id: string }).id)
  if (productId === null) throw new ShelfwireError('unknown-product', 'the account has no such product')
  return productId
}

/** /v1/account/products: what the owner says of single products. */
export const productSourceRoutes: Route = (app, context) => {
  app.get('/products', async (request, reply) => {
    const query = new Query(request.query)
    const perPage = query.clamped('per_page', { min: 1, max: LIMITS.perPageMax }) ?? LIMITS.perPageDefault
    const after = query.integer('after', { min: 0 }) ?? 0
    const [sku, ean] = [query.text('sku'), query.read('ean', readEan)]
    if (sku?.includes('\0') === true) query.fault('sku', 'must not hold NUL')
    query.doneClosed()
    const { accountId } = callerOf(request)
    const ids =
      sku === undefined && ean === undefined
        ? await productIdsOfSources(context.db, accountId, after, perPage + 1)
        : await named(context.db, accountId, sku, ean, after)
    const page = ids.slice(0, perPage)
    const [sources, stores] = await Promise.all([
      productSources(context.db, accountId, page),
      storesList(context.db, accountId),
    ])
    const next = ids.length > perPage ? (page.at(-1) ?? null) : null
    const body = JSON.stringify({
      data: sources.map((entry) => productMembers(entry, stores)),
      meta: { per_page: perPage, next_after: next },
    })
    return answer(request, reply, body, sourceTag(body))
  })
  app.get('/products/:id', async (request, reply) => {
    const body = sourceBody((await read(context.db, callerOf(request).accountId, productIdOf(request))).members)
    return answer(request, reply, body, sourceTag(body))
  })
  app.post('/products', (request, reply) => {
    const members = readCreate(request.body, 'product')
    return answerWrite(context, request, reply, (tx, accountId) =>
      writing(async () => {
        const { sku = null, ean = null, ...rest } = members
        const [productId = 0] = await createProducts(tx, accountId, [{ sku, ean }])
        await patchProduct(tx, accountId, productId, rest)
        return {
          status: 201,
          data: (await read(tx, accountId, productId)).members,
          location: `/v1/account/products/${productId}`,
          productIds: [productId],
        }
      }),
    )
  })
  app.patch('/products/:id', (request, reply) => {
    const productId = productIdOf(request)
    const { members: patch, echoed } = partEchoed(readPatch(request.body, 'product'), GIVEN.product)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const { members } = await held(tx, accountId, productId)
      requireMatch(request, members)
      requireEchoed('product', echoed, members)
      const productIds = await writing(() => patchProduct(tx, accountId, productId, patch))
      return { status: 200, data: (await read(tx, accountId, productId)).members, productIds }
    })
  })
  app.delete('/products/:id', (request, reply) => {
    const productId = productIdOf(request)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      requireMatch(request, (await held(tx, accountId, productId)).members)
      return { status: 204, productIds: await deleteProducts(tx, accountId, [productId]) }
    })
  })
  app.post('/products/:id/merge', (request, reply) => {
    const productId = productIdOf(request)
    const { product_ids: losers } = readMerge(request.body, 'merge')
    return answerWrite(context, request, reply, async (tx, accountId) => {
      await read(tx, accountId, productId)
      const productIds = await writing(() => mergeProducts(tx, accountId, productId, losers))
      return { status: 200, data: (await read(tx, accountId, productId)).members, productIds }
    })
  })
  app.post('/products/:id/split', (request, reply) => {
    const productId = productIdOf(request)
    const { offers } = readSplit(request.body, 'split')
    return answerWrite(context, request, reply, async (tx, accountId) => {
      await read(tx, accountId, productId)
      const suppliers = new Map((await suppliersList(tx, accountId)).map((row) => [row.code, row.supplierId]))
      const keys = offers.map(({ supplier, sku }) => ({ supplierId: suppliers.get(supplier) ?? 0, supplierSku: sku }))
      const newId = await writing(() => splitProduct(tx, accountId, productId, keys))
      return {
        status: 201,
        data: (await read(tx, accountId, newId)).members,
        location: `/v1/account/products/${newId}`,
        productIds: [productId, newId],
      }
    })
  })
}

/** Products of this own key, of this EAN, or of both, at most two: who names one thing does not page. */
async function named(
  reader: Reader,
  accountId: number,
  sku: string | undefined,
  ean: string | undefined,
  after: number,
): Promise<number[]> {
  const rows = await productsByKeys(
    reader,
    accountId,
    sku === undefined ? [] : [{ at: 0, sku }],
    ean === undefined ? [] : [{ at: 1, ean, gtin: gtinOf(ean) }],
  )
  const of = (at: number) => rows.flatMap((row) => (row.at === at ? [row.productId] : []))
  const ids = sku === undefined ? of(1) : ean === undefined ? of(0) : of(0).filter((id) => of(1).includes(id))
  return ids.filter((id) => id > after).sort((a, b) => a - b)
}

async function patchProduct(
  tx: Tx,
  accountId: number,
  productId: number,
  patch: ProductPatchBody,
): Promise<readonly number[]> {
  const { sources, stores } = await read(tx, accountId, productId)
  return editProduct(tx, accountId, productId, productChanges(patch, sources, stores))
}

async function held(tx: Tx, accountId: number, productId: number) {
  if (!(await productHold(tx, accountId, productId)))
    throw new ShelfwireError('unknown-product', 'the account has no such product')
  return read(tx, accountId, productId)
}

async function read(reader: Reader, accountId: number, productId: number) {
  const [sources] = await productSources(reader, accountId, [productId])
  if (sources === undefined) throw new ShelfwireError('unknown-product', 'the account has no such product')
  const stores = await storesList(reader, accountId)
  return { sources, stores, members: productMembers(sources, stores) }
}
