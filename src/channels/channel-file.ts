import { mapYielding } from '../platform/turns/yielding.ts'
import { csvHead, csvRecord } from './csv.ts'
import { channelProductOf, servedProduct, type ChannelScope } from './channel-product.ts'
import { googleHead, googleItem, GOOGLE_TAIL } from './google.ts'
import type { ChannelFormat, OpenChannel } from './channels.sql.ts'

/** File name extensions by format. */
export const CHANNEL_ENDINGS: Readonly<Record<ChannelFormat, string>> = { google: 'xml', csv: 'csv' }
export const CHANNEL_TYPES: Readonly<Record<ChannelFormat, string>> = {
  google: 'application/xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

/** The entry of a product, given as the served JSON; empty if the product is not to be sold there. */
export function channelEntry(
  format: ChannelFormat,
  scope: ChannelScope,
  product: string,
  isForSpreadsheets = false,
): string {
  const listed = channelProductOf(servedProduct(product), scope)
  if (listed === null) return ''
  return format === 'google' ? googleItem(listed, scope) : csvRecord(listed, scope, isForSpreadsheets)
}

/**
 * Yields a channel file from pages of product objects.
 * @param home the URL of this service, for a file without links to a shop.
 * @param isForSpreadsheets true if people open the file: no cell of a CSV file may be a formula.
 */
export async function* channelFileParts(
  channel: OpenChannel,
  home: string,
  pages: AsyncIterable<readonly string[]>,
  isForSpreadsheets: boolean,
): AsyncGenerator<string> {
  const { format, linkTemplate } = channel
  // the host of a template contains no placeholder
  const shop = linkTemplate === null ? home : new URL(linkTemplate.replaceAll(/[{}]/g, '')).origin
  // sent with the first page, so that a database error before it can still be answered with its status
  let before = format === 'google' ? googleHead(channel.store, shop) : csvHead(channel)
  for await (const page of pages) {
    const entries = await mapYielding(page, (product) => channelEntry(format, channel, product, isForSpreadsheets))
    yield before + entries.join('')
    before = ''
  }
  yield before + (format === 'google' ? GOOGLE_TAIL : '')
}
