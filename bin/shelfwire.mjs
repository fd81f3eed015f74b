#!/usr/bin/env node
// The shelfwire command. In a clone it installs missing packages and runs src/main.ts; the npm package has JavaScript in its place,
// because Node refuses TypeScript below node_modules. Either runs under Node 24.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'
import { failLaunch, goOnWith, isRecent, runScript, SERVICE_FLAGS } from './node24.mjs'
import { buildPanelBeside } from './panel.mjs'

const isClone = existsSync(new URL('../src/main.ts', import.meta.url))
const launcher = fileURLToPath(import.meta.url)
// other commands end before their memory grows
const flags = ['start', 'serve'].includes(process.argv[2]) ? SERVICE_FLAGS : []

try {
  goOnWith(launcher, flags)
  if (isClone) await ensureInstalled({ dev: false })
  // beside the starting service, which serves it once it is there; not also in the process that only looks for a newer Node
  if (isClone && process.argv[2] === 'start' && isRecent()) buildPanelBeside()
  await runScript(launcher, isClone ? 'src/main.ts' : 'dist/src/main.js', process.argv.slice(2), flags)
} catch (error) {
  failLaunch(error)
}
