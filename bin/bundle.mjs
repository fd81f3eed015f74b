// Builds the service as JavaScript in a few files: with 600 modules of its own, as many of a library and their types to be stripped, a start
// took half as much processor time again and 20 MB more memory (docs/decisions/197-what-is-started-is-a-bundle.md). `npm pack` builds it into dist/; a clone keeps one below
// node_modules/.cache, named for the sources that it was built from, and runs the sources themselves where it has none. Plain JavaScript
// with Node's own modules, like all of bin/.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const KEPT = join(ROOT, 'node_modules', '.cache', 'shelfwire')
const ROLLDOWN = join(ROOT, 'node_modules', 'rolldown', 'dist', 'index.mjs')
/** The programs: the service with its commands, and what it starts as processes of their own (src/platform/process/package.ts). */
const PROGRAMS = {
  main: 'src/main.ts',
  'file-reader': 'src/file-readers/process.ts',
  'image-decoder': 'src/images/decode/process.ts',
  shelving: 'src/shelf/apart/process.ts',
  ssh: 'src/imports/fetch/sftp/process.ts',
}
/** Of many small modules that each start reads. All other packages stay what npm installed. */
const BUNDLED_PACKAGES = ['typebox']
/** Bundles of other sources that are left: a service that still runs from one loads parts of it later. */
const KEPT_MAX = 5

/** @returns path of the bundle's program if there is one of these very sources, else undefined; takes some 15 ms. */
export function currentBundle() {
  const program = join(KEPT, sourcesTag(), 'main.mjs')
  return existsSync(program) ? program : undefined
}

/**
 * The same, built first where it is missing, which takes two seconds: about what the bundle saves the first start. Undefined where it cannot
 * be built, as in a folder that is another user's: the sources run as well.
 */
export function ensureBundle() {
  const wanted = join(KEPT, sourcesTag())
  const program = join(wanted, 'main.mjs')
  if (existsSync(program)) return program
  if (!existsSync(ROLLDOWN)) return undefined
  const fresh = `${wanted}.${process.pid}`
  try {
    mkdirSync(KEPT, { recursive: true })
    // in a process of its own: what a bundler takes is not given back
    const built = spawnSync(process.execPath, [fileURLToPath(import.meta.url), fresh], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 2, 'pipe'],
    })
    if (built.status !== 0) throw new Error(built.stderr || String(built.error?.message ?? built.signal))
    renameSync(fresh, wanted)
    removeOld(wanted)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // another start has built it meanwhile, or the folder is not ours to write
    if (!['EACCES', 'EEXIST', 'ENOTEMPTY', 'EPERM', 'EROFS'].includes(error.code))
      process.stderr.write(
        `shelfwire: the sources run as they are, because they could not be bundled: ${error.message}\n`,
      )
  }
  return existsSync(program) ? program : undefined
}

/** Builds the programs into a folder that does not exist yet. @param more programs by their names, such as those of tests */
export async function buildBundle(directory, more = {}) {
  const { rolldown } = await import(pathToFileURL(ROLLDOWN).href)
  const inBundle = (id) =>
    /^(?:\.|\/|[A-Za-z]:)/.test(id) || BUNDLED_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`))
  const bundle = await rolldown({
    cwd: ROOT,
    input: { ...PROGRAMS, ...more },
    platform: 'node',
    external: (id) => !inBundle(id),
    logLevel: 'warn',
  })
  await bundle.write({
    dir: directory,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  const licences = BUNDLED_PACKAGES.map((name) => {
    const folder = join(ROOT, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `${name} ${version}\n\n${readFileSync(join(folder, 'license'), 'utf8')}`
  })
  writeFileSync(join(directory, 'LICENSES.txt'), licences.join('\n'))
}

/** Names the state of all that goes into a bundle: names, sizes and times of its files. */
function sourcesTag() {
  const hash = createHash('sha256')
  for (const folder of ['src', 'contract'])
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.test.ts')) continue
      const file = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = statSync(file)
      hash.update(`${relative(ROOT, file)} ${size} ${mtimeMs}\n`)
    }
  for (const file of ['package-lock.json', 'bin/bundle.mjs']) hash.update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}

function removeOld(current) {
  const others = readdirSync(KEPT)
    .map((name) => join(KEPT, name))
    .filter((path) => path !== current)
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of others.slice(KEPT_MAX - 1)) rmSync(path, { recursive: true, force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildBundle(process.argv[2], JSON.parse(process.argv[3] ?? '{}'))
