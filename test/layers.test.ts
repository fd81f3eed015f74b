import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// The layers of rooms: one table (LAYERS in .dependency-cruiser.mjs), from which the import rules are derived, and its figure in ARCHITECTURE.md.

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
