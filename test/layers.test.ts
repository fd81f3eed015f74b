import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

// The layers of rooms: one table (LAYERS in .dependency-cruiser.mjs), from which the import rules are derived, and its figure in ARCHITECTURE.md. And
// the folders of large rooms.

const root = new URL('..', import.meta.url).pathname
const { LAYERS: layers } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
  LAYERS: Record<string, Record<string, string[]>>
}
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

const WIDTH = 111
const nameOf = (room: string) => room.replace(/^src\//, '')
const line = (label: string, text: string) => ` ${label.padEnd(9)}| ${text.padEnd(WIDTH - 14)} |`
const rule = (sign: string) => ` ${''.padEnd(9)}+${sign.padStart(34, '-').padEnd(WIDTH - 12, '-')}+`

/** The figure: a box per layer, top first; rooms with the same arrows on one line, those without any last. */
function figureOf(): string {
  const boxes = Object.entries(layers).map(([layer, rooms]) => {
    const alike = Map.groupBy(Object.keys(rooms), (room) => (rooms[room] ?? []).map(nameOf).join(', '))
    const lines = [...alike].map(([others, names]) => ({ others, names: names.map(nameOf).join(', ') }))
    const withArrows = lines.filter(({ others }) => others !== '')
    const widest = Math.max(0, ...withArrows.map(({ names }) => names.length))
    const texts = [
      ...withArrows.map(({ others, names }) => `${names.padEnd(widest)} -> ${others}`),
      ...lines.filter(({ others }) => others === '').map(({ names }) => names),
    ]
    return texts.map((text, i) => line(i === 0 ? layer : '', text))
  })
  return [rule('-'), ...boxes.flatMap((box, i) => [...box, rule(i === boxes.length - 1 ? '-' : 'v')])].join('\n')
}

test('the figure in ARCHITECTURE.md shows the layers and arrows that the import rules are made of', () => {
  const figure = figureOf()
  expect(Math.max(...figure.split('\n').map((row) => row.length)), 'a line is longer than its box').toBe(WIDTH)
  const blocks = architecture.split(/^```.*\n/m)
  expect(blocks.find((block) => block.includes(' edge '))).toBe(`${figure}\n`)
})

test('there are seven layers; a room imports within its layer only rooms that stand below it, so there is no circle', () => {
  expect(Object.keys(layers)).toHaveLength(7)
  for (const rooms of Object.values(layers)) {
    const names = Object.keys(rooms)
    for (const [i, name] of names.entries())
      for (const other of rooms[name] ?? []) expect(names.indexOf(other), `${name} -> ${other}`).toBeGreaterThan(i)
  }
})

test('ARCHITECTURE.md says of every room what it is', () => {
  const rows = architecture.split('\n').filter((row) => row.startsWith('| `'))
  const isSaid = (room: string) =>
    rows.some((row) => row.split('|')[1]?.includes(`\`${room}${room.endsWith('.ts') ? '' : '/'}\``))
  expect(Object.values(layers).flatMap((rooms) => Object.keys(rooms).filter((room) => !isSaid(room)))).toEqual([])
})

/** Rooms, and parts of rooms, that have folders. */
const WITH_FOLDERS = [
  ...new Set(
    readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => dirname(dirname(file)))
      .filter((folder) => folder !== '.'),
  ),
]
  .map((folder) => join('src', folder))
  .toSorted()

/** The other folders of a room that each of its folders imports; files that lie on top of the room are for all of them. */
function importsBetweenFolders(room: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>()
  for (const file of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })) {
    const [folder = '', ...inside] = file.split('/')
    if (inside.length === 0 || !/(?<!\.test)\.ts$/.test(file)) continue
    const others = imports.get(folder) ?? new Set()
    imports.set(folder, others)
    for (const [, path = ''] of readFileSync(join(root, room, file), 'utf8').matchAll(/'(\.\.?\/[^'\n]+\.ts)'/g)) {
      const [other = '', ...below] = join(dirname(file), path).split('/')
      if (other !== '..' && other !== folder && below.length > 0) others.add(other)
    }
  }
  return imports
}

test('rooms and parts of rooms with folders are found', () => {
  expect(WITH_FOLDERS).toEqual(
    expect.arrayContaining(['src/catalog', 'src/imports', 'src/imports/runs', 'src/platform']),
  )
})

test.each(WITH_FOLDERS)('folders of %s import one another in one direction', (room) => {
  const imports = importsBetweenFolders(room)
  expect(imports.size).toBeGreaterThan(0)
  // takes away folders that import none of the others that are left, until only folders of circles are left
  for (let before = -1; before !== imports.size;) {
    before = imports.size
    for (const [folder, others] of imports) if (![...others].some((other) => imports.has(other))) imports.delete(folder)
  }
  expect(Object.fromEntries([...imports].map(([folder, others]) => [folder, [...others]]))).toEqual({})
})
