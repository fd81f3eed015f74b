// node bin/run.mjs SCRIPT.ts ARGS...: installs missing packages, then runs a script of this project under Node 24. The
// script's path is relative to the project's root; the working directory is the caller's.
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'
import { failLaunch, LaunchError, runScript } from './node24.mjs'

const [script, ...args] = process.argv.slice(2)
try {
  if (script === undefined) throw new LaunchError('usage: node bin/run.mjs SCRIPT.ts ARGS...')
  await ensureInstalled()
  await runScript(fileURLToPath(import.meta.url), script, args)
} catch (error) {
  failLaunch(error)
}
