#!/usr/bin/env node
// The shelfwire command. In a clone it installs missing packages and runs src/main.ts; the npm package has JavaScript in its place,
// because Node refuses TypeScript below node_modules. Either runs under Node 24.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'
import { failLaunch, isRecent, runScript } from './node24.mjs'
import { buildPanelBeside } from './panel.mjs'

const isClone = existsSync(new URL('../src/main.ts', import.meta.url))

try {
  if (isClone) await ensureInstalled({ dev: false })
  // beside the starting service, which serves it once it is there; not also in the process that only looks for a newer Node
  if (isClone && process.argv[2] === 'start' && isRecent()) buildPanelBeside()
  await runScript(fileURLToPath(import.meta.url), isClone ? 'src/main.ts' : 'dist/src/main.js', process.argv.slice(2))
} catch (error) {
  failLaunch(error)
}
