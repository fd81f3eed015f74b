#!/usr/bin/env node
// The shelfwire command. In a clone it installs missing packages and runs src/main.ts, or the bundle of these sources (bin/bundle.mjs), which
// a service builds where it is missing; the npm package has the bundle alone. Either runs under Node 24.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { currentBundle, ensureBundle } from './bundle.mjs'
import { ensureInstalled } from './install.mjs'
import { failLaunch, goOnWith, isRecent, runScript, SERVICE_FLAGS } from './node24.mjs'
import { buildPanelBeside } from './panel.mjs'

const isClone = existsSync(new URL('../src/main.ts', import.meta.url))
const launcher = fileURLToPath(import.meta.url)
// other commands end before their memory grows
const isService = ['start', 'serve'].includes(process.argv[2])
const flags = isService ? SERVICE_FLAGS : []

try {
  goOnWith(launcher, flags)
  if (isClone) await ensureInstalled({ dev: false })
  // beside the starting service, which serves it once it is there; not also in the process that only looks for a newer Node
  if (isClone && process.argv[2] === 'start' && isRecent()) buildPanelBeside()
  // not in the process that only looks for a newer Node, either
  const bundle = !isClone ? 'dist/main.mjs' : isRecent() ? (isService ? ensureBundle() : currentBundle()) : undefined
  await runScript(launcher, bundle ?? 'src/main.ts', process.argv.slice(2), flags)
} catch (error) {
  failLaunch(error)
}
