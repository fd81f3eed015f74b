import type { ChannelRow } from './rows.ts'

/** Vendure also gives each variant a price in the default currency of its channel: the number of another currency, unconverted. Warns where no store sells in it. */
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
