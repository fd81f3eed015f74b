import {
  GET_PRODUCT_HISTORY,
  LIST_CANDIDATES,
  LIST_PRODUCT_OFFERS,
  PREVIEW_MERGE,
  PREVIEW_SPLIT,
  type RegroupPreview as PreviewMembers,
} from '../../../contract/panel/product.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { ownStockOf } from '../../catalog/products/stock/own-stock.sql.ts'
import { offerKeys } from '../../catalog/products/merge-split.ts'
import { productSources } from '../../catalog/products/product-resource.sql.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import {
  offerRuns,
  offersOfProduct,
  storeChanges,
  type OfferRunRow,
  type ProductOfferRow,
} from '../../overview/product-activity.sql.ts'
import { namedProducts, type NamedProduct } from '../../overview/named-products.ts'
import { auditOfProduct } from '../../people/audit.sql.ts'
import { isSameLanguage } from '../../model/locale.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { previewMerge, previewSplit, type RegroupPreview, type Shown } from '../../previews/merge-split.ts'
import type { Candidate } from '../../resolve/content/candidates.ts'
import { productCandidates } from '../../shelf/reads/explain.ts'
import { sourceMembers } from '../account/products/explain.ts'
import { toMembers } from '../account/member-names.ts'
import { isInPlace } from '../account/patch-between.ts'
import { productMembers } from '../account/products/product-members.ts'
import { stockMember, stockMembers } from '../account/offers/stock-members.ts'
import type { ServeContext } from '../context.ts'
import { sourceBody, sourceTag } from '../writing/preconditions.ts'
import type { PanelApp } from './handle-panel.ts'
import { must } from '../../platform/must.ts'

/** Routes of one product: candidates for its fields, its offers, who changed it, and previews of a merge or split. */
export function panelProductHandlers(app: PanelApp, context: ServeContext): void {
  const { db } = context

  /** The owner's settings of a product. @throws ShelfwireError unknown-product. */
  const membersOf = async (accountId: number, productId: number) => {
    const [[sources], stores] = await Promise.all([
      productSources(db, accountId, [productId]),
      storesList(db, accountId),
    ])
    if (sources === undefined) throw new ShelfwireError('unknown-product', 'the account has no such product')
    return productMembers(sources, stores)
  }

  app.handle(LIST_CANDIDATES, async ({ accountId, params, query }) => {
    const { field, key = '' } = query
    const store = await context.stores.find(accountId, query.store)
    const [found, suppliers] = await Promise.all([
      productCandidates(db, accountId, store.storeId, params.product_id, field, key),
      suppliersList(db, accountId),
    ])
    const named = new Map(suppliers.map((row) => [row.supplierId, { code: row.code, name: row.name }]))
    return {
      data: {
        candidates: found.candidates.map((candidate) => ({
          ...cut(candidate),
          source: sourceMembers(candidate.source),
          supplier: candidate.source.from === 'supplier' ? (named.get(candidate.source.supplierId) ?? null) : null,
          behind: candidate.behind,
        })),
        has_order: found.hasOrder,
        locales: found.locales,
      },
    }
  })

  app.handle(LIST_PRODUCT_OFFERS, async ({ accountId, params }) => {
    const productId = params.product_id
    const [offers, suppliers, account] = await Promise.all([
      offersOfProduct(db, accountId, productId),
      suppliersList(db, accountId),
      accountGet(db, accountId),
      membersOf(accountId, productId),
    ])
    const runs = await offerRuns(db, accountId, offers, LIMITS.productRunsLookedAt)
    const supplierOf = new Map(suppliers.map((row) => [row.supplierId, row]))
    return {
      data: offers.flatMap((offer) => {
        const supplier = supplierOf.get(offer.supplierId)
        if (supplier === undefined) return []
        const { supplierId: id, code, name, isActive, priority } = supplier
        const ofOffer = runs.filter((run) => run.supplierId === id && run.supplierSku === offer.supplierSku)
        return [
          {
            supplier: { id, code, name, is_active: isActive, priority },
            ...offerMembers(offer, must(account).locale),
            runs: ofOffer.map(runMembers),
          },
        ]
      }),
    }
  })

  app.handle(GET_PRODUCT_HISTORY, async ({ accountId, params, query }) => {
    const productId = params.product_id
    const [members, [stock], edits, stores] = await Promise.all([
      membersOf(accountId, productId),
      ownStockOf(db, accountId, [productId]),
      auditOfProduct(db, accountId, productId, query.before, LIMITS.productEditsShown + 1),
      storeChanges(db, accountId, productId),
    ])
    const shown = edits.slice(0, LIMITS.productEditsShown)
    const present = { ...members, stock: stockMember(stock) }
    return {
      data: {
        edits: shown.map(({ entryId, at, actor, action, details, change }) => ({
          id: entryId,
          at: formatTimestamp(at),
          by: actor,
          action,
          details,
          change,
          is_undoable: change !== null && Object.keys(change.after).length > 0 && isInPlace(present, change.after),
        })),
        revision: sourceTag(sourceBody(members)),
        stock_revision: stock === undefined ? null : sourceTag(sourceBody(stockMembers(stock))),
        stores: stores.map(({ store, at, kind }) => ({ store, at: formatTimestamp(at), kind })),
      },
      meta: { next_before: edits.length > shown.length ? (shown.at(-1)?.entryId ?? null) : null },
    }
  })

  app.handle(PREVIEW_MERGE, async ({ accountId, params, body }) => ({
    data: await represent(accountId, await previewMerge(db, accountId, params.product_id, body.product_ids)),
  }))
  app.handle(PREVIEW_SPLIT, async ({ accountId, params, body }) => {
    const keys = await offerKeys(db, accountId, body.offers)
    const active = await context.stores.active(accountId)
    const preview = await previewSplit(db, accountId, params.product_id, keys, async (tx, newId) => {
      const [named] = await namedProducts(tx, accountId, active, [newId])
      return named
    })
    return { data: await represent(accountId, preview, preview.made) }
  })

  /** @param made names of the product that a split would create. */
  const represent = async (
    accountId: number,
    preview: RegroupPreview,
    made?: NamedProduct,
  ): Promise<PreviewMembers> => {
    const [stores, suppliers, active] = await Promise.all([
      storesList(db, accountId),
      suppliersList(db, accountId),
      context.stores.active(accountId),
    ])
    const codes = new Map(suppliers.map((row) => [row.supplierId, row.code]))
    const ids = preview.products.flatMap(({ productId }) => (productId === null ? [] : [productId]))
    const rows = await namedProducts(db, accountId, active, ids)
    const rowOf = (productId: number | null) => rows.find((row) => row.productId === productId)
    return {
      products: preview.products.map(({ productId, stores: places }) => ({
        product_id: productId,
        ...titleMembers(productId === null ? made : rowOf(productId)),
        stores: places.map(({ store, before, after }) => ({ store, before: shownOf(before), after: shownOf(after) })),
      })),
      takes: preview.takes.map(({ productId, offers, stock, sources }) => ({
        product_id: productId,
        ...titleMembers(rowOf(productId)),
        sku: sources.sku,
        offers: offers.flatMap((offer) => {
          const supplier = codes.get(offer.supplierId)
          // the supplier of this offer is being deleted
          return supplier === undefined ? [] : [{ supplier, sku: offer.supplierSku }]
        }),
        stock: stockMember(stock),
        set: placesSet(productMembers(sources, stores)),
      })),
      stock: { before: stockMember(preview.stock.before), after: stockMember(preview.stock.after) },
    }
  }
}

const titleMembers = (row: NamedProduct | undefined) => ({
  title: row?.title ?? null,
  title_locale: row?.titleLocale ?? null,
  picture: row?.picture ?? null,
})

const shownOf = (shown: Shown | null) => (shown === null ? null : toMembers(shown))

/** Shortens a candidate: a description may have 200,000 characters. */
function cut({ value, stated }: Candidate) {
  const most = LIMITS.candidateCharactersShown
  return {
    value: typeof value === 'string' ? value.slice(0, most) : value === null ? null : [...value],
    length: value?.length ?? 0,
    stated: stated?.slice(0, most) ?? null,
  }
}

function offerMembers(offer: ProductOfferRow, locale: string) {
  const titles = Object.entries(offer.titles).filter(([, title]) => title !== null && title.trim() !== '')
  const shown = titles.find(([of]) => of === locale) ?? titles.find(([of]) => isSameLanguage(of, locale)) ?? titles[0]
  return {
    sku: offer.supplierSku,
    cost: offer.cost,
    cost_tiers: offer.costTiers,
    currency: offer.currency,
    quantity: offer.quantity,
    eans: offer.eans,
    shared_eans: offer.sharedEans,
    title: shown?.[1] ?? null,
    title_locale: shown === undefined || isSameLanguage(shown[0], locale) ? null : shown[0],
    locales: Object.keys(offer.titles).toSorted(),
    images: offer.images,
    stale_since: timeOrNull(offer.staleSince),
    absent_since: timeOrNull(offer.absentSince),
  }
}

function runMembers({ runId, at, kind, trigger, fileName, members }: OfferRunRow) {
  return { run_id: runId, at: formatTimestamp(at), kind, trigger, file_name: fileName, members: members ?? [] }
}

/** The fields that are set on a product, each with the locale, attribute or store that it is set for. */
function placesSet(members: Readonly<Record<string, unknown>>): { field: string; place: string | null }[] {
  const { id: _id, created_at: _createdAt, sku: _sku, ...set } = members
  return Object.entries(set).flatMap(([field, value]): { field: string; place: string | null }[] => {
    if (value === null) return []
    if (typeof value !== 'object' || Array.isArray(value)) return [{ field, place: null }]
    return Object.keys(value).map((place) => ({ field, place }))
  })
}
