import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { copyTree, LATER_FIELD } from '../harness/copied-tree.ts'

// Code that cannot be derived from the table of fields has an entry for each field, so that it does not compile without one.

const run = promisify(execFile)

/** The files among these and their imports in which tsc finds an error; checking the whole project would take three times as long. */
async function faulty(directory: string, folder: string, looked: readonly string[]): Promise<string[]> {
  const config = { extends: './tsconfig.json', include: looked }
  await writeFile(join(directory, folder, 'tsconfig.looked.json'), JSON.stringify(config))
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await run(
    process.execPath,
    [tsc, '--noEmit', '-p', join(directory, folder, 'tsconfig.looked.json')],
    {
      maxBuffer: 1e7,
    },
  ).catch((error: { stdout: string }) => error)
  const files = [...stdout.matchAll(/^(?:\S*\/copied-\w+\/)?(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)
  return [...new Set(files)].sort()
}

test('tsc names the files that a new field needs', { timeout: 600_000 }, async () => {
  const shown = { ...LATER_FIELD, to: LATER_FIELD.to.replace("['grid']", "['payload', 'grid', 'list']") }
  await using copy = await copyTree(['contract', 'src', 'panel', 'tsconfig.json', 'package.json'], shown)
  const lacking = ['contract/schemas.ts', 'src/supplier-files/proposal/known-names.ts']
  expect(await faulty(copy.directory, '.', lacking)).toEqual(expect.arrayContaining(lacking))
  expect(await faulty(copy.directory, 'panel', ['words/field-names.ts', 'words/typed-keys.d.ts'])).toEqual(
    expect.arrayContaining(['panel/words/field-names.ts']),
  )
})
