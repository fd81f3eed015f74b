import { expect, test } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { newToken } from './token.ts'
import { shownAddress, withoutSecrets } from './shown-address.ts'

const shown = (target: string) => shownAddress(target, (name) => ['store', 'ids'].includes(name))
const token = newToken('full')

test.each([
  ['/v1/products', '/v1/products'],
  ['/v1/products?store=main&ids=1,2', '/v1/products?store=main&ids=1,2'],
  ['/v1/products?ids[]=1&ids%5B1%5D=2', '/v1/products?ids[]=1&ids%5B1%5D=2'],
  ['http://user:word@host/v1/products?store=main', '/v1/products?store=main'],
  ['/v1/products?', '/v1/products?'],
])('%s is shown as %s', (target, wanted) => {
  expect(shown(target)).toBe(wanted)
})

test.each([
  ['/v1/products?access_token=hush&store=main', '/v1/products?access_token=…&store=main'],
  ['/v1/products?hush', '/v1/products?…'],
  [`/v1/products?store=${token}`, '/v1/products?store=…'],
  [`/v1/${token}/products`, '/v1/…/products'],
  [`/v1/products?${token}`, '/v1/products?…'],
  [`/v1/products?${token}=1`, '/v1/products?…=…'],
  ['/v1/products?toString=hush', '/v1/products?toString=…'],
])('%s has no secret: %s', (target, wanted) => {
  expect(shown(target)).toBe(wanted)
})

test('it is cut, and of a secret at any place nothing is left', () => {
  const max = LIMITS.tokenRequestAddressCharacters
  expect(shown(`/v1/${'x'.repeat(5_000)}`)).toBe(`/v1/${'x'.repeat(max - 5)}…`)
  for (let before = 1; before < 2 * max + 10; before += 7) {
    const address = shown(`/v1/${'x-'.repeat(before / 2)}/${token}`)
    expect(address.length).toBeLessThanOrEqual(max)
    expect([before, address.includes('sw_')]).toEqual([before, false])
  }
})

test('an id of a request is shown as it is, unless it is a token', () => {
  expect(withoutSecrets('8a6c/retry=2')).toBe('8a6c/retry=2')
  expect(withoutSecrets(`id=${token}`)).toBe('id=…')
})
