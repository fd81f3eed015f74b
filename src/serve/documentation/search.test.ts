import { beforeAll, expect, test } from 'vitest'
import { referenceOf } from './reference/operations.ts'
import { find, searchIndex, searchPage, type SearchIndex } from './search.ts'

let index: SearchIndex
beforeAll(async () => {
  index = await searchIndex(referenceOf('https://catalog.example', '1.0.0'))
})
const hrefs = (asked: string) => find(index, asked).map(({ href }) => href)

test('guides, operations and problems are found together, what is named so first', () => {
  expect(hrefs('change feed').slice(0, 2)).toEqual(['api/listChanges', 'guides/feed'])
  expect(hrefs('PUT /v1/account/stores')[0]).toBe('api/putStore')
  expect(hrefs('cursor-ahead')[0]).toBe('problems#cursor-ahead')
  // finds a member of a body, and the text of a section
  expect(hrefs('floor_margin_percent')).toContain('api/createPricingRule')
  expect(hrefs('verify signature').some((href) => href.startsWith('guides/webhooks#'))).toBe(true)
  expect(hrefs('no such words anywhere')).toEqual([])
  expect(hrefs('  ')).toEqual([])
})

test('what was asked is text on the page, and is marked', () => {
  const page = searchPage(index, '"><script>alert(1)</script> .*+')
  expect(page).not.toMatch(/<script/)
  expect(page).toContain('value="&quot;&gt;&lt;script&gt;')
  expect(searchPage(index, 'change feed')).toContain('<mark>change</mark>')
})
