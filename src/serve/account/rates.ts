import { RATES } from '../../../contract/account-resources.ts'
import { ratesList } from '../../catalog/settings/rates.sql.ts'
import { deleteRate, setRates } from '../../catalog/settings/rates.ts'
import { collection } from './collection.ts'
import { toDecimals } from './decimals.ts'

/** /v1/account/rates */
export const rates = collection({
  resource: RATES,
  list: ratesList,
  keyOf: (row) => row.currency,
  represent: (row) => ({ currency: row.currency, rate: row.rate }),
  defaults: {},
  async create(tx, accountId, members) {
    await setRates(tx, accountId, [toDecimals(members, ['rate'])])
    return members.currency
  },
  async edit(tx, accountId, { currency }, members) {
    const { rate } = toDecimals(members, ['rate'])
    if (rate !== undefined) await setRates(tx, accountId, [{ currency, rate }])
  },
  remove: (tx, accountId, row) => deleteRate(tx, accountId, row.currency),
})
