// Builds the service as JavaScript in a few files. Without it, Node must load 600 modules of the service and as many of a library, and strip their
// types: a start then took half as much processor time again and 20 MB more memory (docs/decisions/197-what-is-started-is-a-bundle.md). `npm pack`
// builds it into dist/. A clone keeps one below node_modules/.cache, named after its sources, and runs the sources themselves if it has none. Plain
// JavaScript that uses only Node's own modules, like all of bin/.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const KEPT = join(ROOT, 'node_modules', '.cache', 'shelfwire')
const ROLLDOWN = join(ROOT, 'node_modules', 'rolldown', 'dist', 'index.mjs')
/** The programs: the service with its commands, and the processes that it starts (src/platform/process/package.ts). */
const PROGRAMS = {
  main: 'src/main.ts',
  'file-reader': 'src/file-readers/process.ts',
  'image-decoder': 'src/images/decode/process.ts',
  shelving: 'src/shelf/apart/process.ts',
  ssh: 'src/imports/fetch/sftp/process.ts',
}
/** Packages with many small modules that each start would load. All other packages are loaded from node_modules. */
const BUNDLED_PACKAGES = ['typebox']
/** The most bundles of other sources that are kept: a service that still runs from one loads parts of it later. */
const KEPT_MAX = 5

/**
 * @returns path of the bundled program if there is a bundle of exactly these sources, else undefined. Takes some 15 ms.
 */
export function currentBundle() {
  const program = join(KEPT, sourcesTag(), 'main.mjs')
  return existsSync(program) ? program : undefined
}

/**
 * The same, but builds a missing bundle first, which takes two seconds, about as long as the bundle saves at the first start. Undefined if
 * it cannot be built, for example in a folder of another user; the caller then runs the sources.
 */
export function ensureBundle() {
  const wanted = join(KEPT, sourcesTag())
  const program = join(wanted, 'main.mjs')
  if (existsSync(program)) return program
  if (!existsSync(ROLLDOWN)) return undefined
  const fresh = `${wanted}.${process.pid}`
  try {
    mkdirSync(KEPT, { recursive: true })
    // in a process of its own, because a bundler's memory is not given back
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
    // no message if another start has built it meanwhile, or if we may not write to the folder
    if (!['EACCES', 'EEXIST', 'ENOTEMPTY', 'EPERM', 'EROFS'].includes(error.code))
      process.stderr.write(
        `shelfwire: the sources run as they are, because they could not be bundled: ${error.message}\n`,
      )
  }
  return existsSync(program) ? program : undefined
}

/**
 * Builds the programs into a folder that does not exist yet. @param more additional programs by name, such as those of tests
 */
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

/** A hash of everything that the bundle is built from: names, sizes and modification times of files. */
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
