import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'
import { startProcess, type TestProcess } from '../harness/child-process.ts'

// A connector with a mirror in a SQLite file, which runs until it is killed.

export interface MirrorWork {
  url: string
  token: string
  file: string
  stores: string[]
}

export const startMirrorChild = (work: MirrorWork): TestProcess => startProcess(fileURLToPath(import.meta.url), work)

const [, , text] = process.argv
if (import.meta.main && text !== undefined) {
  const { url, token, file, stores } = JSON.parse(text) as MirrorWork
  await new Shelfwire({ url, token }).sync({ stores, target: new SqliteTarget(file), wait: 1 }).run()
}
