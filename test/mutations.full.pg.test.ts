import process from 'node:process'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Mutant } from './mutations/mutant.ts'
import { MUTANTS } from './mutations/mutants.ts'
import { openCopy, type Copy } from './mutations/run.ts'

// A protection that can be taken away without a test failing is not protected. Each mutant is a copy of the project with
// one fault in it; the test that guards against this fault must fail there, by an assertion and not by an accident.

// All of them take ten minutes of a processor: a gate, which has a seed, tries every fourth one, others at other seeds. Without a seed
// (`SHELFWIRE_GATE=full npx vitest run --project postgres-18 test/mutations.full`) it is all.

const TIMEOUT_MS = 120_000
const seed = process.env['SEED']
const TRIED = seed === undefined ? MUTANTS : MUTANTS.filter((_, i) => (i + Number(seed)) % 4 === 0)

let copy: Copy
beforeAll(async () => {
  copy = await openCopy({ serverUrl: inject('serverUrl'), template: inject('template') })
})
afterAll(() => copy[Symbol.asyncDispose]())

async function statuses(mutant: Mutant) {
  const { tests, output } = await copy.run(mutant)
  expect(tests.length, `the guarding test did not run:\n${output.slice(-4_000)}`).toBe(1)
  return { tests, output }
}

test('an unchanged copy of the project passes a guarding test', { timeout: TIMEOUT_MS }, async () => {
  const control = MUTANTS.find((mutant) => mutant.name === 'no-product-lock')!
  const { tests, output } = await statuses({ ...control, name: 'none', edits: [] })
  expect(tests[0]?.status, output.slice(-4_000)).toBe('passed')
})

test.for(TRIED)('without the protection the guarding test fails: $name', { timeout: TIMEOUT_MS }, async (mutant) => {
  const { tests, output } = await statuses(mutant)
  expect(tests[0]?.status, `the mutant lives:\n${output.slice(-4_000)}`).toBe('failed')
  expect(tests[0]?.messages.join('\n')).toMatch(/AssertionError/)
})

test('a mutant whose text is gone is an error and not a pass', async () => {
  const stale: Mutant = {
    name: 'stale',
    edits: [{ file: 'src/shelf/shelve.ts', from: 'no such text', to: '' }],
    file: '',
    test: '',
  }
  await expect(copy.run(stale)).rejects.toThrow('stands 0 times in src/shelf/shelve.ts')
})
