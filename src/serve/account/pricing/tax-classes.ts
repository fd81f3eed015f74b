import { TAX_CLASSES } from '../../../../contract/account-resources.ts'
import { taxClassesList } from '../../../catalog/settings/prices/tax-classes.sql.ts'
import {
  createTaxClass,
  deleteTaxClass,
  editTaxClass,
  type GivenTaxRate,
} from '../../../catalog/settings/prices/tax-classes.ts'
import { collection } from '../collection.ts'

/** /v1/account/tax-classes */
export const taxClasses = collection({
  resource: TAX_CLASSES,
  list: taxClassesList,
  keyOf: (row) => row.key,
  represent: (row) => ({
    key: row.key,
    name: row.name,
    is_default: row.isDefault,
    codes: row.codes,
    rates: row.rates.map(({ country, validFrom, percent }) => ({ country, valid_from: validFrom, percent })),
  }),
  defaults: { is_default: false, codes: [], rates: [] },
  async create(tx, accountId, { key, name, is_default: isDefault, codes, rates }) {
    const given = { key, name, isDefault, codes: codes ?? [], rates: ratesOf(rates ?? []) }
    return { ...(await createTaxClass(tx, accountId, given)), value: key }
  },
  edit: (tx, accountId, row, { name, is_default: isDefault, codes, rates }) =>
    editTaxClass(tx, accountId, row.key, {
      ...(name === undefined ? {} : { name }),
      ...(isDefault === undefined ? {} : { isDefault }),
      ...(codes === undefined ? {} : { codes }),
      ...(rates === undefined ? {} : { rates: ratesOf(rates) }),
    }),
  remove: (tx, accountId, row) => deleteTaxClass(tx, accountId, row.key),
})

const ratesOf = (rates: readonly { country: string; valid_from: string; percent: string | number }[]): GivenTaxRate[] =>
  rates.map(({ country, valid_from: validFrom, percent }) => ({ country, validFrom, percent }))
