import { accountLocale } from '../accounts/accounts.sql.ts'
import { NOTICE_CHANNEL_KINDS, type NoticeChannelKind } from '../../contract/notice-channel-kinds.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../contract/notice-kinds.ts'
import { settingsLock } from '../accounts/settings-lock.sql.ts'
import type { Reader, Tx } from '../db/sql.ts'
import { Check } from '../input/check.ts'
import type { Outbound } from '../outbound/client.ts'
import { checkOutboundUrl, hostOf } from '../outbound/outbound-url.ts'
import { newSecret } from '../outbound/signature.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { Seal } from '../platform/secrets/seal.ts'
import type { ChannelSettings } from './channels/channel.ts'
import { failureOf, sendOne } from './channels/send-one.ts'
import { testMessage } from './message.ts'
import { addressShown } from './notice-text.ts'
import {
  noticeChannelDelete,
  noticeChannelGet,
  noticeChannelInsert,
  noticeChannelKeep,
  noticeChannelLock,
  noticeChannelsList,
  noticeChannelUpdate,
  type NoticeChannelRow,
} from './notice-channels.sql.ts'

// Owners' actions on notice channels.

/** Tools that check, seal and try channels. */
export interface NoticeChannelTools {
  seal: Seal
  outbound: Pick<Outbound, 'isAllowed' | 'send'>
  /** Base URL of this service; empty: not known. */
  publicUrl: () => string
}

export interface NewNoticeChannel {
  name: string
  kind: NoticeChannelKind
  url: string
  /** The kinds that it gets; null: all. */
  noticeKinds: NoticeKind[] | null
  isPaused: boolean
}

export type NoticeChannelChanges = Partial<Omit<NewNoticeChannel, 'kind'>>

/** The context that settings are sealed with: those of one account cannot be opened as another's. */
export const noticeChannelSealContext = (accountId: number): string => `notice-channel:${accountId}`

/**
 * Creates a channel. @returns its id and, if its kind is signed, the signing secret, which cannot be read again.
 * @throws ShelfwireError invalid-input, or conflict at the limit
 */
export async function createNoticeChannel(
  tx: Tx,
  accountId: number,
  input: NewNoticeChannel,
  tools: NoticeChannelTools,
): Promise<{ channelId: number; secret: string | null }> {
  // locked first, because the limit counts all channels of the account
  await settingsLock(tx, accountId)
  if ((await noticeChannelsList(tx, accountId)).length >= LIMITS.noticeChannelsPerAccountMax)
    throw new ShelfwireError(
      'conflict',
      `an account has at most ${LIMITS.noticeChannelsPerAccountMax} notice channels; delete one first`,
    )
  const checked = checkedMembers(input, tools)
  const secret = newSecretOf(input.kind)
  const channelId = await noticeChannelInsert(tx, accountId, {
    ...input,
    ...checked,
    ...sealed(tools.seal, accountId, input.kind, { url: checked.url ?? input.url, secret }),
  })
  return { channelId, secret }
}

/** Sets the given members. If `url` is the address that is shown, the URL is kept. @throws ShelfwireError invalid-input, unknown-reference */
export async function editNoticeChannel(
  tx: Tx,
  accountId: number,
  channelId: number,
  changes: NoticeChannelChanges,
  tools: NoticeChannelTools,
): Promise<void> {
  await settingsLock(tx, accountId)
  const current = required(await noticeChannelLock(tx, accountId, channelId), accountId, channelId)
  const { url, ...rest } = changes
  const given: NoticeChannelChanges = url === undefined || url === current.address ? rest : changes
  const checked = checkedMembers(given, tools)
  const secretNow = () =>
    current.settings === null ? newSecretOf(current.kind) : settingsOf(tools.seal, accountId, current).secret
  await noticeChannelUpdate(tx, accountId, channelId, {
    ...current,
    ...checked,
    ...(checked.url === undefined
      ? {}
      : sealed(tools.seal, accountId, current.kind, {
          url: checked.url,
          secret: secretNow(),
        })),
  })
  if (changes.isPaused === true && !current.isPaused)
    await noticeChannelKeep(tx, accountId, channelId, 'the channel was paused')
}

/** Deletes a channel and its waiting deliveries. */
export async function deleteNoticeChannel(tx: Tx, accountId: number, channelId: number): Promise<void> {
  await settingsLock(tx, accountId)
  await found(tx, accountId, channelId)
  await noticeChannelDelete(tx, accountId, channelId)
}

/** Sends a test notice, even through a paused channel, and returns the receiver's answer. Nothing is stored. */
export async function tryNoticeChannel(
  reader: Reader,
  accountId: number,
  channelId: number,
  tools: NoticeChannelTools,
  at: Date,
  signal: AbortSignal,
): Promise<{ isOk: boolean; status: number | null; detail: string }> {
  const channel = await found(reader, accountId, channelId)
  if (channel.settings === null) return { isOk: false, status: null, detail: SETTINGS_LOST }
  const settings = settingsOf(tools.seal, accountId, channel)
  const message = testMessage(accountId, channel, tools.publicUrl(), at, await accountLocale(reader, accountId))
  const key = `notice-test:${accountId}:${channelId}`
  const sent = await sendOne(tools.outbound, channel.kind, settings, message, { at, key, signal })
  return { isOk: sent.verdict === 'sent', status: sent.status, detail: sent.detail || failureOf(sent) }
}

/** The failure of a channel whose settings cannot be opened any more. */
export const SETTINGS_LOST = 'its settings were lost with the key they were sealed with; set its URL again'

/** The settings that a channel is sent with. @throws Error if no key of the service opens them */
export function settingsOf(seal: Seal, accountId: number, { settings }: NoticeChannelRow): ChannelSettings {
  if (settings === null) throw new Error(SETTINGS_LOST)
  return JSON.parse(seal.open(settings, noticeChannelSealContext(accountId))) as ChannelSettings
}

const newSecretOf = (kind: NoticeChannelKind) => (NOTICE_CHANNEL_KINDS[kind].isSigned ? newSecret() : null)

const sealed = (seal: Seal, accountId: number, kind: NoticeChannelKind, settings: ChannelSettings) => ({
  settings: seal.close(JSON.stringify(settings), noticeChannelSealContext(accountId)),
  address: addressOf(kind, settings.url),
})

/** The part of a URL that is shown: only its origin if the URL is a secret, otherwise all but the query, which may contain one. */
function addressOf(kind: NoticeChannelKind, url: string): string {
  if (NOTICE_CHANNEL_KINDS[kind].isUrlSecret) return `${new URL(url).origin}/…`
  return new URL(url).search === '' ? url : `${addressShown(url)}?…`
}

function checkedMembers<T extends Partial<NewNoticeChannel>>(input: T, { outbound }: NoticeChannelTools): T {
  const check = new Check()
  const checked = { ...input }
  if (input.name !== undefined) checked.name = check.text('name', input.name, LIMITS.nameLengthMax)
  if (input.noticeKinds !== undefined && input.noticeKinds !== null) {
    const wanted = input.noticeKinds
    check.that(wanted.length > 0, 'notice_kinds', 'must name at least one kind, or be null for all')
    checked.noticeKinds = NOTICE_KINDS.filter((kind) => wanted.includes(kind))
  }
  check.done('notice channel')
  if (input.url !== undefined) {
    const url = checkOutboundUrl(input.url)
    if (!outbound.isAllowed(hostOf(url))) {
      const reason = 'must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW'
      throw new ShelfwireError('invalid-input', `url ${reason}`, { faults: [{ name: 'url', reason }] })
    }
    checked.url = url.href
  }
  return checked
}

async function found(reader: Reader, accountId: number, channelId: number): Promise<NoticeChannelRow> {
  return required(await noticeChannelGet(reader, accountId, channelId), accountId, channelId)
}

function required(row: NoticeChannelRow | undefined, accountId: number, channelId: number): NoticeChannelRow {
  if (row === undefined)
    throw new ShelfwireError('unknown-reference', `account ${accountId} has no notice channel ${channelId}`)
  return row
}
