import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { namesIn, namesText, publicNames } from './names.ts'

const released = new URL('released.txt', import.meta.url)

// released.txt has the names of the last release: `node test/public-names/names.ts . > test/public-names/released.txt` when one is cut.
test('no name of a release is missing: operations, parameters, members, headers, commands, settings, metrics', async () => {
  const now = new Set(await publicNames(fileURLToPath(new URL('../..', import.meta.url))))
  const before = namesIn(await readFile(released, 'utf8'))
  expect(before.length).toBeGreaterThan(6_000)
  expect(before.filter((name) => !now.has(name) && !isInRange(name, now))).toEqual([])
})

/** Whether a number that was an enumerated value is now within a range, because a parameter may accept more than before. */
function isInRange(name: string, now: ReadonlySet<string>): boolean {
  const [, of, value] = /^(.*) = (\d+)$/.exec(name) ?? []
  if (of === undefined) return false
  const range = [...now].find((other) => other.startsWith(`${of} = `) && /\d\.\.\d/.test(other))
  const [from, to] = range?.slice(`${of} = `.length).split('..').map(Number) ?? []
  if (from === undefined || to === undefined) return false
  return Number(value) >= from && Number(value) <= to
}

test('names are read as they were written, also those that others begin with', () => {
  const names = ['GET /a', 'GET /a 200', 'GET /a 200 as json .data', 'GET /a 200 as json .data .id', 'setting PORT']
  expect(namesIn(namesText(names)).sort()).toEqual(names)
  // more names than fit on a line, and one that is the beginning of others
  const many = Array.from({ length: 40 }, (_, i) => `schema A .member_${i}`)
  expect(namesIn(namesText([...many, 'schema A', 'schema A .member_7 .id'])).sort()).toEqual(
    [...many, 'schema A', 'schema A .member_7 .id'].sort(),
  )
})
