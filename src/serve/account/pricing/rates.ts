import { RATES } from '../../../../contract/rate-resource.ts'
import { ratesList } from '../../../catalog/settings/prices/rates.sql.ts'
import { deleteRate, setRates } from '../../../catalog/settings/prices/rates.ts'
import { settingsWritten } from '../../../catalog/stale/written.ts'
import { readCurrency } from '../../../input/currency.ts'
import { collection } from '../collection.ts'
import { toDecimals } from '../decimals.ts'

/** /v1/account/rates */
export const rates = collection({
  resource: RATES,
  list: ratesList,
  keyOf: (row) => row.currency,
  canonicalKey: currencyKey,
  represent: ({ currency, rate, bankDay, bankSeenDay, heldRate }) => ({
    currency,
    rate,
    status: {
      from: bankDay === null ? 'hand' : 'ecb',
      day: bankDay,
      held_rate: heldRate,
      held_day: heldRate === null ? null : bankSeenDay,
    },
  }),
  defaults: {},
  async create(tx, accountId, members) {
    return { ...(await setRates(tx, accountId, [toDecimals(members, ['rate'])])), value: currencyKey(members.currency) }
  },
  async edit(tx, accountId, { currency }, members) {
    const { rate } = toDecimals(members, ['rate'])
    return rate === undefined ? settingsWritten() : setRates(tx, accountId, [{ currency, rate }])
  },
  remove: (tx, accountId, row) => deleteRate(tx, accountId, row.currency),
})

/** The stored form of a currency in a path or body; an invalid one is returned as it is and matches nothing. */
function currencyKey(given: string): string {
  const verdict = readCurrency(given)
  return 'value' in verdict ? verdict.value : given
}
