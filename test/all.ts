import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBundle } from '../bin/bundle.mjs'
import { buildPanel } from '../bin/panel.mjs'
import { citusBinaries } from './harness/citus-cluster.ts'
import type { Counts, Failure } from './harness/count-reporter.ts'
import { temporaryMemory } from './harness/memory.ts'
import { afterSecondRuns, filesToRunAgain, type FileOfProject } from './harness/unsteady.ts'

// The gates: `npm test`, with --full `npm run test:full`, and with --citus `npm run test:citus`, only the tests on a cluster.
// A gate runs types, lint, formatting, house rules and tests, and ends with one line that sums them up. vitest.config.ts says
// which tests belong to which gate. With other arguments (`npm test -- FILE`) only vitest runs, with these arguments.

const root = fileURLToPath(new URL('..', import.meta.url))
const total: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
/** Tests that failed, and passed when their file was run again. */
const unsteady: Failure[] = []
const isFull = process.argv.includes('--full')
const isCitus = process.argv.includes('--citus')
const asked = process.argv.slice(2).filter((argument) => argument !== '--full' && argument !== '--citus')
if ((isFull || isCitus) && citusBinaries() === null) {
  console.log('Citus: the tests on a cluster are skipped, because it is not built (bash test/citus/build.sh says why)')
  if (isCitus) {
    console.log('\n0 passed, 0 failed, 1 skipped')
    process.exit()
  }
}

interface Ended {
  code: number
  output: string
}

/** Runs one of the project's tools with the Node of this process. Its output is collected, or printed directly. */
function run(args: readonly string[], stdio: 'pipe' | 'inherit', env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', stdio, stdio],
      env: { ...process.env, ...env },
    })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/** The time that each part of a gate took, for its last lines. */
const parts: string[] = []
const timed = async (name: string, part: Promise<unknown>): Promise<void> => {
  const from = performance.now()
  await part
  parts.push(`${name} ${seconds(from)}`)
}

const seconds = (from: number) => `${((performance.now() - from) / 1_000).toFixed(1)} s`

async function check(name: string, args: readonly string[]): Promise<void> {
  const from = performance.now()
  const { code, output } = await run(args, 'pipe')
  total[code === 0 ? 'passed' : 'failed']++
  if (code !== 0) total.failures.push({ place: null, line: name, detail: '' })
  console.log(`${code === 0 ? '' : output}${code === 0 ? '✓' : '✗'} ${name} (${seconds(from)})`)
}

let linted: Promise<void> | undefined
if (asked.length === 0 && !isCitus) {
  // first, because the other checks read this generated file
  await check('types of the client', ['client/build/api-types.ts'])
  // oxlint also checks the types: tsc beside it took as much processor time again. This takes three times as long as the other
  // checks, half of it on one processor, so the first tests run at the same time.
  linted = check('lint and types', [
    'node_modules/oxlint/bin/oxlint',
    '--type-aware',
    '--type-check',
    '--deny-warnings',
  ])
  // awaited below; if an earlier check fails, that is the error to report
  linted.catch(() => {})
  // in parallel: each uses mostly one thread
  await Promise.all([
    check('formatting', ['node_modules/oxfmt/bin/oxfmt', '--check', '.']),
    check('unused code', ['node_modules/knip/bin/knip.js']),
    // only in the full gate: takes ten seconds of both processors, and contributors seldom leave unused code
    ...(isFull ? [check('unused production code', ['node_modules/knip/bin/knip.js', '--production'])] : []),
    check('house rules', [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      'contract',
      'src',
      'bench',
      'test',
      'client/src',
      'connectors/medusa/src',
      'connectors/vendure/src',
    ]),
    check('house rules of the panel', [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.panel.mjs',
      'panel',
    ]),
  ])
}

/**
 * The day of the commit as a number, such as 20261127: commits of different days are tested with different seeds, and every
 * machine tests a commit with the same. With a seed from the clock, a failure in CI had not been seen by the author; with one
 * from the commit's hash, the commit that fixes a failure ran other tests. A folder without git gets a seed from the clock.
 */
function seedOfCommit(): string {
  const { stdout } = spawnSync('git', ['show', '-s', '--format=%cd', '--date=format:%Y%m%d'], {
    cwd: root,
    encoding: 'utf8',
  })
  return /^\d{8}/.exec(stdout ?? '')?.[0] ?? String(Date.now() % 2 ** 31)
}

// fixed seeds in the fast gate, the commit's day in the full gate
const seed = process.env['SEED'] ?? (isFull ? seedOfCommit() : undefined)
if (seed !== undefined) console.log(`SEED=${seed}`)

/** Runs tests and adds their counts to the total. A full gate runs files with failed tests a second time, if they are few. */
async function runTests(args: readonly string[], env: Record<string, string>): Promise<void> {
  const first = await countsOf(args, env)
  const again = isFull ? filesToRunAgain(first.failures) : null
  const passed: FileOfProject[] = []
  for (const place of again ?? []) {
    console.log(`\n${place.project} ${place.file} has failed; it is run again, by itself`)
    const second = await countsOf([place.file, '--project', place.project], env)
    if (second.failed === 0 && second.passed > 0) passed.push(place)
  }
  const { counts, unsteady: found } = afterSecondRuns(first, passed)
  unsteady.push(...found)
  total.failures.push(...counts.failures)
  for (const name of ['passed', 'failed', 'skipped'] as const) total[name] += counts[name]
}

/** Runs vitest once. @returns the counts and failures of its report */
async function countsOf(args: readonly string[], env: Record<string, string>): Promise<Counts> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-counts-'))
  const file = join(directory, 'counts.json')
  const { code } = await run(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=./test/harness/count-reporter.ts',
      ...args,
    ],
    'inherit',
    { SHELFWIRE_COUNTS: file, ...env, ...(seed === undefined ? {} : { SEED: seed }) },
  )
  const broken = (line: string): Failure => ({ place: null, line, detail: '' })
  const counts = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Counts,
    // a run without a report has failed
    () => ({ passed: 0, failed: 1, skipped: 0, failures: [broken('vitest ended before it had counted')] }),
  )
  await rm(directory, { recursive: true, force: true })
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1
    counts.failures.push(broken(`vitest exited with ${code}`))
  }
  return counts
}

// built before the tests: the bundle from which they start commands hundreds of times, and the panel, which two files would otherwise build at once
if (isFull) {
  ensureBundle()
  await buildPanel()
}
const memory = await temporaryMemory(isFull || isCitus)
const places: Record<string, string> =
  memory === null
    ? {}
    : {
        // software that is built once is not kept in the temporary memory of a run
        CITUS_ROOT: join(tmpdir(), 'shelfwire-citus'),
        GENERATORS_ROOT: join(tmpdir(), 'shelfwire-generators'),
        MEDUSA_ROOT: join(tmpdir(), 'shelfwire-medusa'),
        VENDURE_ROOT: join(tmpdir(), 'shelfwire-vendure'),
        ...(process.env as Record<string, string>),
        TMPDIR: memory,
      }
try {
  if (!isCitus) await timed('tests', runTests(asked, { ...places, ...(isFull ? { SHELFWIRE_GATE: 'full' } : {}) }))
  await linted
  // after the others, so that the tests of two servers do not compete for the processors
  if (isCitus || (isFull && citusBinaries() !== null))
    await timed(
      'tests on the cluster',
      runTests([...asked, '--project', 'citus'], { ...places, SHELFWIRE_GATE: 'full', SHELFWIRE_CITUS: '1' }),
    )
} finally {
  // files that a stopping server still holds are removed by the next run
  if (memory !== null) await rm(memory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

if (total.failed > 0 && seed !== undefined) console.log(`\nSEED=${seed} repeats this run`)
const told = (mark: string, { line, detail }: Failure) =>
  console.log(`${mark} ${line}${detail === '' ? '' : `\n${detail.replaceAll(/^/gm, '    ')}`}`)
for (const failure of unsteady) told('~ unsteady, it failed and then passed:', failure)
for (const failure of total.failures) told('✗', failure)
// the total time is printed here, because the beginning of a log may be cut off
console.log(`\n${parts.join(', ')}; with what came before them ${process.uptime().toFixed(0)} s`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1
