import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { buildPanel } from '../../bin/panel.mjs'

// The build of the panel, and the size of the part that the first page loads.

const BUILT = new URL('../../panel/dist/', import.meta.url)
const FIRST_LOAD_BYTES_MAX = 250_000
const read = (file: string) => readFileSync(new URL(file, BUILT))
let page = ''

beforeAll(async () => {
  expect(await buildPanel()).toBe(true)
  page = read('index.html').toString()
  // longer than the usual limit, for a busy machine
}, 240_000)

test('the first load is less than 250 kB: page, scripts, styles, font and the sign-in, compressed', () => {
  const named = [...page.matchAll(/(?:src|href)="\/panel\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? '')
  expect(named.length).toBeGreaterThan(3)
  // and the chunks that the sign-in page loads, with their imports
  const files = readdirSync(new URL('assets/', BUILT))
  const own = new Set(files.filter((file) => /^(?:sign-in|PasswordInput|form|passkeys)-.*\.(?:js|css)$/.test(file)))
  for (const file of own)
    if (file.endsWith('.js'))
      for (const [, imported = ''] of read(`assets/${file}`)
        .toString()
        .matchAll(/(?:from|import)"\.\/([^"]+)"/g))
        own.add(imported)
  const font = files.filter((file) => /^inter-latin-wght.*\.woff2$/.test(file))
  expect(font).toHaveLength(1)
  const loaded = [...new Set([...named, ...[...own].map((file) => `assets/${file}`)])].map(
    (file) => read(`${file}.br`).length,
  )
  const total =
    read('index.html').length + loaded.reduce((sum, bytes) => sum + bytes, 0) + read(`assets/${font[0]}`).length
  expect(total).toBeGreaterThan(100_000)
  expect(total).toBeLessThan(FIRST_LOAD_BYTES_MAX)
})

test('the chart library and the other languages are not in it', () => {
  for (const [, file = ''] of page.matchAll(/\/panel\/(assets\/[^"]+\.js)"/g)) {
    const text = read(file).toString()
    expect(text).not.toContain('recharts')
    expect(text).not.toContain('Zaloguj się')
  }
})

test('the library of the schemas is in no script', () => {
  // a member of every TypeBox schema, which minifiers do not rename
  const has = (text: string) => text.includes('~kind')
  expect(
    has(readFileSync(new URL('../../node_modules/typebox/build/type/types/string.mjs', import.meta.url), 'utf8')),
  ).toBe(true)
  const scripts = readdirSync(new URL('assets/', BUILT)).filter((file) => file.endsWith('.js'))
  expect(scripts.filter((file) => has(read(`assets/${file}`).toString()))).toEqual([])
})

test('what is compressed is what is not', () => {
  const files = readdirSync(new URL('assets/', BUILT)).filter((file) => /\.(?:js|css)$/.test(file))
  expect(files.length).toBeGreaterThan(20)
  for (const file of files)
    expect(brotliDecompressSync(read(`assets/${file}.br`)).equals(read(`assets/${file}`)), file).toBe(true)
})

test('the page has no script or style of its own, which its policy would refuse', () => {
  expect(page).toContain('__CSP_NONCE__')
  expect(page).not.toMatch(/<style|style="|<script(?![^>]*\bsrc=)/)
})
