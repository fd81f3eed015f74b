// Builds the panel into panel/dist. `npm start` in a clone builds it while the service is starting; `npm pack` runs this file and
// waits. Plain JavaScript that uses only Node's own modules, like all of bin/.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PANEL = join(ROOT, 'panel')
const BUILT = join(PANEL, 'dist')
const STAMP = '.sources-sha256'
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
/** Sources of the panel outside panel/: the guide whose verifiers it shows, and the versions of its packages. */
const OTHER_SOURCES = ['docs/webhooks.md', 'package-lock.json', 'bin/panel.mjs']

/**
 * Builds the panel unless panel/dist was built from exactly these sources; takes three seconds. The build is made in another folder
 * and then moved into place, so that the service never serves a partial one. @returns whether there is a panel to serve; if not,
 * the reason is on standard error
 */
export async function buildPanel() {
  const wanted = sourcesHash()
  if (read(join(BUILT, STAMP)) === wanted) return true
  if (!existsSync(VITE)) {
    // an install for production: it contains a built panel/dist, or runs without the panel
    if (existsSync(BUILT)) return true
    process.stderr.write('shelfwire: the panel is not built, because the development packages are not installed\n')
    return false
  }
  const fresh = `${BUILT}.${process.pid}`
  try {
    const output = await run([VITE, 'build', PANEL, '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'])
    if (output !== undefined) {
      process.stderr.write(`shelfwire: the panel could not be built\n${output}`)
      return false
    }
    compressAssets(join(fresh, 'assets'))
    writeFileSync(join(fresh, STAMP), wanted)
    putInPlace(fresh)
    return true
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** The same in the background: the caller does not wait for it, and a failure does not end the process. */
export function buildPanelBeside() {
  const fail = (error) => process.stderr.write(`shelfwire: the panel could not be built: ${error.message}\n`)
  try {
    // the service looks for this folder when it starts
    mkdirSync(BUILT, { recursive: true })
    buildPanel().catch(fail)
  } catch (error) {
    // the folder belongs to another user: the service runs without its panel
    fail(error)
  }
}

/** Writes a .br and a .gz beside each text file. The service sends these, because it does not compress files itself. */
function compressAssets(directory) {
  for (const name of readdirSync(directory).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const file = join(directory, name)
    const text = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
  }
}

/**
 * Moves a new build into place. Two processes that build at the same time have the same files, so the later one keeps
 * those of the other.
 */
function putInPlace(fresh) {
  const old = `${fresh}.old`
  mkdirSync(BUILT, { recursive: true })
  renameSync(BUILT, old)
  try {
    renameSync(fresh, BUILT)
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
  rmSync(old, { recursive: true, force: true })
}

/** Runs Node with these arguments. @returns its output if it failed, else undefined */
function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      // NODE_ENV=test of a test would select the development build of every library
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? undefined : Buffer.concat(chunks).toString()))
  })
}

function sourcesHash() {
  const hash = createHash('sha256')
  const inPanel = readdirSync(PANEL, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !/^panel[/\\]dist\b/.test(file))
  for (const file of [...inPanel, ...OTHER_SOURCES].sort((a, b) => (a < b ? -1 : 1))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await buildPanel()) ? 0 : 1
