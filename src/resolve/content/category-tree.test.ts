import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { categoryTree, inTreeOrder, nameIn } from './category-tree.ts'

const category = (categoryId: number, path: string, names: Record<string, string> = {}, position = 0) => ({
  categoryId,
  path,
  names,
  position,
})

describe('a path that is shown', () => {
  const garden = category(1, 'garden', { de: 'Garten', pl: 'Ogród' })
  const tools = category(2, 'Garden / Tools/Hand', { de: 'Handwerkzeug', 'de-AT': ' Werkzeug ' })
  const tree = categoryTree([tools, garden])
  it.each([
    [['de'], 'Garten > Tools > Handwerkzeug'],
    [['de-AT', 'de'], 'Garten > Tools > Werkzeug'],
    [['pl', 'en'], 'Ogród > Tools > Hand'],
    [['en'], 'garden > Tools > Hand'],
    [[], 'garden > Tools > Hand'],
  ])('has the first name of %j, and levels as they are written where there is none', (chain, path) => {
    expect(tree.shownPath(tools, chain)).toBe(path)
  })

  it('can be split into its names, whatever they have in them', () => {
    const awkward = category(3, 'A > B/C/<d>', { ar: 'أدوات > حديقة' })
    expect(categoryTree([awkward]).shownPath(awkward, ['en'])).toBe('A › B > C > <d›')
    expect(categoryTree([awkward]).shownPath(awkward, ['ar'])).toBe('A › B > C > أدوات › حديقة')
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }), (levels) => {
        const named = levels.map((level) => level.replaceAll('/', '-')).map((level) => `x${level}x`)
        const leaf = category(1, named.join('/'))
        const shown = categoryTree([leaf]).shownPath(leaf, ['en'])
        expect(shown.split(' > ')).toEqual(named.map((name) => name.replaceAll('>', '›')))
      }),
    )
  })

  it('is not made from names of members that every object has, nor from blank ones', () => {
    const odd = category(1, 'Odd', { de: ' \u200b' })
    expect(nameIn(odd, ['constructor', '__proto__', 'de'])).toBe('Odd')
  })
})

describe('the tree', () => {
  it('has the nearest category above as the parent, whatever its letter case', () => {
    const [a, leaf, other] = [category(1, 'A'), category(2, 'a/b/C'), category(3, 'AB/C')]
    const tree = categoryTree([leaf, a, other])
    expect(tree.above(leaf)).toBe(a)
    expect(tree.above(a)).toBeNull()
    expect(tree.above(other)).toBeNull()
  })

  it('goes from the top down, by position and then by path, each with what is below it', () => {
    const all = [
      category(1, 'Z/b'),
      category(2, 'Z/a', {}, 5),
      category(3, 'Z', {}, -1),
      category(4, 'M'),
      category(5, 'K/deep/er'),
      category(6, 'Z/b/x'),
    ]
    const order = (rows: typeof all) =>
      inTreeOrder(rows, categoryTree(rows)).map(({ category: { path }, above }) => `${path} < ${above?.path ?? '-'}`)
    const expected = ['Z < -', 'Z/b < Z', 'Z/b/x < Z/b', 'Z/a < Z', 'K/deep/er < -', 'M < -']
    expect(order(all)).toEqual(expected)
    expect(order(all.toReversed())).toEqual(expected)
  })

  test('every category is in it once, behind the one above it', () => {
    const level = fc.constantFrom('a', 'A', 'b', 'ü', 'constructor')
    const rows = fc
      .array(fc.tuple(fc.array(level, { minLength: 1, maxLength: 20 }), fc.integer({ min: -2, max: 2 })), {
        maxLength: 30,
      })
      .map((entries) => entries.map(([levels, position], i) => category(i + 1, levels.join('/'), {}, position)))
    fc.assert(
      fc.property(rows, (all) => {
        const order = inTreeOrder(all, categoryTree(all))
        expect(order.map(({ category: { categoryId } }) => categoryId).toSorted((a, b) => a - b)).toEqual(
          all.map(({ categoryId }) => categoryId),
        )
        const seen = new Set<number>()
        for (const { category: one, above } of order) {
          if (above !== null) expect(seen.has(above.categoryId)).toBe(true)
          seen.add(one.categoryId)
        }
      }),
    )
  })

  it('takes 10,000 categories of 20 levels', () => {
    const deep = Array.from({ length: 10_000 }, (_, i) =>
      category(
        i + 1,
        Array.from({ length: 1 + (i % 20) }, (_level, at) => `${at === 0 ? i - (i % 20) : at}`).join('/'),
      ),
    )
    const order = inTreeOrder(deep, categoryTree(deep))
    expect(order.filter(({ above }) => above === null)).toHaveLength(500)
    expect(order).toHaveLength(10_000)
  })
})
