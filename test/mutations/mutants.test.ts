import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MUTANTS } from './mutants.ts'

// The mutants themselves run only in the full gate. That each still fits the code and names a test is checked in both gates.

const read = (file: string): string => {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url))
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** The string literals of a test file, each as its fixed parts: `['killed at ', ' and run again']` for a title with one name in it. */
function titles(code: string): string[][] {
  const literals = [...code.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`([^`]+)`/g)]
  return literals
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1'))
    .map((title) => title.split(/%[sdifjo]|\$\{[^}]*\}|\$\w+(?:\.\w+)*/))
    .filter((parts) => parts.join('').length > 5)
}

/** The longest name in a title. Without a limit, a literal that begins with a name would match every text. */
const NAME_LENGTH_MAX = 40

/** Whether a title of these parts, with a name between them, can begin with `text`. */
function canBeginWith([first = '', ...rest]: readonly string[], text: string): boolean {
  if (first.startsWith(text)) return true
  if (!text.startsWith(first) || rest.length === 0) return false
  const left = text.slice(first.length)
  return [...left].slice(0, NAME_LENGTH_MAX).some((_, index) => canBeginWith(rest, left.slice(index + 1)))
}

test('no two mutants share a name', () => {
  const names = MUTANTS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

test.for(MUTANTS)('$name replaces text that occurs exactly once, and its guarding test exists', (mutant) => {
  for (const { file, from, to } of mutant.edits) {
    expect(read(file).split(from).length - 1, `occurrences in ${file} of: ${from}`).toBe(1)
    expect(to, 'the edit changes nothing').not.toBe(from)
  }
  const code = read(mutant.file)
  // most titles occur there literally
  const isThere = ["'", '"', '`'].some((quote) => code.includes(quote + mutant.test))
  const guards = isThere ? [mutant.test] : titles(code).filter((parts) => canBeginWith(parts, mutant.test))
  expect(guards, `titles in ${mutant.file} that begin with: ${mutant.test}`).not.toEqual([])
})
