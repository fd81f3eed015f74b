import { describe, expect, it } from 'vitest'
import { isAdditionalMember } from '../../../contract/additional-members.ts'
import { knownMembers } from './additional-members.ts'
import { anAccount, aGroup, anOffer, aProduct, aSupplier, payloadOf } from '../fixtures.ts'
import type { EanInput, ProductInputs } from '../inputs.ts'

const ean = (value: string, supplierId: number, over: Partial<EanInput> = {}): EanInput => ({
  ean: value,
  isPrimary: false,
  supplierId,
  supplierSku: supplierId === 0 ? '' : `S${supplierId}`,
  position: 0,
  ...over,
})
const account = anAccount({ additionalMembers: ['eans'] })
const eansOf = (product: Partial<ProductInputs>, of = account) => payloadOf(of, aProduct(product))?.content.eans

describe('all EANs of a product', () => {
  const offers = [anOffer(1), anOffer(2)]

  it('are there only in accounts that have chosen them, also where there are none', () => {
    expect(eansOf({})).toEqual([])
    expect(payloadOf(anAccount(), aProduct({ eans: [ean('4006381333931', 1)], offers }))?.content).not.toHaveProperty(
      'eans',
    )
  })

  it('begin with the primary one; the others follow by their digits, whatever order and priority suppliers have', () => {
    const eans = [ean('9', 2), ean('5901234123457', 1, { position: 1 }), ean('7', 1), ean('1', 2, { position: 1 })]
    const expected = ['7', '1', '5901234123457', '9']
    expect(eansOf({ eans, offers })).toEqual(expected)
    expect(eansOf({ eans: eans.toReversed(), offers: offers.toReversed() })).toEqual(expected)
    const suppliers = [aSupplier(1, { priority: 200 }), aSupplier(2)]
    expect(eansOf({ eans, offers }, { ...account, suppliers })).toEqual(['9', '1', '5901234123457', '7'])
    const chosen = [...eans, ean('4006381333931', 0, { isPrimary: true })]
    expect(eansOf({ eans: chosen, offers })).toEqual(['4006381333931', '1', '5901234123457', '7', '9'])
  })

  it('have each GTIN once, in its first form; numbers that are none are compared as they are', () => {
    const eans = [ean('036000291452', 1), ean('0036000291452', 2), ean('12', 2, { position: 1 }), ean('012', 1)]
    expect(eansOf({ eans, offers })).toEqual(['012', '0036000291452', '12'])
  })

  it('leave out those of offers that are gone and of suppliers that are deleted', () => {
    const eans = [ean('1', 1), ean('2', 2), ean('3', 9)]
    expect(eansOf({ eans, offers: [anOffer(1), anOffer(9)] })).toEqual(['1'])
  })
})

it('are only those that the account has chosen', () => {
  const members = (chosen: typeof account.additionalMembers) =>
    Object.keys(payloadOf({ ...account, additionalMembers: chosen }, aProduct())?.content ?? {}).filter(
      isAdditionalMember,
    )
  expect(members([])).toEqual([])
  expect(members(['created_at'])).toEqual(['created_at'])
  expect(members(['created_at', 'eans'])).toEqual(['eans', 'created_at'])
})

describe('which price is the public one', () => {
  const groups = [
    aGroup({ groupId: 5, name: 'Retail' }),
    aGroup({ groupId: 2, name: 'Wholesale', isDefault: false }),
    aGroup({ groupId: 9, name: 'Club', isDefault: false }),
  ]
  const product = aProduct({ offers: [anOffer(1)] })
  const saidBy = (of: Partial<typeof account>, priced = product) =>
    payloadOf(anAccount({ groups, ...of }), priced)?.price.prices.map(({ groupId, isDefault }) => [groupId, isDefault])
  const chosen = { additionalMembers: ['prices_is_default'] as const }

  it('is said by each price where the account has chosen it: the default group’s, wherever it stands', () => {
    expect(saidBy(chosen)).toEqual([
      [2, false],
      [5, true],
      [9, false],
    ])
    expect(saidBy({ ...chosen, groups: [aGroup({ groupId: 5 })] })).toEqual([[5, true]])
  })

  it('is not said in other accounts', () => {
    for (const additionalMembers of [[], ['eans', 'updated_at']] as const)
      expect(saidBy({ additionalMembers })).toEqual([
        [2, null],
        [5, null],
        [9, null],
      ])
  })

  it('is said of a held price, too, and of no price there is nothing to say', () => {
    const hold = { storeId: 1, groupId: 5, currency: 'EUR', shownPrice: '1000', shownRuleId: 1 }
    const held = payloadOf(
      anAccount({ groups, ...chosen, priceJumpFactor: '1.5' }),
      aProduct({ offers: [anOffer(1)], holds: [hold] }),
    )
    const price = held?.price.prices.find(({ groupId }) => groupId === 5)
    expect([price?.computedPrice.toFixed(), price?.isDefault]).toEqual(['1000', true])
    expect(saidBy(chosen, aProduct())).toEqual([])
  })
})

it('members that a later release has stored are not known', () => {
  expect(knownMembers(['later', 'eans'])).toEqual(['eans'])
})
