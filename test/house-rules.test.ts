import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { LONGEST } from './harness/longest-first.ts'
import { MUTANTS } from './mutations/mutants.ts'

// The rules of style as tests, because a rule that nothing enforces does not last.

const root = new URL('..', import.meta.url).pathname
const files = (directory: string, ending: RegExp): string[] =>
  readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
const sources = ['bin', 'connectors', 'contract', 'src', 'panel', 'test', 'bench']
  .flatMap((directory) => files(directory, /\.(tsx?|mjs|css)$/))
  .filter(
    (file) => !file.startsWith('panel/dist') && !/^connectors\/\w+\/dist\/|\/(?:node_modules|\.medusa)\//.test(file),
  )
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('no source file has more than 500 lines', () => {
  expect(sources.length).toBeGreaterThan(100)
  const long = sources.filter((file) => read(file).split('\n').length > 500)
  expect(long).toEqual([])
})

test('no source file of a client in another language has more than 500 lines, but for the one that is all of its client', () => {
  const clients = files('clients', /\.(go|php|py)$/)
  expect(clients.length).toBeGreaterThan(0)
  expect(clients.filter((file) => read(file).split('\n').length > 500)).toEqual(['clients/python/shelfwire.py'])
})

test('no file is named utils, helpers, common, types, index or the like', () => {
  // Medusa requires this path for a plugin's module
  const demanded = /^connectors\/medusa\/src\/modules\/\w+\/index\.ts$/
  const catchAlls = sources.filter(
    (file) =>
      /^(utils?|helpers?|common|misc|lib|index|types|interfaces)\./.test(basename(file)) && !demanded.test(file),
  )
  expect(catchAlls, 'name the file after the word of the domain it is about').toEqual([])
})

test('no file re-exports other files', () => {
  const barrels = sources.filter((file) => /^export (\*|\{[^}]*\}) from/m.test(read(file)))
  expect(barrels).toEqual([])
})

test('SQL is in *.sql.ts files, src/db and src/embedded only', () => {
  const sql = /`\s*(select\s|insert into\s|delete from\s|update \w+ set\s|with \w+ as\s)/i
  const strays = sources.filter(
    (file) =>
      /^(src|connectors)\//.test(file) &&
      !/\.(sql|test)\.ts$/.test(file) &&
      !/^src\/(db|embedded)\//.test(file) &&
      sql.test(read(file)),
  )
  expect(strays).toEqual([])
})

test('notices to owners are inserted by one function', () => {
  const inserting = sources.filter((file) => file.startsWith('src/') && /insert into notice\b/i.test(read(file)))
  expect(inserting, 'call writeNotices').toEqual(['src/notices/write-notice.sql.ts'])
})

test('no comment says TODO, and no query selects *', () => {
  const marked = sources.filter(
    (file) => file !== 'test/house-rules.test.ts' && /\b(TODO|FIXME|XXX)\b/.test(read(file)),
  )
  expect(marked).toEqual([])
  const stars = sources.filter(
    (file) => file.endsWith('.sql.ts') && /select \* from (?!unnest)[a-z_]/i.test(read(file)),
  )
  expect(stars).toEqual([])
})

test('every test file and test title that docs/invariants.md names exists', () => {
  const text = read('docs/invariants.md')
  // a file, and one or more titles after it
  const tests = [
    ...text.matchAll(/`((?:src|test|contract)\/[^`]+\.test\.ts)`((?:(?:,? and|,)? (?:«[^»]+»|"[^"]+"))*)/g),
  ]
  expect(tests.length).toBeGreaterThan(9)
  const titles = tests.flatMap(([, file = '', list = '']) => {
    const body = read(file)
    const named = [...list.matchAll(/«([^»]+)»|"([^"]+)"/g)].map((match) => match[1] ?? match[2] ?? '')
    for (const title of named) expect(body, `${file} "${title}"`).toContain(title)
    return named
  })
  expect(titles.length).toBeGreaterThan(15)
})

test('each invariant of docs/invariants.md has one heading', () => {
  const numbers = [...read('docs/invariants.md').matchAll(/^## (I\d+)\. /gm)].map(([, number]) => number)
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
})

test('every source file and mutant that docs/invariants.md names exists', () => {
  const text = read('docs/invariants.md')
  const paths = [...text.matchAll(/`((?:src|test|contract|migrations)\/[^`]+)`/g)].map((match) => match[1] ?? '')
  expect(paths.length).toBeGreaterThan(30)
  expect([...new Set(paths)].filter((path) => !existsSync(join(root, path)))).toEqual([])
  // `mutant` or `mutants`, followed by their names
  const named = [...text.matchAll(/mutants? ((?:`[^`]+`(?:, | and )?)+)/g)].flatMap(([, list = '']) =>
    list.match(/[\w-]+(?=`)/g),
  )
  expect(named.length).toBeGreaterThan(20)
  const known = MUTANTS.map(({ name }) => name)
  expect(named.filter((name) => name === null || !known.includes(name))).toEqual([])
})

test('every migration is in CHANGELOG.md', () => {
  const changelog = read('CHANGELOG.md')
  for (const file of files('migrations', /^\d{3}-.*\.sql$/)) expect(changelog).toContain(basename(file, '.sql'))
})

test('every setting is in docs/operations.md', () => {
  const text = read('src/platform/settings/settings.ts')
  const names = [...text.matchAll(/(?:get|integer|flag|url|list|secret)\(\s*'([A-Z_]+)'/g)].map(
    (match) => match[1] ?? '',
  )
  expect(names.length).toBeGreaterThan(7)
  const documented = read('docs/operations.md')
  expect([...new Set(names)].filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

test('every link from one document to another leads to a file', () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'deploy/README.md',
    'CHANGELOG.md',
    ...files('clients', /\.md$/),
    ...files('connectors', /^README\.md$/),
    ...files('docs', /\.md$/),
  ]
  for (const file of documents) {
    for (const [, target = ''] of read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => read(join(file, '..', target)), `${file} -> ${target}`).not.toThrow()
    }
  }
})

test('ARCHITECTURE.md names every room, and every path that it and the glossary name exists', () => {
  const architecture = read('ARCHITECTURE.md')
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(rooms.filter(({ name }) => !architecture.includes(`\`src/${name}/`)).map(({ name }) => name)).toEqual([])
  const paths = [
    ...`${architecture}${read('docs/glossary.md')}`.matchAll(/`((?:src|contract|panel|test|migrations)\/[^`]*)`/g),
  ]
  expect(paths.length).toBeGreaterThan(60)
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the glossary has at most 45 words', () => {
  expect(read('docs/glossary.md').match(/^\| (?!word )/gm)?.length, 'leave out what is a standard term').toBeLessThan(
    46,
  )
})

test('every decision is named by the code that it explains, and every decision that is named exists', () => {
  const code = ['src', 'client/src', 'connectors', 'contract', 'panel', 'migrations'].flatMap((directory) =>
    files(directory, /\.(tsx?|sql|css)$/),
  )
  const named = (paths: readonly string[]) =>
    new Set(paths.flatMap((file) => read(file).match(/docs\/decisions\/[\w.-]*\w/g) ?? []))
  const decisions = files('docs/decisions', /\.md$/).filter((file) => !file.endsWith('/README.md'))
  const explained = named(code)
  expect(
    decisions.filter((file) => !explained.has(file)),
    'write "docs/decisions/….md says why." in a comment at the code it is about',
  ).toEqual([])
  const tools = ['.dependency-cruiser.mjs', '.dependency-cruiser.panel.mjs']
  expect([...named([...sources, ...code, ...tools])].filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('docs/decisions/README.md lists every decision once', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/^- \[(\d+)\]\(([^)]+)\)/gm)].map(([, , file]) => file)
  const there = files('docs/decisions', /^\d+-.*\.md$/).map((file) => basename(file))
  expect(listed.toSorted()).toEqual(there.toSorted())
})

test('every file that is started first exists', () => {
  expect(LONGEST.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
