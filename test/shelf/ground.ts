import { createAssortmentRule } from '../../src/catalog/settings/rules/assortment-rules.ts'
import { createExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { createAccount, type Bench } from '../harness/account.ts'
import { OFFERS, type Ground } from './input-case.ts'

/** A shelved account with products and rules for every case of input. */
export async function openGround(bench: Bench, name: string): Promise<Ground> {
  const account = await createAccount(bench, name)
  const { accountId, storeIds } = account
  const ids = await inTransaction(bench.db, async (tx) => {
    const first = await writeOffers(tx, accountId, account.suppliers[0]!, OFFERS.first)
    const second = await writeOffers(tx, accountId, account.suppliers[1]!, OFFERS.second)
    const [p1 = 0, p2 = 0, p3 = 0] = first.productIds
    const p4 = second.productIds.find((id) => id !== p1) ?? 0
    await setOwnStock(tx, accountId, [{ productId: p3, quantity: 4, cost: '7' }])
    const ruleId = (
      await createRule(tx, accountId, {
        name: 'Tools',
        percent: '40',
        categories: ['tools'],
        storeIds: [storeIds[0]],
        priority: 10,
      })
    ).value
    const exclusionId = (
      await createExclusionRule(tx, accountId, {
        name: 'Bolt',
        kind: 'manufacturer',
        names: ['Bolt'],
        reason: 'bolt',
      })
    ).value
    const assortmentId = (
      await createAssortmentRule(tx, accountId, {
        storeId: storeIds[2],
        name: 'No Bolt',
        isListed: false,
        manufacturers: ['Bolt'],
      })
    ).value
    return { p1, p2, p3, p4, ruleId, exclusionId, assortmentId }
  })
  await bench.shelf.drain(accountId)
  return { account, ...ids }
}
