import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { LENT_SERVER, type LentServer } from '../harness/servers.ts'
import type { Edit, Mutant } from './mutant.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
/** The copied folders: all that a guarding test imports, because anything else is read from the project, without the fault. */
const COPIED = [
  'bin',
  'src',
  'client',
  'clients',
  'contract',
  'migrations',
  'test',
  'bench',
  'vitest.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

export interface Outcome {
  /** The results of the guarding tests: `passed` or `failed`, with the messages of failures. */
  tests: { name: string; status: string; messages: string[] }[]
  /** The output of vitest, for the case that it did not reach a test. */
  output: string
}

/** A copy of the project, in which mutants are tried one after the other. */
export interface Copy extends AsyncDisposable {
  /** Makes the mutant's edits, runs its guarding test in a separate process, and reverts the edits. One at a time. */
  run(mutant: Mutant): Promise<Outcome>
}

/**
 * Copies the project into tmp/. One copy for all mutants, because vitest caches compiled modules by path and content, so a run
 * compiles little more than the edited files.
 * @param lent the server and migrated template of this run, because making them takes longer than most guarding tests
 */
export async function openCopy(lent: { serverUrl: string; template: string }): Promise<Copy> {
  await mkdir(join(PROJECT, 'tmp'), { recursive: true })
  const copy = await mkdtemp(join(PROJECT, 'tmp', 'mutants-'))
  for (const entry of COPIED) await cp(join(PROJECT, entry), join(copy, entry), { recursive: true })
  await symlink(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
  return {
    async run(mutant) {
      const sound = new Map<string, string>()
      try {
        for (const edit of mutant.edits) await apply(copy, edit, sound)
        await rm(join(copy, 'report.json'), { force: true })
        const output = await vitest(copy, mutant, lent)
        const report = await readFile(join(copy, 'report.json'), 'utf8').catch(() => '{"testResults":[]}')
        const { testResults } = JSON.parse(report) as {
          testResults: { assertionResults: { title: string; status: string; failureMessages?: string[] }[] }[]
        }
        const tests = testResults
          .flatMap((file) => file.assertionResults)
          .filter((result) => result.title.startsWith(mutant.test))
          .map(({ title, status, failureMessages }) => ({ name: title, status, messages: failureMessages ?? [] }))
        return { tests, output }
      } finally {
        for (const [path, text] of sound) await writeFile(path, text)
      }
    },
    [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }),
  }
}

async function apply(copy: string, edit: Edit, sound: Map<string, string>): Promise<void> {
  const path = join(copy, edit.file)
  const text = await readFile(path, 'utf8')
  const found = text.split(edit.from).length - 1
  if (found !== 1)
    throw new Error(
      `the text to replace stands ${found} times in ${edit.file}; bring the mutant up to date:\n${edit.from}`,
    )
  if (!sound.has(path)) sound.set(path, text)
  await writeFile(
    path,
    text.replace(edit.from, () => edit.to),
  )
}

/** Runs one test of one file. @returns its report, which decides, not the exit code */
async function vitest(copy: string, mutant: Mutant, lent: { serverUrl: string; template: string }): Promise<string> {
  // a full name begins with the names of its groups; of all matches, only titles that begin with the text are used
  const name = `(?:^| )${mutant.test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`
  // a mutant of the schema has a template of its own
  const isSchema = mutant.edits.some(({ file }) => file.startsWith('migrations/'))
  const child = spawn(
    process.execPath,
    [
      join('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--project',
      mutant.file.endsWith('.pg.test.ts') ? 'postgres-18' : 'pure',
      mutant.file,
      '-t',
      name,
      '--reporter=json',
      '--reporter=default',
      '--outputFile.json=report.json',
      // the compile cache of the copy is removed with the copy
      '--fsModuleCachePath=compiled',
    ],
    {
      cwd: copy,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...withoutVitest(process.env),
        NO_COLOR: '1',
        [LENT_SERVER]: JSON.stringify({
          serverUrl: lent.serverUrl,
          workerUrls: [],
          serverLog: null,
          ...(isSchema ? {} : { template: lent.template }),
        } satisfies LentServer),
      },
    },
  )
  const said: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => said.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => said.push(bytes))
  await new Promise((resolve) => child.once('close', resolve))
  return Buffer.concat(said).toString()
}

/**
 * The environment without the variables of this run's own vitest, and without a gate's seed, so that every guarding test runs,
 * whatever the gate selects, and with the same random cases every time.
 */
function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^VITEST|^SEED$|^TEST$|^NODE_ENV$|^MODE$|^PROD$|^DEV$|^SSR$|^BASE_URL$/.test(name),
    ),
  )
}
