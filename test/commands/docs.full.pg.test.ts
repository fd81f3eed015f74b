import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

// Runs the commands of docs/rules.md and docs/webhooks.md in order in a shell, on fresh databases.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let database: TestDatabase
let directory: string
beforeAll(async () => {
  database = await createDatabase()
  directory = await mkdtemp(join(tmpdir(), 'shelfwire-docs-'))
  // a stand-in for npx that runs the shelfwire of this project
  await writeFile(
    join(directory, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}bin/shelfwire.mjs" "$@"\n`,
    { mode: 0o755 },
  )
})
afterAll(async () => {
  await rm(directory, { recursive: true })
  await database[Symbol.asyncDispose]()
})

async function shell(command: string, { url } = database): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn('sh', ['-c', command], {
    cwd: ROOT,
    env: {
      PATH: `${directory}:${process.env['PATH'] ?? ''}`,
      DATABASE_URL: url,
      DATA_DIR: directory,
      NODE_COMPILE_CACHE: join(directory, 'compiled'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/** The lines of a page's shell blocks. */
async function commandsOf(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return [...text.matchAll(/```sh\n([^]*?)```/g)].flatMap((match) => (match[1] ?? '').trim().split('\n'))
}

test('the commands of docs/webhooks.md have the documented results', { timeout: 120_000 }, async () => {
  await using own = await createDatabase()
  const commands = await commandsOf('docs/webhooks.md')
  expect(commands.length).toBeGreaterThan(12)
  const outputs = new Map<string, string>()
  for (const command of commands) {
    const { code, out, err } = await shell(command, own)
    expect({ command, code, err }).toEqual({ command, code: 0, err: '' })
    outputs.set(command.replace(/^npx shelfwire /, '').replace(/ --.*$/, ''), out)
  }
  expect(outputs.get('endpoint create')).toMatch(/^endpoint 1 created; its secret, shown only now:\nwhsec_[\w-]{43}\n$/)
  expect(outputs.get('endpoint list')).toMatch(
    /^1 {2}active {2}https:\/\/shop\.example\/hook {2}price,removed of store 1\n$/,
  )
  expect(outputs.get('endpoint disable')).toContain('disabled')
  expect(outputs.get('endpoint enable')).toContain('active')
  expect(outputs.get('endpoint rotate')).toContain('the old one is no longer used')
  expect(outputs.get('endpoint log')).toBe('nothing was sent yet\n')
})

test('the commands of docs/rules.md have the documented results', { timeout: 240_000 }, async () => {
  const commands = await commandsOf('docs/rules.md')
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
  expect(last).toContain(
    'north:N-2 20 EUR (20 compared), 0 pieces (0 reported, 0 kept back); behind the best by in stock',
  )
  expect(last).toContain('sku: NORTH-N-2-')
  expect(last).toMatch(/price for Retail: (?:23\.75|21\.38) EUR/)
  const audit = await shell('npx shelfwire audit')
  expect(audit).toMatchObject({ code: 0, out: expect.stringContaining(' 0 differences') })
})
