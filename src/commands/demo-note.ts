import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** File with the demo's tokens, mode 0600. The database has only their hashes, and the next start prints them again. */
export const ACCESS_FILE = 'demo-access.json'

/** OUTBOUND_ALLOW of the demo: its webhook receivers run on this machine. */
export const DEMO_ALLOW = '127.0.0.0/8,::1/128'

/** Whether `npm start` has created its demo in this data directory. */
export function hasDemo(dataDir: string): boolean {
  return existsSync(join(dataDir, ACCESS_FILE))
}
