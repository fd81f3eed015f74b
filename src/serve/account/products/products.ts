import { GIVEN } from '../../../../contract/product-resources.ts'
import {
  CREATE_PRODUCT,
  DELETE_PRODUCT,
  GET_PRODUCT_RESOURCE,
  LIST_PRODUCT_RESOURCES,
  MERGE_PRODUCTS,
  PATCH_PRODUCT,
  SPLIT_PRODUCT,
  UNGROUP_PRODUCTS,
} from '../../../../contract/routes/products.ts'
import { mergeProducts, offerKeys, splitProduct } from '../../../catalog/products/merge-split.ts'
import { gtinOf } from '../../../model/gtin.ts'
import { editLockedProduct } from '../../../catalog/products/edit-product.ts'
import { productLock, productsLockForRemoval } from '../../../catalog/products/products.sql.ts'
import type { Written } from '../../../catalog/stale/written.ts'
import { productsByKeys } from '../../../catalog/products/keys/product-keys.sql.ts'
import { productIdsOfSources, productSources, productsOfPage } from '../../../catalog/products/product-resource.sql.ts'
import { createProducts, deleteProducts } from '../../../catalog/products/products.ts'
import { ungroupProducts } from '../../../catalog/products/variants/variant-groups.ts'
import { storesList } from '../../../catalog/settings/stores/stores.sql.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite, waitFor } from '../../writing/answer-write.ts'
import { requireMatch } from '../../writing/preconditions.ts'
import { splitEchoedMembers, requireEchoed } from '../../writing/echoed.ts'
import { answerData, answerHeavyPage } from '../answer-read.ts'
import { writing } from '../collection.ts'
import { patchBetween } from '../patch-between.ts'
import { productChanges, productMembers, type ProductPatchBody } from './product-members.ts'
import { single } from '../../../platform/must.ts'

/** /v1/account/products: the owner's settings of single products. */
export const productHandlers: Handlers = (app, context) => {
  handle(app, LIST_PRODUCT_RESOURCES, async (call) => {
    const { per_page: perPage, after = 0, sku, ean } = call.query
    const { accountId } = call.caller
    const ids =
      sku === undefined && ean === undefined
        ? await productIdsOfSources(context.db, accountId, after, perPage + 1)
        : await named(context.db, accountId, sku, ean, after)
    const page = ids.slice(0, perPage)
    return answerHeavyPage(context.largeAnswers, call, perPage, async () => {
      const within = await productsOfPage(context.db, accountId, page)
      const [rows, stores] = await Promise.all([
        productSources(context.db, accountId, within.productIds),
        storesList(context.db, accountId),
      ])
      return {
        rows,
        next: within.next ?? (ids.length > perPage ? (page.at(-1) ?? null) : null),
        keyOf: (entry) => entry.productId,
        represent: (entry) => productMembers(entry, stores),
        meta: (next) => ({ per_page: perPage, next_after: next }),
      }
    })
  })
  handle(app, GET_PRODUCT_RESOURCE, async (call) =>
    answerData(call, (await read(context.db, call.caller.accountId, call.params.id)).members),
  )
  handle(app, CREATE_PRODUCT, ({ body, request, reply }) =>
    answerWrite(context, request, reply, (tx, accountId) =>
      writing(async () => {
        const { sku = null, ean = null, ...rest } = body
        const created = await createProducts(tx, accountId, [{ sku, ean }])
        const productId = single(created.value)
        await patchProduct(tx, accountId, productId, rest, await read(tx, accountId, productId))
        return {
          ...waitFor(created),
          product: { id: productId },
          status: 201,
          data: (await read(tx, accountId, productId)).members,
          location: `/v1/account/products/${productId}`,
        }
      }),
    ),
  )
  handle(app, PATCH_PRODUCT, ({ params: { id: productId }, body, request, reply }) => {
    const { members: patch, echoed } = splitEchoedMembers(body, GIVEN.product)
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const held = await readLocked(tx, accountId, productId)
      const { members } = held
      requireMatch(request, members)
      requireEchoed('product', echoed, members)
      const written = await writing(() => patchProduct(tx, accountId, productId, patch, held))
      const data = (await read(tx, accountId, productId)).members
      const change = { before: patchBetween(data, members), after: patchBetween(members, data) }
      return { ...waitFor(written), product: { id: productId, change }, status: 200, data }
    })
  })
  handle(app, DELETE_PRODUCT, ({ params: { id: productId }, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      // first the locks of a removal: readLocked() would lock the product before its offers, against the lock order
      await productsLockForRemoval(tx, accountId, [productId])
      requireMatch(request, (await readLocked(tx, accountId, productId)).members)
      return { ...waitFor(await deleteProducts(tx, accountId, [productId])), product: { id: productId }, status: 204 }
    }),
  )
  handle(app, MERGE_PRODUCTS, ({ params: { id: productId }, body, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      await read(tx, accountId, productId)
      const merged = await writing(() => mergeProducts(tx, accountId, productId, body.product_ids))
      const data = (await read(tx, accountId, productId)).members
      return { ...waitFor(merged), product: { id: productId }, status: 200, data }
    }),
  )
  handle(app, SPLIT_PRODUCT, ({ params: { id: productId }, body, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      await read(tx, accountId, productId)
      const split = await writing(async () =>
        splitProduct(tx, accountId, productId, await offerKeys(tx, accountId, body.offers)),
      )
      return {
        ...waitFor(split),
        product: { id: productId },
        status: 201,
        data: (await read(tx, accountId, split.value)).members,
        location: `/v1/account/products/${split.value}`,
      }
    }),
  )
  handle(app, UNGROUP_PRODUCTS, ({ body, request, reply }) =>
    answerWrite(context, request, reply, (tx, accountId) =>
      writing(async () => {
        const { product_ids: ids, follow_suppliers: isFollowing = false } = body
        const ungrouped = await ungroupProducts(tx, accountId, ids, isFollowing)
        return { ...waitFor(ungrouped), status: 200, data: { product_ids: ungrouped.value } }
      }),
    ),
  )
}

/** Ids of the products with this own key, this EAN, or both; at most two, so there is no paging. */
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

/** @param held the locked product as it is now. */
async function patchProduct(
  tx: Tx,
  accountId: number,
  productId: number,
  patch: ProductPatchBody,
  held: Awaited<ReturnType<typeof read>>,
): Promise<Written> {
  const { sources, stores } = held
  return editLockedProduct(tx, accountId, productId, productChanges(patch, sources, stores))
}

async function readLocked(tx: Tx, accountId: number, productId: number) {
  const locking = productLock(tx, accountId, productId)
  // sent together: PostgreSQL reads when it has locked the product
  const reading = read(tx, accountId, productId)
  reading.catch(() => {})
  if (!(await locking)) throw new ShelfwireError('unknown-product', 'the account has no such product')
  return reading
}

async function read(reader: Reader, accountId: number, productId: number) {
  const [[sources], stores] = await Promise.all([
    productSources(reader, accountId, [productId]),
    storesList(reader, accountId),
  ])
  if (sources === undefined) throw new ShelfwireError('unknown-product', 'the account has no such product')
  return { sources, stores, members: productMembers(sources, stores) }
}
