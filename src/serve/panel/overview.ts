import { NOTICES } from '../../../contract/notice-kinds.ts'
import {
  CHECKLIST_STEPS,
  GET_GLANCE,
  GET_MOVED,
  GET_OVERVIEW,
  LIST_HOURS,
  LIST_NOTICES,
  type Notice,
  type Overview,
} from '../../../contract/panel/overview.ts'
import { openGlance } from '../../overview/glance.ts'
import { openMoved } from '../../overview/moved.ts'
import { hourFigures, openStoreFigures } from '../../overview/overview.ts'
import {
  checklistGet,
  importsRunning,
  shelvingWaits,
  sourcesFailing,
  suppliersHeld,
} from '../../overview/overview.sql.ts'
import { readMirrorChecks } from '../../feed/mirror-checks.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { counterGet } from '../../shelf/payloads/change-counter.sql.ts'
import { noticesList, type NoticeRow } from '../../notices/notices.sql.ts'
import type { ServeContext } from '../context.ts'
import { endpointBodies } from './endpoint-body.ts'
import type { PanelApp } from './handle-panel.ts'
import { pageOf } from './represent.ts'
import { now } from '../../platform/time/clock.ts'

const NOTICES_SHOWN = 5
/** States of endpoints, the most urgent first. */
const URGENCY = ['paused', 'failing', 'healthy', 'disabled']

const representNotice = (row: NoticeRow): Notice => ({
  id: row.noticeId,
  endpoint_id: row.endpointId,
  endpoint_url: row.endpointId === null ? null : row.facts.url,
  kind: row.kind,
  // a newer release may have written a kind that this one does not know
  severity: Object.hasOwn(NOTICES, row.kind) ? NOTICES[row.kind].severity : 'warning',
  created_at: formatTimestamp(row.createdAt),
  failures: row.endpointId === null ? null : row.facts.failures,
  mail: row.mail,
  mail_error: row.mailError,
})

/** The panel's first page. */
export function overviewHandlers(app: PanelApp, { db }: ServeContext): void {
  const storeFigures = openStoreFigures(db)
  const moved = openMoved(db)
  const glance = openGlance(db)

  app.handle(GET_OVERVIEW, async ({ accountId }) => {
    const [head, waits, endpoints, counted, notices, done, running, held, failing, checks] = await Promise.all([
      counterGet(db, accountId),
      shelvingWaits(db, accountId),
      endpointBodies(db, accountId),
      storeFigures(accountId),
      noticesList(db, accountId, { limit: NOTICES_SHOWN }),
      checklistGet(db, accountId),
      importsRunning(db, accountId, LIMITS.overviewSuppliersMax),
      suppliersHeld(db, accountId, LIMITS.overviewSuppliersMax),
      sourcesFailing(db, accountId, LIMITS.overviewSuppliersMax),
      readMirrorChecks(db, accountId),
    ])
    const data: Overview = {
      feed: {
        last_change_number: head?.lastId ?? 0,
        last_change_at: head === undefined || head.lastId === 0 ? null : formatTimestamp(head.lastAt),
        waiting_products: Math.min(waits.products, LIMITS.overviewWaitingMax),
        is_capped: waits.products > LIMITS.overviewWaitingMax,
        waiting_sweeps: waits.sweeps,
        waiting_since: timeOrNull(waits.since),
      },
      endpoints: endpoints
        .map(({ id, url, health }) => ({ id, url, health }))
        .sort((a, b) => URGENCY.indexOf(a.health.state) - URGENCY.indexOf(b.health.state) || a.id - b.id),
      imports: {
        running: running.map(({ code, name, runId, written, total }) => ({
          supplier: code,
          name,
          run_id: runId,
          written,
          total,
        })),
        held: held.map(({ code, name, runId, heldAt }) => ({
          supplier: code,
          name,
          run_id: runId,
          held_at: formatTimestamp(heldAt),
        })),
        failing: failing.map(({ code, name, source, since, failure }) => ({
          supplier: code,
          name,
          source,
          since: formatTimestamp(since),
          failure,
        })),
      },
      products: counted.products,
      stores: counted.stores.map(({ store, products, excluded, byReason }) => ({
        id: store.storeId,
        slug: store.slug,
        name: store.name,
        is_active: store.isActive,
        products,
        excluded,
        excluded_by_reason: byReason,
        mirrors: checks
          .filter(({ storeId }) => storeId === store.storeId)
          .map(({ mirror, differing, asOf, differsSince, toldAt }) => ({
            name: mirror,
            differing,
            as_of: formatTimestamp(asOf),
            differs_since: timeOrNull(differsSince),
            told_at: formatTimestamp(toldAt),
          })),
      })),
      counted_at: formatTimestamp(counted.at),
      notices: notices.map(representNotice),
      checklist: {
        is_done: CHECKLIST_STEPS.every((step) => done[step] !== false || step === 'prices'),
        steps: CHECKLIST_STEPS.flatMap((step) => {
          const isDone = done[step]
          return isDone === null ? [] : [{ step, is_done: isDone }]
        }),
      },
    }
    return { data }
  })
  app.handle(LIST_HOURS, async ({ accountId, query }) => ({
    data: (await hourFigures(db, accountId, query.hours, now())).map((row) => ({
      ...row,
      from: formatTimestamp(row.from),
    })),
  }))
  app.handle(GET_MOVED, async ({ accountId }) => {
    const { since, stores, activeStores, prices } = await moved(accountId)
    return {
      data: {
        since: formatTimestamp(since),
        stores: stores.map(({ store, up, down, appeared, gone, isCapped }) => ({
          slug: store.slug,
          name: store.name,
          up,
          down,
          appeared,
          gone,
          is_capped: isCapped,
        })),
        active_stores: activeStores,
        prices: prices.map(({ productId, store, currency, before, now: price }) => ({
          product_id: productId,
          store: store.slug,
          currency,
          before,
          now: price,
        })),
      },
    }
  })
  app.handle(GET_GLANCE, async ({ accountId }) => {
    const { at, outOfStock, stores } = await glance(accountId)
    return {
      data: {
        counted_at: formatTimestamp(at),
        out_of_stock: outOfStock,
        stores: stores.map(({ store, margin, isSample }) => ({
          slug: store.slug,
          name: store.name,
          margin,
          is_sample: isSample,
        })),
      },
    }
  })
  app.handle(LIST_NOTICES, async ({ accountId, query }) => {
    const rows = await noticesList(db, accountId, { before: query.before, limit: query.per_page + 1 })
    return pageOf(rows, query.per_page, (row) => row.noticeId, representNotice)
  })
}
