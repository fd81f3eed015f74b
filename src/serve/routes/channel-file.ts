import type { FastifyReply } from 'fastify'
import { requireActive } from '../../accounts/suspensions.ts'
import { channelSecretHash } from '../../channels/secret.ts'
import { channelBySecret, channelUseNote, type OpenChannel } from '../../channels/channels.sql.ts'
import { CHANNEL_ENDINGS, CHANNEL_TYPES, channelFileParts } from '../../channels/channel-file.ts'
import { readFeed } from '../../feed/read.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openRateLimit } from '../../platform/turns/rate-limit.ts'
import { openSecretLookups } from '../../platform/secrets/secret-lookups.ts'
import { walkStore } from '../../shelf/reads/payload-walk.ts'
import { matchesEntityTag, tagOf } from '../answer.ts'
import { CHANNEL_FILE } from '../../../contract/routes/operator.ts'
import { clientAddress } from '../client-address.ts'
import type { Handlers, ServeContext } from '../context.ts'
import { openDownloadSlots, sendParts } from '../download.ts'
import type { Slots } from '../slots.ts'
import { handle, type Call } from '../handle.ts'

const FILE = /^(swf_[0-9A-Za-z]{40})\.(xml|csv)$/

/** GET /channels/{secret}.xml and .csv, outside /v1: the secret in the path replaces a token. */
export const channelFile: Handlers = (app, context) => {
  // slots of their own: clients that fetch these files must not block the owner's exports, nor exports these clients
  const slots = openDownloadSlots()
  const find = openChannelFinder(context)
  handle(app, CHANNEL_FILE, async (call) => answerChannel(context, slots, call, await find(call)))
}

async function answerChannel(
  context: ServeContext,
  slots: Slots,
  { query, request, reply }: Call<typeof CHANNEL_FILE>,
  channel: OpenChannel | undefined,
): Promise<FastifyReply> {
  void reply.header('X-Robots-Tag', 'noindex')
  // one answer for every missing file, so that nobody learns what existed once or exists with another extension
  if (channel === undefined) throw new ShelfwireError('unknown-route', 'there is no channel file at this address')
  const { accountId, storeId, format } = channel
  requireActive(context.db, accountId)
  context.db.nodes.requirePresent(accountId)
  // the answer does not wait for the note, which fails on a read-only database
  void channelUseNote(context.db, accountId, channel.channelId).catch((error: unknown) =>
    context.log.warn({ err: error, accountId }, 'a read of a channel file was not noted'),
  )
  const { next } = await readFeed(context.db, accountId, storeId, { kind: 'now' }, 1)
  // The tag covers the channel, the base URL, the parameter `spreadsheet` if it is given, and the head of the store's feed. It must equal the
  // tag of earlier releases, so that an upgrade makes nobody fetch the file again. Therefore it leaves out the columns, which never change, and
  // the time zone except for Google, whose file has it in the begin and end of sales.
  const { columns: _, timeZone, ...named } = channel
  const zone = format === 'google' ? [timeZone] : []
  const form = [named, context.publicUrl(), next.id, ...(query.spreadsheet ? ['spreadsheet'] : []), ...zone]
  const tag = `"${tagOf(JSON.stringify(form))}"`
  const headers = {
    ETag: `W/${tag}`,
    'Content-Type': CHANNEL_TYPES[format],
    'Cache-Control': 'private, max-age=300',
    Vary: 'Accept-Encoding',
  }
  if (matchesEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).headers(headers).send()
  if (request.method === 'HEAD') return reply.headers(headers).send()
  const release = slots.take(accountId)
  const pages = walkStore(context.db, accountId, storeId, { shape: 'products', seesCosts: true })
  return sendParts(
    request,
    reply,
    release,
    channelFileParts(channel, context.publicUrl(), pages, query.spreadsheet),
    headers,
  )
}

/** Finds the channel of an address. Unknown addresses are limited by client address, and reads by channel. */
function openChannelFinder({ db }: ServeContext) {
  const lookups = openSecretLookups('channel files')
  const reads = openRateLimit<string>({
    perSecond: LIMITS.channelReadsPerSecond,
    burst: LIMITS.channelReadsAtOnce,
  })
  return async ({ params, request }: Call<typeof CHANNEL_FILE>): Promise<OpenChannel | undefined> => {
    const [, secret = '', ending] = FILE.exec(params.file) ?? []
    if (secret === '') return undefined
    const secretHash = channelSecretHash(secret)
    const { isAllowed, resetSeconds } = reads.take(secretHash.toString('base64url'))
    if (!isAllowed)
      throw new ShelfwireError('rate-limited', 'this file is asked for too often; see Retry-After', {
        retryAfterSeconds: Math.max(1, resetSeconds),
      })
    const channel = await lookups.find(secret, clientAddress(request), () => channelBySecret(db, secretHash))
    return channel !== undefined && CHANNEL_ENDINGS[channel.format] === ending ? channel : undefined
  }
}
