import { expect, test } from 'vitest'
import { eansOf } from '../../panel/pages/product/eans.ts'

const north = { supplier: { name: 'North' }, eans: ['4006381333931', '012345678905'] }
const south = { supplier: { name: 'South' }, eans: ['04006381333931', '12345678905'] }

test('every EAN is there once, the one that stores read first, however many zeros suppliers write in front', () => {
  expect(eansOf('12345678905', null, [north, south])).toEqual([
    { ean: '12345678905', isPrimary: true, isOwn: false, suppliers: ['North', 'South'] },
    { ean: '4006381333931', isPrimary: false, isOwn: false, suppliers: ['North', 'South'] },
  ])
})

test('one that the account set is its own, also where a supplier states it', () => {
  expect(eansOf('4006381333931', '4006381333931', [north])).toEqual([
    { ean: '4006381333931', isPrimary: true, isOwn: true, suppliers: ['North'] },
    { ean: '012345678905', isPrimary: false, isOwn: false, suppliers: ['North'] },
  ])
  expect(eansOf(null, null, [])).toEqual([])
  expect(eansOf('0', null, [])).toEqual([{ ean: '0', isPrimary: true, isOwn: false, suppliers: [] }])
})
