import { expect, test } from 'vitest'
import { OptionReader } from '../../client/src/shop/options.ts'

const connection = (part: object) =>
  new OptionReader('@shelfwire/of-a-test', 'config').connection(
    { url: 'https://catalog.example', token: 'sw_t', ...part },
    'Shop',
  )

test('options of a connection are taken as they are', () => {
  expect(connection({ webhookSecrets: ['whsec_a'] })).toEqual({
    url: 'https://catalog.example',
    token: 'sw_t',
    webhookSecrets: ['whsec_a'],
    name: 'Shop',
  })
})

test.each([
  { url: 'catalog.example:443' },
  { url: 'localhost:8080' },
  { url: 'catalog.example' },
  { token: 'sw_secret\nsw_other' },
  { token: 'sw_sec ret' },
])('an address or a token that is none is refused, and the token is not repeated: %j', (part) => {
  expect(() => connection(part)).toThrow(/`(?:url|token)` (?!.*sw_)/)
})
