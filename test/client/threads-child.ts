import { setTimeout as sleep } from 'node:timers/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'
import { startProcess, type TestProcess } from '../harness/child-process.ts'

// Reads the digests of a SQLite mirror slowly, and prints its result or error on standard error.

const SLOW_MS = 300

/** @param unhandled what Node does with rejections that nobody handles */
export const startThreadsChild = (file: string, unhandled: 'throw' | 'warn'): TestProcess =>
  startProcess(fileURLToPath(import.meta.url), file, undefined, { NODE_OPTIONS: `--unhandled-rejections=${unhandled}` })

const [, , text] = process.argv
if (import.meta.main && text !== undefined) {
  let blocks = 0
  try {
    for await (const _ of new SqliteTarget(JSON.parse(text) as string, { threadsFrom: 0 }).digests('main') ?? []) {
      blocks++
      await sleep(SLOW_MS)
    }
    process.stderr.write(`${blocks} blocks`)
  } catch (error) {
    process.stderr.write(`caught after ${blocks} blocks: ${error instanceof Error ? error.message : String(error)}`)
  }
}
