import { expect, inject, test } from 'vitest'
import { everyNth } from './harness/gate.ts'
import type { Mutant } from './mutations/mutant.ts'
import { MUTANTS } from './mutations/mutants.ts'
import { openCopy } from './mutations/run.ts'
import { ofFile } from './harness/world.ts'

// A protection that can be removed without a failing test is not tested. Each mutant is a copy of the project with one fault; the
// test that guards against this fault must fail there, by an assertion and not for another reason.

// All of them take half an hour of processor time: a gate tries every thirty-sixth one, chosen by its seed. Without a seed
// (`SHELFWIRE_GATE=full npx vitest run --project postgres-18 test/mutations.full`) all are tried.

/** Longer than a guarding test waits for an effect that a mutant prevents. */
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

// retried, because a test of a race may pass by chance on a busy machine
test.for(TRIED)(
  'without the protection the guarding test fails: $name',
  { timeout: TIMEOUT_MS, retry: 2 },
  async (mutant) => {
    const { tests, output } = await statuses(mutant)
    expect(tests[0]?.status, `the mutant lives:\n${output.slice(-4_000)}`).toBe('failed')
    // the error of `until` counts as an assertion
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
