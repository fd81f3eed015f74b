import { expect, inject, test } from 'vitest'
import { everyNth } from './harness/gate.ts'
import type { Mutant } from './mutations/mutant.ts'
import { MUTANTS } from './mutations/mutants.ts'
import { openCopy } from './mutations/run.ts'
import { ofFile } from './harness/world.ts'

// A protection that can be taken away without a test failing is not protected. Each mutant is a copy of the project with
// one fault in it; the test that guards against this fault must fail there, by an assertion and not by an accident.

// All of them take half an hour of a processor: a gate, which has a seed, tries every thirty-sixth one, others at other seeds. Without a seed
// (`SHELFWIRE_GATE=full npx vitest run --project postgres-18 test/mutations.full`) it is all.

/** Longer than a guarding test waits for what a mutant keeps from happening. */
const TIMEOUT_MS = 480_000
const TRIED = everyNth(MUTANTS, 36)

const copy = ofFile(() => openCopy({ serverUrl: inject('serverUrl'), template: inject('template') }))

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

// two that race may pass by chance on a busy machine
test.for(TRIED)(
  'without the protection the guarding test fails: $name',
  { timeout: TIMEOUT_MS, retry: 2 },
  async (mutant) => {
    const { tests, output } = await statuses(mutant)
    expect(tests[0]?.status, `the mutant lives:\n${output.slice(-4_000)}`).toBe('failed')
    // `until` says what it waited for: an expectation, too
    expect(tests[0]?.messages.join('\n')).toMatch(
      /AssertionError|^Error: (expected|promise (resolved|rejected)|not within \d+ ms:) |^ShelfwireError: /m,
    )
  },
)

test('a mutant whose text is gone is an error and not a pass', async () => {
  const stale: Mutant = {
    name: 'stale',
    edits: [{ file: 'src/shelf/shelve.ts', from: 'no such text', to: '' }],
    file: '',
    test: '',
  }
  await expect(copy.run(stale)).rejects.toThrow('stands 0 times in src/shelf/shelve.ts')
})
