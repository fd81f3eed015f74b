#!/usr/bin/env node
// The shelfwire command. The npm package contains only a bundle. A clone installs missing packages and runs the bundle of its sources
// (bin/bundle.mjs), which a service builds if it is missing, or otherwise src/main.ts. Each of them runs under Node 24.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { currentBundle, ensureBundle } from './bundle.mjs'
import { ensureInstalled } from './install.mjs'
import { failLaunch, isRecent, restartWithFlags, runScript, SERVICE_FLAGS } from './node24.mjs'
import { buildPanelBeside } from './panel.mjs'

const isClone = existsSync(new URL('../src/main.ts', import.meta.url))
const launcher = fileURLToPath(import.meta.url)
// other commands end before their memory grows
const isService = ['start', 'serve'].includes(process.argv[2])
const flags = isService ? SERVICE_FLAGS : []

try {
  restartWithFlags(launcher, flags)
  if (isClone) await ensureInstalled({ dev: false })
  // built while the service starts, which serves it as soon as it is complete; an older Node skips it, because it only
  // finds and starts Node 24
  if (isClone && process.argv[2] === 'start' && isRecent()) buildPanelBeside()
  // an older Node does not need the bundle, either
  const bundle = !isClone ? 'dist/main.mjs' : isRecent() ? (isService ? ensureBundle() : currentBundle()) : undefined
  await runScript(launcher, bundle ?? 'src/main.ts', process.argv.slice(2), flags)
} catch (error) {
  failLaunch(error)
}
