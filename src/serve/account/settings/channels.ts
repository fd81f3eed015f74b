import { CHANNELS } from '../../../../contract/account-resources.ts'
import { ROTATE_CHANNEL } from '../../../../contract/routes/account-resources.ts'
import { createChannel, deleteChannel, editChannel, rotateChannel } from '../../../channels/channels.ts'
import { channelsList, type ChannelRow } from '../../../channels/channels.sql.ts'
import { CHANNEL_ENDINGS } from '../../../channels/channel-file.ts'
import { settingsWritten } from '../../../catalog/stale/written.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite } from '../../writing/answer-write.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'

const addressOf = (base: string, secret: string, format: ChannelRow['format']) =>
  `${base}/channels/${secret}.${CHANNEL_ENDINGS[format]}`

const represent = (row: ChannelRow) => ({
  id: row.channelId,
  name: row.name,
  store: row.store,
  format: row.format,
  group_id: row.groupId,
  link_template: row.linkTemplate,
})

/** /v1/account/channels */
export const channels = collection({
  resource: CHANNELS,
  list: channelsList,
  keyOf: (row) => row.channelId,
  represent,
  defaults: { group_id: null, link_template: null },
  async create(tx, accountId, members) {
    const { channelId, secret } = await createChannel(tx, accountId, toFields(members))
    return settingsWritten({ key: channelId, once: (url) => ({ url: addressOf(url, secret, members.format) }) })
  },
  async edit(tx, accountId, row, members) {
    await editChannel(tx, accountId, row.channelId, toFields(members))
    return settingsWritten()
  },
  async remove(tx, accountId, row) {
    await deleteChannel(tx, accountId, row.channelId)
    return settingsWritten()
  },
})

/** A new address for a channel file. */
export const channelHandlers: Handlers = (app, context) => {
  handle(app, ROTATE_CHANNEL, ({ params, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      const row = (await channelsList(tx, accountId)).find((entry) => entry.channelId === params.id)
      if (row === undefined) throw new ShelfwireError('unknown-reference', 'the account has no such channel file')
      const secret = await rotateChannel(tx, accountId, params.id)
      return { status: 200, data: represent(row), once: { url: addressOf(context.publicUrl(), secret, row.format) } }
    }),
  )
}
