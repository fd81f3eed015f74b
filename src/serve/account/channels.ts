import { CHANNELS } from '../../../contract/sources.ts'
import { createChannel, deleteChannel, editChannel, rotateChannel } from '../../channels/channels.ts'
import { channelsList, type ChannelRow } from '../../channels/channels.sql.ts'
import { CHANNEL_ENDINGS } from '../../channels/channel-file.ts'
import { settingsWritten } from '../../catalog/stale/written.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { pathId } from '../query.ts'
import type { Route } from '../context.ts'
import { requireNoMembers } from '../writing/body.ts'
import { answerWrite } from '../writing/answer-write.ts'
import { collectionRoutes } from './collection.ts'
import { toFields } from './members.ts'

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

const collection = collectionRoutes<ChannelRow>({
  resource: CHANNELS,
  list: channelsList,
  keyOf: (row) => row.channelId,
  represent,
  defaults: { group_id: null, link_template: null },
  async create(tx, accountId, members) {
    const { channelId, secret } = await createChannel(tx, accountId, toFields(members))
    const format = members['format'] as ChannelRow['format']
    return settingsWritten({ key: channelId, once: (url) => ({ url: addressOf(url, secret, format) }) })
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

/** /v1/account/channels, and the new address of one. */
export const channelRoutes: Route = (app, context) => {
  collection(app, context)
  app.post('/channels/:key/rotate', (request, reply) => {
    requireNoMembers(request)
    const channelId = pathId((request.params as { key: string }).key) ?? 0
    return answerWrite(context, request, reply, async (tx, accountId) => {
      const row = (await channelsList(tx, accountId)).find((entry) => entry.channelId === channelId)
      if (row === undefined) throw new ShelfwireError('unknown-reference', 'the account has no such channel file')
      const secret = await rotateChannel(tx, accountId, channelId)
      return { status: 200, data: represent(row), once: { url: addressOf(context.publicUrl(), secret, row.format) } }
    })
  })
}
