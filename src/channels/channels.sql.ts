import type { Reader, Tx } from '../db/sql.ts'
import { must } from '../platform/must.ts'
import type { LaterColumns } from './channel-product.ts'

export type ChannelFormat = 'google' | 'csv'

/** A channel file as its owner set it; its address is not stored. */
export interface ChannelRow {
  channelId: number
  storeId: number
  /** Slug of the store. */
  store: string
  name: string
  format: ChannelFormat
  /** The customer group whose prices are shown; null: the default one. */
  groupId: number | null
  linkTemplate: string | null
}

/** All channel files of the account by id. */
export function channelsList(reader: Reader, accountId: number) {
  return reader<ChannelRow[]>`
    select c.channel_id as "channelId", c.store_id as "storeId", s.slug as store, c.name, c.format, c.group_id as "groupId",
      c.link_template as "linkTemplate"
    from channel_file c
    cross join lateral (select slug from store where account_id = ${accountId} and store_id = c.store_id offset 0) s
    where c.account_id = ${accountId} order by c.channel_id`
}

export async function channelInsert(
  tx: Tx,
  accountId: number,
  channel: Pick<ChannelRow, 'storeId' | 'name' | 'format' | 'groupId' | 'linkTemplate'> & { secretHash: Buffer },
): Promise<number> {
  const [row] = await tx<{ channel_id: number }[]>`
    insert into channel_file (account_id, store_id, name, format, group_id, link_template, secret_hash, has_list_prices, has_tiers, has_sales,
      has_unit_prices, has_tax)
    values (${accountId}, ${channel.storeId}, ${channel.name}, ${channel.format}, ${channel.groupId}, ${channel.linkTemplate},
      ${channel.secretHash}, true, true, true, true, true)
    returning channel_id`
  return must(row).channel_id
}

/** Writes the members that can be edited; false if there is no such channel file. */
export async function channelUpdate(
  tx: Tx,
  accountId: number,
  channel: Pick<ChannelRow, 'channelId' | 'name' | 'groupId' | 'linkTemplate'>,
): Promise<boolean> {
  const result = await tx`
    update channel_file set name = ${channel.name}, group_id = ${channel.groupId}, link_template = ${channel.linkTemplate}
    where account_id = ${accountId} and channel_id = ${channel.channelId}`
  return result.count === 1
}

/** Replaces the secret; from the commit on, the old one no longer works. */
export async function channelSecretUpdate(
  tx: Tx,
  accountId: number,
  channelId: number,
  secretHash: Buffer,
): Promise<boolean> {
  const result = await tx`
    update channel_file set secret_hash = ${secretHash} where account_id = ${accountId} and channel_id = ${channelId}`
  return result.count === 1
}

/** Records that a channel file is read now, at most once a minute. If this is lost, the next read records it. */
export function channelUseNote(reader: Reader, accountId: number, channelId: number) {
  return reader`
    insert into channel_use (account_id, channel_id, last_read_at)
    select ${accountId}, ${channelId}, date_trunc('minute', now())
    on conflict (account_id, channel_id) do update set last_read_at = excluded.last_read_at
    where channel_use.last_read_at < excluded.last_read_at`
}

/** When each channel file was last read, to the minute. */
export function channelUses(reader: Reader, accountId: number) {
  return reader<{ channelId: number; lastReadAt: Date }[]>`
    select channel_id as "channelId", last_read_at as "lastReadAt" from channel_use where account_id = ${accountId}`
}

export async function channelDelete(tx: Tx, accountId: number, channelId: number): Promise<boolean> {
  await tx`delete from channel_use where account_id = ${accountId} and channel_id = ${channelId}`
  const result = await tx`delete from channel_file where account_id = ${accountId} and channel_id = ${channelId}`
  return result.count === 1
}

/** A channel file, with everything needed to write it. */
export interface OpenChannel {
  accountId: number
  channelId: number
  storeId: number
  /** Name of the store. */
  store: string
  format: ChannelFormat
  /** The customer group whose prices are shown; the default one if the owner chose none. */
  groupId: number
  linkTemplate: string | null
  /** The account's time zone (IANA name), by whose days sales begin and end. */
  timeZone: string
  columns: LaterColumns
}

/**
 * Finds the channel file with this secret, if its store is active. The first statement finds the account, as with a token; only the second one knows
 * it.
 */
export async function channelBySecret(reader: Reader, secretHash: Buffer): Promise<OpenChannel | undefined> {
  const [file] = await reader<
    (Pick<OpenChannel, 'accountId' | 'channelId' | 'storeId' | 'format' | 'linkTemplate' | 'columns'> & {
      groupId: number | null
    })[]
  >`
    select account_id as "accountId", channel_id as "channelId", store_id as "storeId", format, link_template as "linkTemplate", group_id as "groupId",
      jsonb_build_object('listPrices', has_list_prices, 'sales', has_sales, 'tiers', has_tiers, 'unitPrices', has_unit_prices, 'tax', has_tax)
        as columns
    from channel_file where secret_hash = ${secretHash}`
  if (file === undefined) return undefined
  const [names] = await reader<{ store: string; defaultGroupId: number; timeZone: string }[]>`
    select name as store,
      coalesce((select group_id from customer_group where account_id = ${file.accountId} and is_default), 0) as "defaultGroupId",
      (select time_zone from account where account_id = ${file.accountId}) as "timeZone"
    from store where account_id = ${file.accountId} and store_id = ${file.storeId} and is_active`
  if (names === undefined) return undefined
  return { ...file, store: names.store, timeZone: names.timeZone, groupId: file.groupId ?? names.defaultGroupId }
}
