import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { englishIn } from './english.ts'

// The panel has English, German and Polish texts: each text exists in every language, with all plural forms of the language.

const WORDS = new URL('../../panel/words/', import.meta.url)
const PLURAL = /_(one|few|many|other)$/

/** Texts of a language by file and key. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>()
  const collect = (value: unknown, key: string) => {
    if (typeof value === 'string') texts.set(key, value)
    else for (const [name, inner] of Object.entries(value as object)) collect(inner, `${key}.${name}`)
  }
  for (const file of readdirSync(new URL(`${language}/`, WORDS)))
    collect(JSON.parse(readFileSync(new URL(`${language}/${file}`, WORDS), 'utf8')), file.replace('.json', ''))
  return texts
}

const base = (key: string) => key.replace(PLURAL, '')
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).toSorted()
const english = textsOf('en')

test('English has texts, and none is empty', () => {
  expect(english.size).toBeGreaterThan(500)
  expect([...english].filter(([, text]) => text.trim() === '')).toEqual([])
})

describe.each(['en', 'de', 'pl'])('%s', (language) => {
  const texts = textsOf(language)
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories

  test('has the keys that English has', () => {
    expect(new Set([...texts.keys()].map(base))).toEqual(new Set([...english.keys()].map(base)))
  })

  test('has every plural form of the language', () => {
    const plurals = new Set([...texts.keys()].filter((key) => PLURAL.test(key)).map(base))
    expect(plurals.size).toBeGreaterThan(20)
    for (const key of plurals) {
      const found = [...texts.keys()].filter((other) => base(other) === key).map((other) => PLURAL.exec(other)?.[1])
      expect([key, new Set(found)]).toEqual([key, new Set(forms)])
    }
  })

  test('fills in what English fills in', () => {
    for (const [key, text] of texts) {
      const other = english.get(key) ?? english.get(`${base(key)}_other`) ?? ''
      // a text for exactly one may go without the number
      const wanted = placeholders(other)
      const given = placeholders(text)
      const isOne = key.endsWith('_one')
      expect([key, given], text).toEqual([
        key,
        isOne && given.length < wanted.length ? wanted.filter((name) => given.includes(name)) : wanted,
      ])
    }
  })
})

test.each(['de', 'pl'])('%s is translated: few texts are the English ones', (language) => {
  const same = [...textsOf(language)].filter(([key, text]) => english.get(key) === text && /[a-z]{4}/i.test(text))
  expect(same.length).toBeLessThan(english.size / 12)
})

test.each(['de', 'pl'])('%s has no English left over', (language) => {
  const left = [...textsOf(language)]
    .map(([key, text]) => [key, ...englishIn(text)])
    .filter(([, ...words]) => words.length > 0)
  expect(left).toEqual([])
  // the check's word list really finds English texts
  expect([...english.values()].filter((text) => englishIn(text).length > 0).length).toBeGreaterThan(english.size / 3)
})

describe('words come with the pages that speak them', () => {
  const PANEL = new URL('../../panel/', import.meta.url)
  const router = new URL('router.tsx', PANEL)
  const textOf = (file: URL) => readFileSync(file, 'utf8')
  const atStart = [...textOf(new URL('words/en.ts', PANEL)).matchAll(/^import \w+ from '\.\/en\/([\w-]+)\.json'/gm)]
  const namespaces = readdirSync(new URL('en/', WORDS)).map((file) => file.replace('.json', ''))
  const pages = [...textOf(router).matchAll(/import\('\.\/([^']+)'\)/g)].map(([, file]) => file ?? '')

  /** The files that a page loads, itself among them. */
  function loadedBy(file: URL, found = new Map<string, string>()): Map<string, string> {
    if (found.has(file.href) || !existsSync(file)) return found
    const text = textOf(file)
    found.set(file.href, text)
    for (const [, imported = ''] of text.matchAll(/(?:from|import|import\() ?'(\.[^']+\.tsx?)'/g))
      loadedBy(new URL(imported, file), found)
    return found
  }

  test('there are pages', () => {
    expect(pages.length).toBeGreaterThan(20)
    expect(atStart.length).toBeGreaterThan(3)
  })

  test.each(pages)('%s', (page) => {
    const texts = [...loadedBy(new URL(page, PANEL)).values()]
    const spoken = texts.flatMap((text) => [
      ...[...text.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(
        ([, list = '']) => list.match(/[\w-]+/g) ?? ['shared'],
      ),
      ...[...text.matchAll(/[`'"]([\w-]+):[\w$]/g)].map(([, name = '']) => name),
    ])
    const added = texts
      .filter((text) => text.includes('addWords({'))
      .flatMap((text) => [...text.matchAll(/from '[^']*\/en\/([\w-]+)\.json'/g)].map(([, name]) => name))
    const there = new Set([...added, ...atStart.map(([, name]) => name)])
    expect([...new Set(spoken)].filter((name) => namespaces.includes(name) && !there.has(name))).toEqual([])
  })
})
