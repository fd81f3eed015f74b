// Makes a fresh clone runnable: `npm start` and `npm test` work without a prior `npm ci`. Plain JavaScript that runs on
// the system's Node 20 and uses only Node's own modules, because no package may be installed yet.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LaunchError } from './node24.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const LOCKFILE = join(ROOT, 'package-lock.json')
const STAMP = join(MODULES, '.shelfwire-lock-sha256')
/** Beside node_modules, not in it: `npm ci` empties node_modules. */
const GUARD = join(ROOT, '.shelfwire-install.lock')
const GUARD_POLL_MS = 200
/**
 * A guard or breaker file without readable content counts as abandoned after this time; before, its owner may still be
 * writing it.
 */
const GUARD_BLANK_MS = 10_000

/**
 * Installs the packages of package-lock.json if they are missing or have other versions. `dev: false` leaves out the development
 * packages, which are a third of all files and include the browser of the tests; those of the panel (panel/package.json) are installed.
 */
export async function ensureInstalled({ dev = true } = {}) {
  if (!existsSync(LOCKFILE)) {
    throw new LaunchError(
      `${LOCKFILE} is missing, so the packages cannot be installed; restore it (git checkout package-lock.json)`,
    )
  }
  if (isCurrent(dev)) return
  requireWritable()
  const release = await enterAlone()
  try {
    // The previous holder of the guard may have installed them.
    if (isCurrent(dev)) return
    runNpm(dev)
    writeStamp(installedScope() ?? 'production')
  } finally {
    release()
  }
}

/** Whether node_modules has the packages of the lock file. A manual install that has them gets the stamp here. */
function isCurrent(dev) {
  const wanted = lockHash()
  const [hash, platform, scope] = readText(STAMP)?.trim().split(' ') ?? []
  if (hash === wanted && platform === platformName() && (scope === 'full' || !dev)) return true
  const found = installedScope()
  if (found === undefined) return false
  writeStamp(found)
  return found === 'full' || !dev
}

function lockHash() {
  return createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')
}

function platformName() {
  return `${process.platform}-${process.arch}`
}

function writeStamp(scope) {
  try {
    writeFileSync(STAMP, `${lockHash()} ${platformName()} ${scope}\n`)
  } catch {
    // node_modules is read-only: the full check is repeated at every start, which takes milliseconds.
  }
}

/** 'full' with development packages, 'production' without; undefined when a needed package is missing or another version. */
function installedScope() {
  // npm writes this file last, so an interrupted install does not have it.
  if (!existsSync(join(MODULES, '.package-lock.json'))) return undefined
  const lock = readJson(LOCKFILE)
  const manifest = readJson(join(ROOT, 'package.json'))
  if (lock === undefined || manifest === undefined) return undefined
  const versionOf = (name) => readJson(join(MODULES, name, 'package.json'))?.version
  const matches = (name) => versionOf(name) === lock.packages?.[`node_modules/${name}`]?.version
  const absentOrMatches = (name) => versionOf(name) === undefined || matches(name)
  const panel = Object.keys(readJson(join(ROOT, 'panel', 'package.json'))?.dependencies ?? {})
  const all = (group, test) => Object.keys(manifest[group] ?? {}).every(test)
  // Optional packages may be missing, because they are for other platforms or were left out on purpose; only a wrong
  // version is a fault.
  if (!all('dependencies', matches) || !all('optionalDependencies', absentOrMatches)) return undefined
  // an install for production may lack the packages from which the panel is built
  const isPanelInstalled = panel.every(matches)
  if (!isPanelInstalled && panel.some((name) => versionOf(name) !== undefined)) return undefined
  return isPanelInstalled && all('devDependencies', matches) ? 'full' : 'production'
}

function requireWritable() {
  // The root as well, because the guard file and a new node_modules are created in it.
  for (const dir of existsSync(MODULES) ? [MODULES, ROOT] : [ROOT]) {
    try {
      accessSync(dir, constants.W_OK)
    } catch {
      throw new LaunchError(
        `the packages in ${MODULES} are missing or not those of package-lock.json, and ${dir} is not writable for this user; ` +
          `run \`npm ci --ignore-scripts\` in ${ROOT} as a user who may write there`,
      )
    }
  }
}

function runNpm(dev) {
  // adds the missing packages: `npm ci` would delete the packages of a service that is running from them
  const isAddition = dev && installedScope() === 'production'
  process.stderr.write(
    `shelfwire: installing ${isAddition ? 'the development packages' : 'packages'} into ${MODULES} (once, about ten seconds)\n`,
  )
  // `npm start` sets npm_execpath, so that the same npm is used even if it is not on PATH.
  const own = process.env.npm_execpath
  const [command, first] = own?.endsWith('npm-cli.js') ? [process.execPath, [own]] : ['npm', []]
  // Only errors: npm's warnings are about the Node that runs npm, but Shelfwire runs under another one.
  const args = [
    ...first,
    ...(isAddition ? ['install', '--no-save'] : ['ci']),
    '--ignore-scripts',
    '--no-fund',
    '--no-audit',
    '--loglevel=error',
    dev ? '--include=dev' : '--omit=dev',
  ]
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    // npm is npm.cmd on Windows, which only a shell can start; the arguments are constants that need no quoting.
    shell: process.platform === 'win32' && command === 'npm',
  })
  if (result.status === 0) return
  const why =
    result.error?.code === 'ENOENT'
      ? 'npm was not found: install it (it comes with Node.js)'
      : `npm ci failed (${result.error?.message ?? result.signal ?? `exit code ${result.status}`}), its output is above: is the npm registry reachable?`
  throw new LaunchError(`${why}; then run \`npm ci --ignore-scripts\` in ${ROOT} and start again`)
}

/** Waits until no other process installs here. @returns the function that lets the next process in */
async function enterAlone() {
  let isReported = false
  while (!takeFile(GUARD)) {
    if (isAbandoned(GUARD)) {
      breakGuard()
      continue
    }
    if (!isReported) process.stderr.write('shelfwire: another process is installing the packages, waiting for it\n')
    isReported = true
    await sleep(GUARD_POLL_MS)
  }
  const drop = () => rmSync(GUARD, { force: true })
  return drop
}

function takeFile(path) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      JSON.stringify({ pid: process.pid, started: startOf(process.pid), nonce: randomBytes(6).toString('hex') }),
      { flag: 'wx' },
    )
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new LaunchError(`cannot write ${path}: ${error.message}`)
  }
}

/**
 * Removes an abandoned guard. Only the holder of the breaker may do so, because another process may have taken the guard
 * in the meantime.
 */
function breakGuard() {
  const breaker = `${GUARD}.break`
  if (!takeFile(breaker)) {
    if (isAbandoned(breaker)) rmSync(breaker, { force: true })
    return
  }
  try {
    if (isAbandoned(GUARD)) rmSync(GUARD, { force: true })
  } finally {
    rmSync(breaker, { force: true })
  }
}

function isAbandoned(path) {
  const holder = readJson(path)
  if (typeof holder?.pid === 'number') return startOf(holder.pid) !== holder.started
  try {
    return Date.now() - statSync(path).mtimeMs > GUARD_BLANK_MS
  } catch {
    return false
  }
}

/**
 * Distinguishes a process from a later one with the same number: its start time if /proc has it; null if the process has
 * ended.
 */
function startOf(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code !== 'EPERM') return null
  }
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return ''
  // The command's name, in parentheses, may contain spaces, so fields are counted after it. Field 3 is the state, field
  // 22 the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? null : fields[19]
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function readJson(path) {
  const text = readText(path)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
