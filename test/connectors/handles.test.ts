import { expect, test } from 'vitest'
import { handleOf } from '../../client/src/shop/article.ts'

test.each([
  ['USB-C-Ladegerät', 'usb-c-ladegerat-product-7'],
  ['Gießkanne aus Messing', 'giesskanne-aus-messing-product-7'],
  ['Łódź Ærø Smørrebrød', 'lodz-aero-smorrebrod-product-7'],
  // decomposed, as files of macOS have it
  ['Stahlbru\u0308ck', 'stahlbruck-product-7'],
  ['Işık İzmir', 'isik-izmir-product-7'],
  ['Молоток', 'product-7'],
  ['one two three four five six seven eight nine', 'one-two-three-four-five-six-seven-eight-product-7'],
  [null, 'product-7'],
])('the handle of %j is %s: letters lose their marks, and no word is taken apart', (title, handle) => {
  expect(handleOf(title, 'product:7')).toBe(handle)
})
