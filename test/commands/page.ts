import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { fillDemo, openDemo } from '../../src/demo/seed.ts'
import { COMPILE_CACHE } from '../harness/child-process.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { freePort } from '../harness/free-port.ts'

// Runs the commands of a documentation page as a reader would: in a shell, in the project's directory, in order.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MARK = '--- block'
/** A setting of the service and of the shell, because the page of operations sends requests with it. */
const OPERATOR_TOKEN = 'the-token-of-the-operator-of-these-pages'
/** Enough that every number of a new account differs from those of an empty database. */
const DEMO_PRODUCTS = 60

/** A database and a service on it, on which pages are run. */
export interface Ground extends AsyncDisposable {
  database: TestDatabase
  service: TestService
  /** The id of the demo account; null on an empty database. */
  demoId: number | null
}

/** Starts a service on a database that is empty, or has the demo account of `npm start`. */
export async function openGround(kind: 'empty' | 'demo'): Promise<Ground> {
  const database = await createDatabase()
  const service = await startTestService(database, {
    roles: ['api', 'work'],
    env: { OUTBOUND_ALLOW: '127.0.0.0/8', OPERATOR_TOKEN },
  })
  let demoId: number | null = null
  if (kind === 'demo') {
    demoId = (await openDemo(database.db)).accountId
    await fillDemo(service.runtime, demoId, DEMO_PRODUCTS, () => {})
  }
  return {
    database,
    service,
    demoId,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

export interface Block {
  /**
   * `sh`: commands that are run. Empty: the output of the commands before it. `console`: commands for another terminal, such as
   * `npm start`, of which only listeners are run, in the background. Other kinds are ignored.
   */
  kind: string
  text: string
}

/** The code blocks of a page, in order. */
export async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```(\S*)\n([^]*?)^```$/gm)].map(([, kind = '', body = '']) => ({ kind, text: body }))
}

/**
 * Runs every `sh` block of a page in one shell that stops at the first failure, and compares the output with the blocks
 * that show it. @returns the whole output.
 */
export async function runPage(page: string, ground: Ground): Promise<string> {
  const blocks = await blocksOf(page)
  const commands = blocks.filter(({ kind }) => kind === 'sh')
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-page-'))
  try {
    // the command as npx would find it among the installed ones
    await writeFile(
      join(directory, 'npx'),
      `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}bin/shelfwire.mjs" "$@"\n`,
      { mode: 0o755 },
    )
    // a receiver that a page starts in the background must not outlive it
    const lines = blocks.flatMap(({ kind, text }) =>
      kind === 'sh' ? [`echo '${MARK}'`, text] : isListener(text) ? [`${text.trimEnd()} &`, 'sleep 2'] : [],
    )
    const script = `trap 'kill $! 2> /dev/null || true' EXIT\n${lines.join('\n')}`
      .replaceAll('http://127.0.0.1:8080', ground.service.url)
      .replaceAll('127.0.0.1:9000', `127.0.0.1:${await freePort()}`)
    const child = spawn('sh', ['-ec', script], {
      cwd: ROOT,
      env: {
        PATH: `${directory}:${process.env['PATH'] ?? ''}`,
        DATABASE_URL: ground.database.url,
        DATA_DIR: directory,
        TMPDIR: directory,
        OUTBOUND_ALLOW: '127.0.0.0/8',
        OPERATOR_TOKEN,
        ...COMPILE_CACHE,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const [code] = (await once(child, 'close')) as [number | null]
    // a receiver's first line on standard error is no error
    err = err.replaceAll(/^listening on .*\n/gm, '')
    expect({ page, code, err }, `failed after:\n${out.slice(-1_500)}`).toEqual({ page, code: 0, err: '' })
    const outputs = out.split(`${MARK}\n`).slice(1)
    expect(outputs).toHaveLength(commands.length)
    let run = -1
    for (const { kind, text } of blocks) {
      if (kind === 'sh') run++
      else if (kind === '')
        expect(`${page}, block ${run}:\n${outputs[run]?.trimEnd()}`).toBe(`${page}, block ${run}:\n${text.trimEnd()}`)
    }
    return outputs.join('')
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Whether a reader would run this command in a second terminal, so that it runs in the background here. */
const isListener = (text: string) => text.startsWith('npx shelfwire listen ')
