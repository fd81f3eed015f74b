import { accountLocale } from '../accounts/accounts.sql.ts'
import { inTransaction, type Db } from '../db/sql.ts'
import type { Outbound } from '../outbound/client.ts'
import { now } from '../platform/time/clock.ts'
import { asError } from '../platform/errors.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import type { Seal } from '../platform/secrets/seal.ts'
import type { ChannelSettings } from './channels/channel.ts'
import { failureOf, sendOne, type Sent } from './channels/send-one.ts'
import {
  accountsWithDeliveriesDue,
  deliveryClaim,
  deliveryFailed,
  deliverySent,
  type ClaimedDelivery,
} from './deliveries.sql.ts'
import { messageOf } from './message.ts'
import { noticeChannelGet, type NoticeChannelRow } from './notice-channels.sql.ts'
import { SETTINGS_LOST, settingsOf } from './notice-channels.ts'
import { retryAfterTries, withGracePeriod } from './retries.ts'
import { spreadNotices } from './spread.ts'

/** The longest delay of a notice, in ms, while the loop is idle. */
const IDLE_MS = 5_000

export interface ChannelsContext {
  db: Db
  log: Log
  outbound: Outbound
  seal: Seal
  /** Base URL of this service; empty: not known. */
  publicUrl: () => string
}

/**
 * Starts sending notices through the accounts' channels. Any number of processes may run this: each delivery is claimed before it is sent, and
 * sent at least once.
 */
export function startNoticeChannels(context: ChannelsContext, options: { idleMs?: number } = {}): Loop {
  return startLoop({
    name: 'notice-channels',
    log: context.log,
    idleMs: options.idleMs ?? IDLE_MS,
    step: (signal) => withGracePeriod(signal, (giveUp) => sendThroughChannels(context, { stopping: signal, giveUp })),
  })
}

/**
 * Sends due notices, one at a time per account and to up to LIMITS.noticesInFlightMax accounts at once: a receiver that does not answer
 * delays only its own account. Ends early after LIMITS.noticeStepMs, so that a busy loop is not taken for a dead one.
 *
 * @param signals after `stopping` nothing is started; `giveUp` aborts requests that are being sent
 */
export async function sendThroughChannels(
  context: ChannelsContext,
  signals: { stopping?: AbortSignal; giveUp?: AbortSignal } = {},
): Promise<'more' | 'idle'> {
  const { db, log } = context
  const until = performance.now() + LIMITS.noticeStepMs
  const running = new Map<number, Promise<void>>()
  const isOver = () => signals.stopping?.aborted === true || performance.now() > until
  const start = (accountId: number) => {
    const sending = db.nodes
      .unlessAway(accountId, () => sendNext(context, accountId, signals.giveUp))
      .then(() => {})
      .catch((error: unknown) => log.warn({ err: asError(error), accountId }, 'sending a notice failed'))
      .finally(() => running.delete(accountId))
    running.set(accountId, sending)
  }
  await spreadNotices(db, log, signals.stopping)
  try {
    while (!isOver()) {
      const due = await db.nodes.scan('notice channels', (accounts) =>
        accountsWithDeliveriesDue(db, 'channels', LIMITS.noticeAccountsPerStep, accounts),
      )
      const waiting = due.rows.filter((accountId) => !running.has(accountId))
      if (waiting.length === 0 && running.size === 0) return 'idle'
      for (const accountId of waiting.slice(0, LIMITS.noticesInFlightMax - running.size)) start(accountId)
      await Promise.race(running.values())
    }
    return 'more'
  } finally {
    await Promise.all(running.values())
  }
}

/** Sends the first due notice of an account through its channel, unless another process does. */
async function sendNext(
  { db, log, outbound, seal, publicUrl }: ChannelsContext,
  accountId: number,
  giveUp: AbortSignal | undefined,
): Promise<void> {
  const claimed = await inTransaction(db, async (tx) => {
    const delivery = await deliveryClaim(tx, accountId, 'channels')
    if (delivery === undefined) return undefined
    const channel = await noticeChannelGet(tx, accountId, delivery.channelId)
    return { delivery, channel, locale: await accountLocale(tx, accountId) }
  })
  if (claimed === undefined) return
  const { delivery, channel, locale } = claimed
  const reason = unsendable(channel)
  if (channel === undefined || reason !== null) {
    const failure = { error: reason ?? DELETED, retryMs: null }
    await inTransaction(db, (tx) => deliveryFailed(tx, accountId, delivery, failure))
    return
  }
  let settings: ChannelSettings
  try {
    settings = settingsOf(seal, accountId, channel)
  } catch (thrown) {
    const failure = { error: asError(thrown).message, retryMs: retryAfterTries(delivery.tries) }
    await inTransaction(db, (tx) => deliveryFailed(tx, accountId, delivery, failure))
    return
  }
  faultPoint('notice:before-send')
  const sent = await sendOne(outbound, channel.kind, settings, messageOf(accountId, delivery, publicUrl(), locale), {
    at: now(),
    key: `notice:${accountId}:${channel.channelId}:${channel.address}`,
    ...(giveUp === undefined ? {} : { signal: giveUp }),
  })
  faultPoint('notice:after-send')
  await record(db, log, accountId, delivery, sent)
}

async function record(db: Db, log: Log, accountId: number, delivery: ClaimedDelivery, sent: Sent): Promise<void> {
  if (sent.verdict === 'sent') {
    await inTransaction(db, (tx) => deliverySent(tx, accountId, delivery, null))
    return
  }
  const { noticeId, channelId, tries } = delivery
  const error = failureOf(sent)
  const pauseMs = retryAfterTries(tries)
  const retryMs = sent.verdict === 'refused' || pauseMs === null ? null : Math.max(pauseMs, sent.waitMs ?? pauseMs)
  const state = await inTransaction(db, (tx) => deliveryFailed(tx, accountId, delivery, { error, retryMs }))
  log.info({ accountId, noticeId, channelId, error, state }, 'a notice was not taken by its channel')
}

const DELETED = 'the channel was deleted'

/** The reason why nothing can be sent through a channel; null: it can. */
function unsendable(channel: NoticeChannelRow | undefined): string | null {
  if (channel === undefined) return DELETED
  if (channel.isPaused) return 'the channel was paused'
  return channel.settings === null ? SETTINGS_LOST : null
}
