import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createDatabase } from '../harness/database.ts'
import { startTestService } from '../harness/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MARK = '--- block'

test('every command of the tutorial has the output that the page shows', { timeout: 180_000 }, async () => {
  await using database = await createDatabase()
  await using service = await startTestService(database, { roles: ['api', 'work'] })
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-tutorial-'))
  try {
    await writeFile(
      join(directory, 'npx'),
      `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}bin/shelfwire.mjs" "$@"\n`,
      { mode: 0o755 },
    )
    const page = await readFile(join(ROOT, 'docs/tutorial.md'), 'utf8')
    const blocks = [...page.matchAll(/```(sh|)\n([^]*?)```/g)].map(([, kind = '', text = '']) => ({
      isCommand: kind === 'sh',
      text,
    }))
    const commands = blocks.filter(({ isCommand }) => isCommand)
    // a mark separates the outputs of the blocks; all run in one shell, because later ones use variables of earlier ones
    const script = commands.map(({ text }) => `echo '${MARK}'\n${text}`).join('\n')
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
      cwd: directory,
      env: {
        PATH: `${directory}:${process.env['PATH'] ?? ''}`,
        DATABASE_URL: database.url,
        DATA_DIR: directory,
        BASE: `${service.url}/v1`,
        NODE_COMPILE_CACHE: join(directory, 'compiled'),
      },
      maxBuffer: 10_000_000,
    }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`the tutorial failed after:\n${stdout.slice(-1_500)}\n${stderr.slice(-1_500)}`, {
        cause: error,
      })
    })
    const outputs = stdout.split(`${MARK}\n`).slice(1)
    expect(outputs).toHaveLength(commands.length)
    let said = -1
    let shown = 0
    for (const { isCommand, text } of blocks) {
      if (isCommand) said++
      else {
        shown++
        expect(`after block ${said}:\n${outputs[said]?.trimEnd()}`).toBe(`after block ${said}:\n${text.trimEnd()}`)
      }
    }
    expect(shown).toBeGreaterThan(8)
  } finally {
    await rm(directory, { recursive: true })
  }
})
