import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

// The commands of docs/rules.md, as a reader would type them, in a shell, in order, on a fresh database.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let database: TestDatabase
let directory: string
beforeAll(async () => {
  database = await createDatabase()
  directory = await mkdtemp(join(tmpdir(), 'shelfwire-docs-'))
  // npx looks for the command among the installed ones; this is what it would find
  await writeFile(join(directory, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}bin/shelfwire.mjs" "$@"\n`, { mode: 0o755 })
})
afterAll(async () => {
  await rm(directory, { recursive: true })
  await database[Symbol.asyncDispose]()
})

async function shell(command: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn('sh', ['-c', command], {
    cwd: ROOT,
    env: { PATH: `${directory}:${process.env['PATH'] ?? ''}`, DATABASE_URL: database.url, DATA_DIR: directory, NODE_COMPILE_CACHE: join(directory, 'compiled') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

test('the commands of docs/rules.md do what the page says', { timeout: 240_000 }, async () => {
  const text = await readFile(join(ROOT, 'docs/rules.md'), 'utf8')
  const commands = [...text.matchAll(/```sh\n([^]*?)```/g)].flatMap((match) => (match[1] ?? '').trim().split('\n'))
  expect(commands.length).toBeGreaterThan(20)
  let last = ''
  for (const command of commands) {
    const { code, out, err } = await shell(command)
    expect({ command, code, err }).toEqual({ command, code: 0, err: '' })
    last = out
    if (command.includes('findings')) expect(out).toContain('EANs on several products: none')
  }
  // the last is the explanation of the hammer: north 20.00 is out of stock, south 76 PLN is 19.00 with 4 - 2 pieces
  expect(last).toContain('→ south:S-2 76 PLN (19 compared), 2 pieces (4 reported, 2 kept back)')
  expect(last).toContain('north:N-2 20 EUR (20 compared), 0 pieces (0 reported, 0 kept back); behind the best by in stock')
  expect(last).toContain('sku: NORTH-N-2-')
  expect(last).toMatch(/price for Retail: (?:23\.75|21\.38) EUR/)
  const audit = await shell('npx shelfwire audit')
  expect(audit).toMatchObject({ code: 0, out: expect.stringContaining(' 0 differences') })
})
