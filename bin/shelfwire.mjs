#!/usr/bin/env node
// The shelfwire command: installs what is missing in a fresh clone, then runs src/main.ts under Node 24.
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'
import { failLaunch, runScript } from './node24.mjs'

try {
  await ensureInstalled({ dev: false })
  await runScript(fileURLToPath(import.meta.url), 'src/main.ts', process.argv.slice(2))
} catch (error) {
  failLaunch(error)
}
