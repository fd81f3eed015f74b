import type { ChannelRow } from './rows.ts'

/** Vendure gives each variant a price in the default currency of its channel, too: that of another currency, with the same number. */
export function warnOfCurrencies(
  stores: readonly { currency: string; channel: { code: string } }[],
  channels: readonly Pick<ChannelRow, 'code' | 'defaultCurrencyCode'>[],
  warn: (text: string) => void,
): void {
  for (const { code, defaultCurrencyCode } of channels) {
    const [currency, ...others] = stores.filter(({ channel }) => channel.code === code).map((store) => store.currency)
    if (currency !== undefined && ![currency, ...others].includes(defaultCurrencyCode))
      warn(
        `Shelfwire: no store sells in ${defaultCurrencyCode}, the default currency of the channel ${code}, where Vendure shows the numbers of ${currency} as ${defaultCurrencyCode} to whoever asks for no currency: make ${currency} its default currency, under Channels`,
      )
  }
}
