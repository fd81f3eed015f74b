import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Tokens are kept as hashes only, so the demo's are written down for the next start to print; mode 0600. */
export const ACCESS_FILE = 'demo-access.json'

/** Receivers of the demo run on this machine. */
export const DEMO_ALLOW = '127.0.0.0/8,::1/128'

/** Whether `npm start` has made its demo in this data directory. */
export function hasDemo(dataDir: string): boolean {
  return existsSync(join(dataDir, ACCESS_FILE))
}
