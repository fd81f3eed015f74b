// Makes a release in a folder: `npm run -s release -- DIRECTORY`. It consists of the packages of this clone, the list of their contents (CycloneDX),
// how and from which commit they were built (in-toto statement, SLSA provenance v1), and SHA256SUMS of all of it, which the person who cuts the
// release signs. The same commit gives the same bytes on another machine with the same Node and npm, which provenance.json names, so that anybody can
// verify them. Plain JavaScript that uses only Node's own modules, like all of bin/.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PACKAGES = ['.', 'client', 'connectors/medusa', 'connectors/vendure']

/** Runs a program in the clone, without the npm_* variables of the npm that runs this script. @returns its output */
function run(program, ...args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  const stdio = ['ignore', 'pipe', 'inherit']
  return execFileSync(program, args, {
    cwd: ROOT,
    env,
    stdio,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
  })
}

/**
 * Tracked files with other modes than git's, as in a clone with umask 077. The packages contain these modes and would differ from those of other
 * clones.
 */
function withOtherModes() {
  const files = run('git', 'ls-files', '--stage', '-z').split('\0').filter(Boolean)
  return files.flatMap((line) => {
    const [, tracked, path] = /^(\d+) [^\t]*\t(.+)$/s.exec(line)
    // symbolic links and submodules have no such mode
    if (!tracked.startsWith('100')) return []
    return (statSync(join(ROOT, path)).mode & 0o755) === (tracked === '100755' ? 0o755 : 0o644) ? [] : [path]
  })
}

/** A UUID derived from a text, in the form of RFC 9562, version 8. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function fail(why) {
  console.error(`release: ${why}`)
  process.exit(1)
}

const [directory, ...more] = process.argv.slice(2)
if (directory === undefined || more.length > 0) fail('name the folder that is made: npm run -s release -- DIRECTORY')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const commit = run('git', 'rev-parse', 'HEAD').trim()
const changed = run('git', 'status', '--porcelain').trim()
if (changed !== '') fail(`the clone differs from its commit, so that nobody could make the same:\n${changed}`)
const closed = process.platform === 'win32' ? [] : withOtherModes()
if (closed.length > 0)
  fail(
    `${closed.length} files have other modes than a clone with umask 022, and so would the packages: ${closed.slice(0, 3).join(', ')} …; clone it anew with umask 022`,
  )
const target = resolve(directory)
mkdirSync(target, { recursive: true })
if (readdirSync(target).length > 0) fail(`${target} is not empty`)

// files that are built now get the usual modes, too
process.umask(0o022)
rmSync(join(ROOT, 'panel/dist'), { recursive: true, force: true })
for (const path of PACKAGES) run('npm', 'pack', join(ROOT, path), '--pack-destination', target, '--loglevel', 'error')
const sbom = JSON.parse(run(process.execPath, join(ROOT, 'bin/sbom.mjs')))
// npm would use a random number and the current time
sbom.serialNumber = `urn:uuid:${uuidOf(`shelfwire ${commit}`)}`
sbom.metadata.timestamp = new Date(run('git', 'show', '-s', '--format=%cI', 'HEAD').trim()).toISOString()
writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
const sha256Of = (name) =>
  createHash('sha256')
    .update(readFileSync(join(target, name)))
    .digest('hex')
const subject = readdirSync(target)
  .toSorted()
  .map((name) => ({ name, digest: { sha256: sha256Of(name) } }))
const tag =
  run('git', 'tag', '--points-at', 'HEAD')
    .split('\n')
    .find((name) => name === `v${version}`) ?? null
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject,
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:shelfwire:release',
      externalParameters: { version, tag, command: 'npm ci --ignore-scripts && npm run -s release -- DIRECTORY' },
      resolvedDependencies: [
        { uri: 'git+.', digest: { gitCommit: commit } },
        {
          uri: 'package-lock.json',
          digest: {
            sha256: createHash('sha256')
              .update(readFileSync(join(ROOT, 'package-lock.json')))
              .digest('hex'),
          },
        },
      ],
    },
    runDetails: {
      builder: { id: 'urn:shelfwire:clone', version: { node: process.version, npm: run('npm', '--version').trim() } },
    },
  },
}
writeFileSync(join(target, 'provenance.json'), `${JSON.stringify(statement, null, 2)}\n`)
const sums = readdirSync(target)
  .toSorted()
  .map((name) => `${sha256Of(name)}  ${name}\n`)
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
if (tag === null) console.error(`release: no tag v${version} points at ${commit}: this is a trial`)
console.log(`${target}\n${sums.join('')}`)
