import {
  DOWNLOAD_RUN_FILE,
  DOWNLOAD_RUN_REFUSALS,
  GET_RUN_CHOICES,
  GET_SCHEDULE,
  LIST_RUN_CHANGES,
} from '../../../contract/panel/imports.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { offersByKeys } from '../../catalog/products/offers/offer-resource.sql.ts'
import { Check } from '../../input/check.ts'
import { changedFields } from '../../imports/runs/undo/change-fields.ts'
import { changesPage } from '../../imports/runs/undo/changes-page.ts'
import { confirmObstacle, undoObstacle, type Obstacle } from '../../imports/runs/obstacles.ts'
import { runReadUnlocked } from '../../imports/runs/runs.sql.ts'
import { checkSchedule } from '../../imports/sources/edit-sources.ts'
import { nextRunAt } from '../../imports/sources/schedule.ts'
import { clockNow } from '../../imports/sources/sources.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { openRunDownloads } from '../account/imports/import-downloads.ts'
import { figuresOf } from '../account/imports/import-members.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'

/** Sources and runs, for the suppliers' pages of the panel. */
export function panelImportHandlers(app: PanelApp, context: ServeContext): void {
  const { db } = context
  const downloads = openRunDownloads(context)
  const lookAt = async (accountId: number, runId: number) => {
    const run = await runReadUnlocked(db, accountId, runId)
    if (run === undefined)
      throw new ShelfwireError('unknown-reference', 'the account has no such import run, or it is not kept any more')
    return run
  }

  app.handle(GET_SCHEDULE, async ({ accountId, query }) => {
    const timeZone = query.time_zone.trim() || ((await accountGet(db, accountId))?.timeZone ?? 'UTC')
    const minutes = query.every_minutes.trim()
    const cron = query.cron.trim() === '' ? null : query.cron.trim()
    const schedule = { cron, timeZone, everyMinutes: minutes === '' ? null : Number(minutes) }
    const now = await clockNow(db)
    const check = new Check()
    if (minutes !== '' && !/^\d{1,9}$/.test(minutes)) check.that(false, 'every_minutes', 'must be a whole number')
    else checkSchedule(check, 'http', schedule)
    const moments: Date[] = []
    if (check.faults.length === 0)
      for (let at = nextRunAt(schedule, now); at !== null && moments.length < query.count; at = nextRunAt(schedule, at))
        moments.push(at)
    return { data: { time_zone: timeZone, moments: moments.map(formatTimestamp), faults: check.faults } }
  })

  app.handle(GET_RUN_CHOICES, async ({ accountId, params }) => {
    const run = await lookAt(accountId, params.run_id)
    const [confirm, undo] = await Promise.all([confirmObstacle(db, accountId, run), undoObstacle(db, accountId, run)])
    const shown = (obstacle: Obstacle<string> | null) =>
      obstacle === null ? null : { kind: obstacle.kind, run_id: obstacle.runId }
    return { data: { confirm: shown(confirm), undo: shown(undo), is_refusals_kept: run.refusalsKey !== null } }
  })

  app.handle(LIST_RUN_CHANGES, async ({ accountId, params, query: { after, per_page: perPage } }) => {
    const { runId, supplierId, isDryRun } = await lookAt(accountId, params.run_id)
    // a dry run changes nothing, and what it would change is stored in another form
    const found = isDryRun
      ? { page: [], isLast: true }
      : await changesPage(db, accountId, { runId, supplierId }, after, perPage + 1)
    const page = found.page.slice(0, perPage)
    const isMore = page.length < found.page.length || !found.isLast
    const keys = page.map(({ supplierSku }) => supplierSku)
    const offers = keys.length === 0 ? [] : await offersByKeys(db, accountId, supplierId, keys)
    const offerOf = new Map(offers.map((offer) => [offer.supplierSku, offer]))
    return {
      data: page.map(({ supplierSku, kind, before }) => {
        const now = offerOf.get(supplierSku)
        return {
          sku: supplierSku,
          kind,
          before: before === null ? null : figuresOf(before),
          now: now === undefined ? null : figuresOf(now),
          product_id: now?.productId ?? null,
          fields: before === null ? [] : changedFields(before, now),
        }
      }),
      meta: { per_page: perPage, next_after: isMore ? (keys.at(-1) ?? null) : null },
    }
  })

  app.handle(DOWNLOAD_RUN_FILE, downloads.file)
  app.handle(DOWNLOAD_RUN_REFUSALS, downloads.refusals)
}
