import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

// All packages that are released together have the same version, wherever it is written.

const { version } = packageJson
const read = (path: string) => readFileSync(path, 'utf8')

test.each(globSync(['client/package.json', 'connectors/*/package.json']))(
  '%s has the version of the service',
  (path) => {
    const {
      version: own,
      dependencies,
      peerDependencies,
    } = JSON.parse(read(path)) as {
      version: string
      dependencies?: Record<string, string>
      peerDependencies?: Record<string, string>
    }
    const needed: Record<string, string> = { ...dependencies, ...peerDependencies }
    expect(own).toBe(version)
    expect(needed['@shelfwire/client'] ?? version).toBe(version)
  },
)

test.each([
  ['deploy/helm/shelfwire/Chart.yaml', /^(?:version|appVersion): (.+)$/gm, 2],
  ['clients/python/shelfwire.py', /^__version__ = "(.+)"$/gm, 1],
  ['client/README.md', /shelfwire-client-(.+?)\.tgz/g, 1],
  ['connectors/medusa/README.md', /shelfwire-(?:client|medusa)-(.+?)\.tgz/g, 2],
  ['connectors/vendure/README.md', /shelfwire-(?:client|vendure)-(.+?)\.tgz/g, 2],
] as const)('%s names it', (path, written, least) => {
  const found = Array.from(read(path).matchAll(written), ([, is]) => is)
  expect(found.length).toBeGreaterThanOrEqual(least)
  expect(new Set(found)).toEqual(new Set([version]))
})

test('the changelog says when it was released, and what will be next', () => {
  const headings = Array.from(read('CHANGELOG.md').matchAll(/^## (.+)$/gm), ([, heading]) => heading)
  expect(headings[0]).toBe('Unreleased')
  expect(headings[1]).toMatch(new RegExp(`^${version.replaceAll('.', String.raw`\.`)} \\(\\d{4}-\\d\\d-\\d\\d\\)$`))
})

test('a filled database of it is kept for the upgrade test', () => {
  expect(globSync(`test/upgrade/${version}.{json,sql}.gz`)).toHaveLength(2)
})

test('the operator reads until when each release is supported: the one before for 90 days after the newest came', () => {
  const released = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+)\.\d+ \((\S+)\)$/gm)].map(
    ([, is = '', day = '']) => ({
      is,
      day,
    }),
  )
  const rows = [...read('docs/operations.md').matchAll(/^\| (\d+\.\d+) \| (\S+) \| (.+) \|$/gm)]
  expect(rows.map(([, is, day]) => ({ is, day }))).toEqual(released)
  const ends = new Date(Date.parse(released[0]!.day) + 90 * 86_400_000).toISOString().slice(0, 10)
  expect(rows[0]![3]).toContain('90 days after')
  expect(rows[1]![3]).toContain(ends)
})
