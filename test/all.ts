import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Counts } from './harness/count-reporter.ts'

// `npm test`: types, lint, house rules and all tests, one after the other, summed into one plain closing line.

const root = fileURLToPath(new URL('..', import.meta.url))
const total: Counts = { passed: 0, failed: 0, skipped: 0 }

/** Runs one of the project's tools with this very Node; what it prints goes straight through. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

async function check(name: string, args: readonly string[]): Promise<void> {
  const from = performance.now()
  const code = await run(args)
  total[code === 0 ? 'passed' : 'failed']++
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - from) / 1_000).toFixed(1)} s)`)
}

await check('types', ['node_modules/typescript/bin/tsc', '--noEmit'])
await check('lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'])
await check('unused code', ['node_modules/knip/bin/knip.js'])
await check('unused production code', ['node_modules/knip/bin/knip.js', '--production'])
await check('house rules', [
  'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
  '--config',
  '.dependency-cruiser.mjs',
  'contract',
  'src',
  'bench',
  'test',
])

const directory = await mkdtemp(join(tmpdir(), 'shelfwire-counts-'))
const file = join(directory, 'counts.json')
const code = await run(
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=./test/harness/count-reporter.ts',
    ...process.argv.slice(2),
  ],
  { SHELFWIRE_COUNTS: file },
)
const counts = await readFile(file, 'utf8').then(
  (text) => JSON.parse(text) as Counts,
  // a runner that did not get as far as counting has failed
  () => ({ passed: 0, failed: 1, skipped: 0 }),
)
await rm(directory, { recursive: true, force: true })
if (code !== 0 && counts.failed === 0) counts.failed = 1
for (const name of ['passed', 'failed', 'skipped'] as const) total[name] += counts[name]

console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1
