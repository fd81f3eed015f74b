import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { copyTree, LATER_FIELD } from '../harness/copied-tree.ts'

// What cannot be made from the table of fields has an entry for each of them, so that one that is forgotten does not compile.

const run = promisify(execFile)

/** Files in which tsc finds a fault. */
async function faulty(directory: string, project: string): Promise<string[]> {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', join(directory, project)], {
    maxBuffer: 1e7,
  }).catch((error: { stdout: string }) => error)
  const files = [...stdout.matchAll(/^(?:\S*\/copied-\w+\/)?(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)
  return [...new Set(files)].sort()
}

test('tsc names the files that a new field needs', { timeout: 600_000 }, async () => {
  const shown = { ...LATER_FIELD, to: LATER_FIELD.to.replace("['grid']", "['payload', 'grid', 'list']") }
  await using copy = await copyTree(['contract', 'src', 'panel', 'tsconfig.json', 'package.json'], shown)
  expect(await faulty(copy.directory, 'tsconfig.json')).toEqual(
    expect.arrayContaining(['contract/schemas.ts', 'src/supplier-files/known-names.ts']),
  )
  expect(await faulty(copy.directory, 'panel')).toEqual(expect.arrayContaining(['panel/words/field-names.ts']))
})
