import { mapYielding } from '../platform/yielding.ts'
import { csvRecord, CSV_HEAD } from './csv.ts'
import { goodOf, servedProduct, type ChannelScope } from './channel-product.ts'
import { googleHead, googleItem, GOOGLE_TAIL } from './google.ts'
import type { ChannelFormat, OpenChannel } from './channels.sql.ts'

/** Endings of addresses by format. */
export const CHANNEL_ENDINGS: Readonly<Record<ChannelFormat, string>> = { google: 'xml', csv: 'csv' }
export const CHANNEL_TYPES: Readonly<Record<ChannelFormat, string>> = {
  google: 'application/xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

/** What a file says of a product, given as the JSON text that is served; empty where it is not to be sold there. */
export function channelEntry(format: ChannelFormat, scope: ChannelScope, product: string): string {
  const good = goodOf(servedProduct(product), scope)
  if (good === null) return ''
  return format === 'google' ? googleItem(good) : csvRecord(good)
}

/**
 * A channel file from pages of product objects, each on a line of its own.
 * @param home address that the file names where its links name no shop.
 */
export async function* channelFileParts(
  channel: OpenChannel,
  home: string,
  pages: AsyncIterable<string>,
): AsyncGenerator<string> {
  const { format, linkTemplate } = channel
  // a template's host holds no placeholder
  const shop = linkTemplate === null ? home : new URL(linkTemplate.replaceAll(/[{}]/g, '')).origin
  // with the first page, so that a database that does not answer is told before anything is sent
  let before = format === 'google' ? googleHead(channel.store, shop) : CSV_HEAD
  for await (const page of pages) {
    const entries = await mapYielding(page.split('\n'), (product) => channelEntry(format, channel, product))
    yield before + entries.join('')
    before = ''
  }
  yield before + (format === 'google' ? GOOGLE_TAIL : '')
}
