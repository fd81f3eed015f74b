import { describe, expect, it } from 'vitest'
import { skipOfKinds } from './rows-of-kinds.ts'

const row = (type: string, price: string) => ({ type, price })
const articles = Array.from({ length: 6 }, (_, n) => row('article', `${n + 1}.50`))
const skipOf = (...rows: readonly { type: string; price: string }[]) => skipOfKinds(rows, 'price')?.skip

describe('kinds of records without a cost', () => {
  it('are left out where each has several', () => {
    const categories = [row('category', ''), row('category', '')]
    expect(skipOf(...categories, ...articles)).toEqual([{ column: 'type', in: ['category'] }])
  })

  it('are none of a single record: it may be an article on request', () => {
    expect(skipOf(row('on request', ''), ...articles)).toBeUndefined()
    const each = articles.map(({ price }, n) => row(`model ${n}`, price))
    expect(skipOf(row('model 8', ''), row('model 9', ''), ...each)).toBeUndefined()
    expect(skipOf(row('model 9', ''), row('model 9', ''), ...each)).toBeUndefined()
  })

  it('are none in a column of texts, which are longer than kinds', () => {
    const text = 'a steel spade with a long handle of ash wood, for gardens and for fields'
    expect(skipOf(row('category', ''), row('category', ''), ...articles, row(text, '9.50'))).toBeUndefined()
  })
})
