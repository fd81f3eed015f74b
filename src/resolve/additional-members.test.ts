import { describe, expect, it } from 'vitest'
import { isAdditionalMember } from '../../contract/additional-members.ts'
import { knownMembers } from './additional-members.ts'
import { anAccount, anOffer, aProduct, aSupplier, payloadOf } from './fixtures.ts'
import type { EanInput, ProductInputs } from './inputs.ts'

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

it('members that a later release has stored are not known', () => {
  expect(knownMembers(['later', 'eans'])).toEqual(['eans'])
})
