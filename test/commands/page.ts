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

// Runs the commands of a page of documentation the way a reader would: in a shell, in the project's directory, in order.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MARK = '--- block'
/** Of the service, and in the shell: the page of operations has calls with it. */
const OPERATOR_TOKEN = 'the-token-of-the-operator-of-these-pages'
/** Enough that every number of a new account differs from those of an empty database. */
const DEMO_PRODUCTS = 60

/** What pages run on: a database and a service over it. */
export interface Ground extends AsyncDisposable {
  database: TestDatabase
  service: TestService
  /** The demo account; null on an empty database. */
  demoId: number | null
}

/** A database that is empty, or that holds the demo account which `npm start` makes, with a running service. */
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
   * `sh`: commands that are run. Empty: what the commands before it print. `console`: what is typed elsewhere, such as
   * `npm start`; a listener among them is run in the background. Anything else is not looked at here.
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
 * Runs every `sh` block of a page in one shell that stops at the first failure, and compares what they print with the
 * blocks that show it. @returns everything that was printed.
 */
export async function runPage(page: string, ground: Ground): Promise<string> {
  const blocks = await blocksOf(page)
  const commands = blocks.filter(({ kind }) => kind === 'sh')
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-page-'))
  try {
    // npx looks for the command among the installed ones; this is what it would find
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
    // what a receiver says of itself is no complaint
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

/** What a reader starts in a second terminal, and what therefore runs in the background here. */
const isListener = (text: string) => text.startsWith('npx shelfwire listen ')
