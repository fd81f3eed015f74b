import type { MirrorCheck } from '../../../contract/mirror-check-schemas.ts'
import { LIST_MIRROR_CHECKS, TELL_MIRROR_CHECK } from '../../../contract/routes/mirror-checks.ts'
import type { MirrorCheckRow } from '../../feed/mirror-checks.sql.ts'
import { readMirrorChecks, recordMirrorCheck } from '../../feed/mirror-checks.ts'
import { Check } from '../../input/check.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import { openRateLimit } from '../../platform/turns/rate-limit.ts'
import { formatTimestamp, parseTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { answer, tagOf } from '../answer.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** The last check of a mirror of a store. @param store slug */
const representMirrorCheck = (store: string, row: MirrorCheckRow): MirrorCheck => ({
  store,
  mirror: row.mirror,
  differing: row.differing,
  as_of: formatTimestamp(row.asOf),
  equal_as_of: timeOrNull(row.equalAsOf),
  differs_since: timeOrNull(row.differsSince),
  told_at: formatTimestamp(row.toldAt),
})

/** /v1/digest/checks */
export const mirrorCheckHandlers: Handlers = (app, context) => {
  // by account and not by token: an account may have many connector tokens, and each report is a write
  const rate = openRateLimit<number>({ perSecond: LIMITS.mirrorChecksPerSecond, burst: LIMITS.mirrorChecksAtOnce })
  handle(app, LIST_MIRROR_CHECKS, async ({ caller: { accountId }, request, reply }) => {
    const [stores, rows] = await Promise.all([
      context.stores.active(accountId),
      readMirrorChecks(context.db, accountId),
    ])
    const data = stores.flatMap(({ storeId, slug }) =>
      rows.filter((row) => row.storeId === storeId).map((row) => representMirrorCheck(slug, row)),
    )
    const body = JSON.stringify({ data })
    return answer(request, reply, body, tagOf(body))
  })
  handle(app, TELL_MIRROR_CHECK, async ({ body, caller: { accountId }, reply }) => {
    const { mirror, differing, since: sinceText, since_id: id } = body
    const check = new Check()
    const since = parseTimestamp(sinceText)
    check.that(since !== null, 'since', 'must be a time such as 2026-11-20T10:00:00+00:00')
    check.done('check')
    const { isAllowed, resetSeconds } = rate.take(accountId)
    if (!isAllowed)
      throw new ShelfwireError(
        'rate-limited',
        `mirrors of an account may tell ${LIMITS.mirrorChecksAtOnce} checks at once, and then ${LIMITS.mirrorChecksPerSecond} a second; see Retry-After`,
        { retryAfterSeconds: Math.max(1, resetSeconds) },
      )
    const { storeId, slug } = await context.stores.find(accountId, body.store)
    const told = { storeId, mirror, cursor: { since: must(since), id }, differing }
    const row = await recordMirrorCheck(context.db, accountId, told)
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ data: representMirrorCheck(slug, row) }))
  })
}
