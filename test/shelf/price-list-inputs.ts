import { createPriceList, editPriceList, type PriceListChanges } from '../../src/catalog/settings/prices/price-lists.ts'
import { editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { entryChanges, writeEntries } from '../../src/catalog/products/prices/price-list-entries.ts'
import { defaultRule, type Case, type Ground } from './input-case.ts'

const LIST = {
  key: 'trade',
  name: 'Trade',
  currency: 'EUR',
  storeIds: null,
  groupId: null,
  validFrom: null,
  validTo: null,
  priority: 100,
  isActive: true,
}
/** Gives the first product a price in a list, or changes it. */
const priced =
  (amount: string | null, key = 'trade'): Case['change'] =>
  async (tx, { account, p1 }) => {
    const rows = [{ productId: p1, groupId: 0, amount }]
    const changes = await entryChanges(tx, account.accountId, key, rows, false)
    return writeEntries(tx, account.accountId, key, changes)
  }
const onAList: NonNullable<Case['before']> = async (tx, ground) => {
  await createPriceList(tx, ground.account.accountId, LIST)
  return priced('77')(tx, ground)
}
const list = (change: (ground: Ground) => PriceListChanges): Case => ({
  before: onAList,
  change: (tx, ground) => editPriceList(tx, ground.account.accountId, 'trade', change(ground)),
  kinds: ['price'],
})

/** Price lists and their entries; a part of EVERY_INPUT. */
export const PRICE_LIST_INPUTS: Readonly<Record<string, Case | string>> = {
  'price_list.account_id': 'key',
  'price_list.key': 'key; entries name it',
  'price_list.name': 'shown to the owner alone',
  'price_list.currency': 'never changes: its entries are stated in it',
  'price_list.store_ids': list(({ account }) => ({ storeIds: [account.storeIds[1]] })),
  'price_list.group_id': list(({ account }) => ({ groupId: account.groupId })),
  'price_list.valid_from': list(() => ({ validFrom: '2999-01-01' })),
  'price_list.valid_to': list(() => ({ validTo: '2020-01-01' })),
  'price_list.priority': {
    before: async (tx, ground) => {
      await onAList(tx, ground)
      await createPriceList(tx, ground.account.accountId, { ...LIST, key: 'other', priority: 200 })
      return priced('66', 'other')(tx, ground)
    },
    change: (tx, { account }) => editPriceList(tx, account.accountId, 'trade', { priority: 300 }),
    kinds: ['price'],
  },
  'price_list.is_active': list(() => ({ isActive: false })),
  'price_list.created_at':
    'never changes: of lists of one priority the newest wins (src/resolve/prices/price-lists.test.ts)',
  'pricing_rule.over_price_lists': {
    before: onAList,
    change: async (tx, { account }) =>
      editRule(tx, account.accountId, await defaultRule(tx, account), { overPriceLists: true }),
    kinds: ['price'],
  },
  'price_list_entry.account_id': 'key',
  'price_list_entry.product_id': 'key',
  'price_list_entry.list_key': 'key; price_list.priority says which list wins',
  'price_list_entry.group_id': {
    before: onAList,
    change: async (tx, { account, p1 }) => {
      const rows = [{ productId: p1, groupId: account.groupId, amount: '55' }]
      return writeEntries(
        tx,
        account.accountId,
        'trade',
        await entryChanges(tx, account.accountId, 'trade', rows, true),
      )
    },
    kinds: ['price'],
  },
  'price_list_entry.amount': { before: onAList, change: priced('66'), kinds: ['price'] },
}
