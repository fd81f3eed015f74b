import { describe, expect, it, test } from 'vitest'
import { placeAt, placeInDirection, stepsTo, type Direction, type Place } from '../../panel/pages/categories/move.ts'
import { proposals } from '../../panel/pages/categories/propose.ts'
import { visibleNodes, treeOf, type Category, type Node } from '../../panel/pages/categories/tree.ts'

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const category = (id: number, path: string, over: Partial<Category> = {}): Category => ({
  id,
  path,
  supplier_paths: [],
  names: {},
  external_id: null,
  position: 0,
  tax_class: null,
  ...over,
})

/** The tree of the service after the steps are written. */
function after(categories: readonly Category[], steps: readonly { id: number; body: Partial<Category> }[]): string[] {
  let all = [...categories]
  for (const { id, body } of steps) {
    const old = all.find((one) => one.id === id)!
    all = all.map((one) => {
      if (one.id === id) return { ...one, ...body }
      const isBelow = body.path !== undefined && one.path.startsWith(`${old.path}/`)
      return isBelow ? { ...one, path: body.path! + one.path.slice(old.path.length) } : one
    })
  }
  return treeOf(all, compare).map(({ path }) => path)
}

describe('the tree', () => {
  it('goes by position, then by name; a level that is no category stands where the first of those below it does', () => {
    const rows = [
      category(1, 'B', { position: 2 }),
      category(2, 'A', { position: 2 }),
      category(3, 'Z', { position: -1 }),
      category(4, 'Quiet/x', { position: 1 }),
      category(5, 'b/z', { position: 0 }),
      category(6, 'B/a', { position: 0 }),
    ]
    expect(treeOf(rows, compare).map(({ path }) => path)).toEqual(['Z', 'Quiet', 'Quiet/x', 'A', 'B', 'B/a', 'b/z'])
  })

  it('is searched by paths, names, external IDs and suppliers’ paths', () => {
    const rows = [
      category(1, 'Garden'),
      category(2, 'Garden/Soil', { names: { de: 'Erde' } }),
      category(3, 'Tools', { external_id: 'T-1', supplier_paths: ['Werkzeug'] }),
    ]
    const nodes = treeOf(rows, compare)
    const found = (text: string) => visibleNodes(nodes, new Set(), text).map(({ path }) => path)
    expect(found('erde')).toEqual(['Garden', 'Garden/Soil'])
    expect(found('t-1')).toEqual(['Tools'])
    expect(found('WERKZEUG')).toEqual(['Tools'])
    expect(found('none')).toEqual([])
  })
})

describe('a category that is moved', () => {
  const rows = [
    category(1, 'A'),
    category(2, 'A/x'),
    category(3, 'A/y'),
    category(4, 'B'),
    category(5, 'B/deep'),
    category(6, 'C'),
  ]
  const nodes = treeOf(rows, compare)
  const node = (path: string) => nodes.find((one) => one.path === path)!
  const towards = (path: string, direction: Direction) => {
    const place = placeInDirection(nodes, node(path), direction)
    return place === null ? null : after(rows, stepsTo(nodes, node(path), place) ?? [])
  }

  it('goes by the arrow keys among its siblings, below the one before it, and out behind the one above it', () => {
    expect(towards('B', 'up')).toEqual(['B', 'B/deep', 'A', 'A/x', 'A/y', 'C'])
    expect(towards('B', 'down')).toEqual(['A', 'A/x', 'A/y', 'C', 'B', 'B/deep'])
    expect(towards('B', 'in')).toEqual(['A', 'A/x', 'A/y', 'A/B', 'A/B/deep', 'C'])
    expect(towards('A/x', 'out')).toEqual(['A', 'A/y', 'x', 'B', 'B/deep', 'C'])
    expect(towards('A/x', 'down')).toEqual(['A', 'A/y', 'A/x', 'B', 'B/deep', 'C'])
  })

  it('stays where there is no further', () => {
    for (const [path, direction] of [
      ['A', 'up'],
      ['C', 'down'],
      ['A', 'in'],
      ['A', 'out'],
      ['A/x', 'up'],
      ['A/x', 'in'],
    ] as const)
      expect([path, direction, towards(path, direction)]).toEqual([path, direction, null])
    expect(stepsTo(nodes, node('B'), placeAt(nodes, node('A'), 'behind'))).toEqual([])
    expect(stepsTo(nodes, node('B'), placeAt(nodes, node('C'), 'before'))).toEqual([])
    expect(stepsTo(nodes, node('A'), placeAt(nodes, node('A'), 'before'))).toEqual([])
  })

  it('can not be dropped below itself', () => {
    expect(stepsTo(nodes, node('B'), placeAt(nodes, node('B'), 'into'))).toBeNull()
    expect(stepsTo(nodes, node('B'), placeAt(nodes, node('B/deep'), 'before'))).toBeNull()
    expect(stepsTo(nodes, node('B'), placeAt(nodes, node('B/deep'), 'into'))).toBeNull()
  })

  test('wherever it is dropped, it is there afterwards, what is below it too, and no other moves', () => {
    for (const moved of nodes)
      for (const target of nodes)
        for (const part of ['before', 'into', 'behind'] as const) {
          const place: Place = placeAt(nodes, target, part)
          const steps = stepsTo(nodes, moved, place)
          const isInside = (path: string | null) => path === moved.path || path?.startsWith(`${moved.path}/`) === true
          expect([moved.path, target.path, part, steps === null]).toEqual([
            moved.path,
            target.path,
            part,
            isInside(place.parent),
          ])
          if (steps === null) continue
          const paths = after(rows, steps)
          const above = place.parent === null ? '' : `${place.parent}/`
          const isBeside = (path: string) => path.slice(0, path.lastIndexOf('/') + 1) === above
          const there = nodes.map(({ path }) => path).filter(isBeside)
          const beside = there.filter((path) => path !== moved.path)
          // dropped before itself, it stays before its successor
          const next = place.before?.path === moved.path ? there[there.indexOf(moved.path) + 1] : place.before?.path
          beside.splice(next === undefined ? beside.length : beside.indexOf(next), 0, above + moved.name)
          expect([moved.path, target.path, part, paths.filter(isBeside)]).toEqual([
            moved.path,
            target.path,
            part,
            beside,
          ])
          expect(paths).toHaveLength(nodes.length)
        }
  })

  it('is written alone where a number is free between its neighbours', () => {
    const spaced = [
      category(1, 'A', { position: 10 }),
      category(2, 'B', { position: 20 }),
      category(3, 'C', { position: 5 }),
    ]
    const tree: Node[] = treeOf(spaced, compare)
    const at = (path: string) => tree.find((one) => one.path === path)!
    expect(stepsTo(tree, at('C'), placeAt(tree, at('B'), 'before'))).toEqual([{ id: 3, body: { position: 11 } }])
    expect(stepsTo(tree, at('B'), placeAt(tree, at('A'), 'into'))).toEqual([
      { id: 2, body: { path: 'A/B', position: 0 } },
    ])
    expect(stepsTo(tree, at('A'), { parent: null, before: null })).toEqual([{ id: 1, body: { position: 21 } }])
  })
})

describe('proposals for suppliers’ paths', () => {
  const rows = [
    category(1, 'Garden/Hand Tools', { names: { de: 'Gartengeräte' } }),
    category(2, 'Workshop/Hand Tools'),
    category(3, 'Workshop/Saws', { names: { de: 'Sägen', pl: 'Piły' } }),
    category(4, 'Akku-Schrauber'),
    category(5, 'Ropes'),
  ]
  const proposed = (...paths: string[]) =>
    Object.fromEntries([...proposals(paths, rows)].map(([path, { id }]) => [path, id]))

  it('are the categories with the most similar name in any language, by what is above them where names are alike', () => {
    expect(
      proposed(
        'Saw',
        'Werkzeug/SAEGEN',
        'sagen',
        'Shop/Piły ręczne',
        'Garden supplies/Hand tool',
        'Workshop / hand-tools',
        'Akkuschrauber',
      ),
    ).toEqual({
      Saw: 3,
      sagen: 3,
      'Garden supplies/Hand tool': 1,
      'Workshop / hand-tools': 2,
      Akkuschrauber: 4,
      'Shop/Piły ręczne': 3,
    })
  })

  it('are not made where nothing is alike', () => {
    expect(proposed('Kitchen/Pans', '', '/', '???', 'ro', 'Toys')).toEqual({})
    expect(proposals(['Saws'], []).size).toBe(0)
  })

  it('do not depend on the order of paths and categories', () => {
    const twice = [category(9, 'A/Lamps'), category(8, 'B/Lamps'), category(7, 'Lamps/Lamps')]
    const ids = [twice, twice.toReversed()].map((all) => proposals(['Lamps'], all).get('Lamps')?.id)
    expect(ids[0]).toBe(ids[1])
    const paths = ['Saws', 'sägen', 'Rope']
    expect([...proposals(paths.toReversed(), rows.toReversed())].sort()).toEqual([...proposals(paths, rows)].sort())
  })

  it('are made for thousands of paths and categories in little time', { retry: 2 }, () => {
    const many = Array.from({ length: 10_000 }, (_, i) => category(i + 1, `Level ${i % 100}/Products of kind ${i}`))
    const began = performance.now()
    const found = proposals(
      Array.from({ length: 1_000 }, (_, i) => `Any/Products of kind ${i * 7}`),
      many,
    )
    expect(found.size).toBe(1_000)
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})
