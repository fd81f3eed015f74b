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

// The two gates: `npm test`, and with --full `npm run test:full`; and with --citus `npm run test:citus`, the tests on a cluster alone. Types, lint, formatting, house rules and tests, summed into one
// plain closing line. vitest.config.ts says which tests are in which gate. With other arguments (`npm test -- FILE`) only
// vitest runs, and they are handed to it.

const root = fileURLToPath(new URL('..', import.meta.url))
const total: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
/** What failed, and passed when its file was run again. */
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

/** Runs one of the project's tools with this very Node. What it prints is kept, or goes straight through. */
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

/** What the parts of a gate took, for its last lines. */
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
  // the types and the imports that are checked are in it
  await check('types of the client', ['client/build/api-types.ts'])
  // one program for both: tsc beside it took as much processor time again. It takes three times as long as the other checks, half of it on one
  // of the processors, so the first tests run beside it.
  linted = check('lint and types', [
    'node_modules/oxlint/bin/oxlint',
    '--type-aware',
    '--type-check',
    '--deny-warnings',
  ])
  // awaited below; where what comes before fails, that is the error
  linted.catch(() => {})
  // at a time: each has one thread that matters
  await Promise.all([
    check('formatting', ['node_modules/oxfmt/bin/oxfmt', '--check', '.']),
    check('unused code', ['node_modules/knip/bin/knip.js']),
    // ten seconds of both processors, for what a contributor seldom does
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
 * The day of the commit, as 20261127: commits of another day are tested with another seed, and every machine that tests a commit tests the
 * same. With a seed of the clock, what CI refused had not been run by whoever submitted it; with one of the commit, neither had the commit
 * that mends. A folder without git gets one of the clock.
 */
function seedOfCommit(): string {
  const { stdout } = spawnSync('git', ['show', '-s', '--format=%cd', '--date=format:%Y%m%d'], {
    cwd: root,
    encoding: 'utf8',
  })
  return /^\d{8}/.exec(stdout ?? '')?.[0] ?? String(Date.now() % 2 ** 31)
}

// fixed seeds in the fast gate, one of the commit's day in the full gate
const seed = process.env['SEED'] ?? (isFull ? seedOfCommit() : undefined)
if (seed !== undefined) console.log(`SEED=${seed}`)

/** Tests whose counts are added to the total. In a full gate files with tests that failed are run a second time, if they are few. */
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

/** One run of vitest. */
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
    // a runner that did not get as far as counting has failed
    () => ({ passed: 0, failed: 1, skipped: 0, failures: [broken('vitest ended before it had counted')] }),
  )
  await rm(directory, { recursive: true, force: true })
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1
    counts.failures.push(broken(`vitest exited with ${code}`))
  }
  return counts
}

// what the tests' commands are started from, hundreds of times, and the panel, which two files that begin together would build twice
if (isFull) {
  ensureBundle()
  await buildPanel()
}
const memory = await temporaryMemory(isFull || isCitus)
const places: Record<string, string> =
  memory === null
    ? {}
    : {
        // what is built once stays where it is
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
  // by itself, so that two servers' tests do not take each other's time
  if (isCitus || (isFull && citusBinaries() !== null))
    await timed(
      'tests on the cluster',
      runTests([...asked, '--project', 'citus'], { ...places, SHELFWIRE_GATE: 'full', SHELFWIRE_CITUS: '1' }),
    )
} finally {
  // what a server that is still ending keeps is removed by the next run
  if (memory !== null) await rm(memory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

if (total.failed > 0 && seed !== undefined) console.log(`\nSEED=${seed} repeats this run`)
const told = (mark: string, { line, detail }: Failure) =>
  console.log(`${mark} ${line}${detail === '' ? '' : `\n${detail.replaceAll(/^/gm, '    ')}`}`)
for (const failure of unsteady) told('~ unsteady, it failed and then passed:', failure)
for (const failure of total.failures) told('✗', failure)
// what came before may be cut from what is kept of a run
console.log(`\n${parts.join(', ')}; with what came before them ${process.uptime().toFixed(0)} s`)
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed === 0 ? 0 : 1
