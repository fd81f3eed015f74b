import { RATES } from '../../../contract/sources.ts'
import { type RateRow, ratesList } from '../../catalog/settings/rates.sql.ts'
import { deleteRate, setRates } from '../../catalog/settings/rates.ts'
import { settingsWritten, type Written } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import { collectionRoutes, type Members } from './collection.ts'
import { withDecimals } from './members.ts'

/** /v1/account/rates */
export const rateSources = collectionRoutes<RateRow>({
  resource: RATES,
  list: ratesList,
  keyOf: (row) => row.currency,
  represent: (row) => ({ currency: row.currency, rate: row.rate }),
  defaults: {},
  async create(tx, accountId, members) {
    const currency = members['currency'] as string
    return { ...(await set(tx, accountId, currency, members)), value: currency }
  },
  edit: (tx, accountId, row, members) => set(tx, accountId, row.currency, members),
  remove: (tx, accountId, row) => deleteRate(tx, accountId, row.currency),
})

async function set(tx: Tx, accountId: number, currency: string, members: Members): Promise<Written> {
  const { rate } = withDecimals(members, ['rate'])
  return typeof rate === 'string' ? setRates(tx, accountId, [{ currency, rate }]) : settingsWritten()
}
