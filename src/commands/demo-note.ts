import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoAccess } from '../demo/seed.ts'

/** File with the demo's tokens, mode 0600. The database has only their hashes, and the next start prints them again. */
const ACCESS_FILE = 'demo-access.json'

/** OUTBOUND_ALLOW of the demo: its webhook receivers run on this machine. */
export const DEMO_ALLOW = '127.0.0.0/8,::1/128'

/** The content of that file. */
export interface DemoNote extends DemoAccess {
  /** False while the demo is being filled; the next start then continues to fill it. */
  isFilled: boolean
  /** Where its suppliers' server of pictures listens; a note of an older release has none. */
  picturesPort?: number
  /** The endpoint of the demo's shop, which a note of an older release does not have. */
  shop?: DemoShopNote
  /** Whether the account has its past; the next start then goes on. */
  hasPast?: boolean
}

interface DemoShopNote {
  endpointId: number
  port: number
  /** What its webhooks are signed with. */
  secret: string
}

/** Whether `npm start` has created its demo in this data directory. */
export function hasDemo(dataDir: string): boolean {
  return existsSync(join(dataDir, ACCESS_FILE))
}

/** What is noted of the demo in this data directory; null: nothing. */
export function readNote(dataDir: string): Promise<DemoNote | null> {
  return readFile(join(dataDir, ACCESS_FILE), 'utf8').then(
    (text) => JSON.parse(text) as DemoNote,
    () => null,
  )
}

export function keepNote(dataDir: string, note: DemoNote): Promise<void> {
  return writeFile(join(dataDir, ACCESS_FILE), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
}
