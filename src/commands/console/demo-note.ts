import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoAccess } from '../../demo/seed.ts'

/** File with the demo's tokens, mode 0600. The database has only their hashes, and the next start prints them again. */
const ACCESS_FILE = 'demo-access.json'

/** OUTBOUND_ALLOW for the demo, whose webhook receivers run on this machine. */
export const DEMO_ALLOW = '127.0.0.0/8,::1/128'

/** The content of ACCESS_FILE. */
export interface DemoNote extends DemoAccess {
  /** False while the demo is being filled; the next start then continues to fill it. */
  isFilled: boolean
  /** The port of its picture server; missing in files of older releases. */
  picturesPort?: number
  /** The endpoint of the demo's shop; missing in files of older releases. */
  shop?: DemoShopNote
  /** Whether the account's past has been created; if not, the next start continues. */
  hasPast?: boolean
}

interface DemoShopNote {
  endpointId: number
  port: number
  /** The secret that signs its webhooks. */
  secret: string
}

/** Whether `npm start` has created its demo in this data directory. */
export function hasDemo(dataDir: string): boolean {
  return existsSync(join(dataDir, ACCESS_FILE))
}

/** The demo's file in this data directory; null: there is none. */
export function readNote(dataDir: string): Promise<DemoNote | null> {
  return readFile(join(dataDir, ACCESS_FILE), 'utf8').then(
    (text) => JSON.parse(text) as DemoNote,
    () => null,
  )
}

export function keepNote(dataDir: string, note: DemoNote): Promise<void> {
  return writeFile(join(dataDir, ACCESS_FILE), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
}
