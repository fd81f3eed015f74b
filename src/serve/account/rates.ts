import { RATES } from '../../../contract/sources.ts'
import { type RateRow, ratesList } from '../../catalog/settings/rates.sql.ts'
import { deleteRate, setRates } from '../../catalog/settings/rates.ts'
import type { Tx } from '../../db/sql.ts'
import { readCurrency } from '../../input/currency.ts'
import { collectionRoutes, type Members } from './collection.ts'
import { withDecimals } from './members.ts'

/** /v1/account/rates */
export const rateSources = collectionRoutes<RateRow>({
  resource: RATES,
  list: ratesList,
  keyOf: (row) => row.currency,
  canonicalKey: currencyKey,
  represent: (row) => ({ currency: row.currency, rate: row.rate }),
  defaults: {},
  async create(tx, accountId, members) {
    const currency = members['currency'] as string
    await set(tx, accountId, currency, members)
    return currencyKey(currency)
  },
  edit: (tx, accountId, row, members) => set(tx, accountId, row.currency, members),
  remove: (tx, accountId, row) => deleteRate(tx, accountId, row.currency),
})

/** The currency of a path or body as it is stored; what is none names nothing. */
function currencyKey(given: string): string {
  const verdict = readCurrency(given)
  return 'value' in verdict ? verdict.value : given
}

async function set(tx: Tx, accountId: number, currency: string, members: Members): Promise<void> {
  const { rate } = withDecimals(members, ['rate'])
  if (typeof rate === 'string') await setRates(tx, accountId, [{ currency, rate }])
}
