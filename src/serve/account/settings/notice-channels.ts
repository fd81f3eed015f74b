import { NOTICE_CHANNELS } from '../../../../contract/notice-channels.ts'
import { TEST_NOTICE_CHANNEL } from '../../../../contract/routes/account-resources.ts'
import { productsWritten } from '../../../catalog/stale/written.ts'
import {
  createNoticeChannel,
  deleteNoticeChannel,
  editNoticeChannel,
  tryNoticeChannel,
  type NoticeChannelTools,
} from '../../../notices/notice-channels.ts'
import { noticeChannelsList, type NoticeChannelState } from '../../../notices/notice-channels.sql.ts'
import { now } from '../../../platform/time/clock.ts'
import { timeOrNull } from '../../../platform/time/timestamp.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'
import { oneAtATimePerAccount } from '../one-at-a-time.ts'

const represent = (row: NoticeChannelState) => ({
  id: row.channelId,
  name: row.name,
  kind: row.kind,
  url: row.address,
  notice_kinds: row.noticeKinds,
  is_paused: row.isPaused,
  status: {
    waiting: row.waiting,
    next_attempt_at: timeOrNull(row.nextAttemptAt),
    last_sent_at: timeOrNull(row.lastSentAt),
    failed_at: timeOrNull(row.failedAt),
    failure: row.failure,
  },
})

/** /v1/account/notice-channels */
export const noticeChannelsWith = (tools: NoticeChannelTools) =>
  collection({
    resource: NOTICE_CHANNELS,
    list: noticeChannelsList,
    keyOf: (row) => row.channelId,
    represent,
    defaults: { notice_kinds: null, is_paused: false },
    async create(tx, accountId, members) {
      const { channelId, secret } = await createNoticeChannel(tx, accountId, toFields(members), tools)
      return productsWritten([], { key: channelId, once: () => (secret === null ? {} : { secret }) })
    },
    async edit(tx, accountId, row, members) {
      await editNoticeChannel(tx, accountId, row.channelId, toFields(members), tools)
      return productsWritten([])
    },
    async remove(tx, accountId, row) {
      await deleteNoticeChannel(tx, accountId, row.channelId)
      return productsWritten([])
    },
  })

/** POST /v1/account/notice-channels/{id}/test */
export const noticeChannelHandlers: Handlers = (app, { db, noticeChannels }) => {
  const oneTry = oneAtATimePerAccount('notice channel')
  handle(app, TEST_NOTICE_CHANNEL, (call) =>
    oneTry(call, async (accountId, signal) => {
      const tried = await tryNoticeChannel(db, accountId, call.params.id, noticeChannels, now(), signal)
      return call.reply.send({ data: { is_ok: tried.isOk, status: tried.status, detail: tried.detail } })
    }),
  )
}
