import type { NoticeChannelKind } from '../../contract/notice-channel-kinds.ts'
import type { NoticeKind } from '../../contract/notice-kinds.ts'
import type { Reader, Tx } from '../db/sql.ts'

/** A channel as an owner set it. */
export interface NoticeChannelRow {
  channelId: number
  name: string
  kind: NoticeChannelKind
  /** Encrypted (src/platform/secrets/seal.ts); null: lost with its key. */
  settings: string | null
  /** The part of its URL that is shown. */
  address: string
  /** The kinds that it gets; null: all. */
  noticeKinds: NoticeKind[] | null
  isPaused: boolean
}

/** A channel with the state of its notices. */
export interface NoticeChannelState extends NoticeChannelRow {
  waiting: number
  nextAttemptAt: Date | null
  lastSentAt: Date | null
  /** null: the last attempt did not fail. */
  failedAt: Date | null
  failure: string | null
}

const columns = (reader: Reader) => reader`
  channel_id as "channelId", name, kind, settings, address, notice_kinds as "noticeKinds", is_paused as "isPaused"`

/** All channels of the account, by id. */
export async function noticeChannelsList(reader: Reader, accountId: number): Promise<NoticeChannelState[]> {
  const channels = await reader<NoticeChannelRow[]>`
    select ${columns(reader)} from notice_channel where account_id = ${accountId} order by channel_id`
  const states = await reader<({ channelId: number } & Omit<NoticeChannelState, keyof NoticeChannelRow>)[]>`
    select channel_id as "channelId", count(next_at)::int as waiting, min(next_at) as "nextAttemptAt",
      max(tried_at) filter (where state = 'sent') as "lastSentAt",
      max(tried_at) filter (where state <> 'sent' and error is not null) as "failedAt",
      (array_agg(error order by tried_at desc) filter (where state <> 'sent' and error is not null and tried_at is not null))[1] as failure
    from notice_delivery where account_id = ${accountId} and channel_id > 0 group by channel_id`
  return channels.map((channel) => {
    const { channelId, waiting, nextAttemptAt, lastSentAt, failedAt, failure } = states.find(
      (state) => state.channelId === channel.channelId,
    ) ?? { channelId: 0, waiting: 0, nextAttemptAt: null, lastSentAt: null, failedAt: null, failure: null }
    const isFailing = channelId > 0 && failedAt !== null && (lastSentAt === null || failedAt > lastSentAt)
    return {
      ...channel,
      waiting,
      nextAttemptAt,
      lastSentAt,
      failedAt: isFailing ? failedAt : null,
      failure: isFailing ? failure : null,
    }
  })
}

export async function noticeChannelGet(
  reader: Reader,
  accountId: number,
  channelId: number,
): Promise<NoticeChannelRow | undefined> {
  const [row] = await reader<NoticeChannelRow[]>`
    select ${columns(reader)} from notice_channel where account_id = ${accountId} and channel_id = ${channelId}`
  return row
}

/**
 * Locks a channel and returns its row as it is then, for a transaction that writes it: without the lock, it could write back settings that `rekey`
 * (src/sealed/rekey.ts), which does not lock the settings of accounts, has meanwhile sealed with another key.
 */
export async function noticeChannelLock(
  tx: Tx,
  accountId: number,
  channelId: number,
): Promise<NoticeChannelRow | undefined> {
  const [row] = await tx<NoticeChannelRow[]>`
    select ${columns(tx)} from notice_channel where account_id = ${accountId} and channel_id = ${channelId} for no key update`
  return row
}

type Stored = Omit<NoticeChannelRow, 'channelId'>

export async function noticeChannelInsert(tx: Tx, accountId: number, channel: Stored): Promise<number> {
  const [row] = await tx<{ channelId: number }[]>`
    insert into notice_channel (account_id, name, kind, settings, address, notice_kinds, is_paused)
    values (${accountId}, ${channel.name}, ${channel.kind}, ${channel.settings}, ${channel.address}, ${channel.noticeKinds}::text[], ${channel.isPaused})
    returning channel_id as "channelId"`
  if (row === undefined) throw new Error('an insert returns its row')
  return row.channelId
}

export async function noticeChannelUpdate(
  tx: Tx,
  accountId: number,
  channelId: number,
  channel: Omit<Stored, 'kind'>,
): Promise<void> {
  await tx`
    update notice_channel set name = ${channel.name}, settings = ${channel.settings}, address = ${channel.address},
      notice_kinds = ${channel.noticeKinds}::text[], is_paused = ${channel.isPaused}
    where account_id = ${accountId} and channel_id = ${channelId}`
}

/** Gives up the deliveries that wait for a channel. */
export async function noticeChannelKeep(tx: Tx, accountId: number, channelId: number, reason: string): Promise<void> {
  await tx`
    update notice_delivery set state = 'kept', next_at = null, error = ${reason}
    where account_id = ${accountId} and channel_id = ${channelId} and next_at is not null`
}

export async function noticeChannelDelete(tx: Tx, accountId: number, channelId: number): Promise<void> {
  await tx`delete from notice_delivery where account_id = ${accountId} and channel_id = ${channelId}`
  await tx`delete from notice_channel where account_id = ${accountId} and channel_id = ${channelId}`
}
