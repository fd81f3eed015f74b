import { escapeHtml } from '../../platform/text/escape-html.ts'
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { PROBLEM_KINDS } from '../../../contract/problems.ts'
import { PACKAGE_ROOT } from '../../platform/process/package.ts'
import { frame, header } from './frame.ts'
import { GUIDES } from './guides.ts'
import { sectionsOf } from './markdown.ts'
import type { Parameter, Reference, Schema } from './reference/operations.ts'

// One search over guides, operations and problems. All texts together are 1 MB, so a scan is fast enough and there is no index.

interface Entry {
  kind: 'Guide' | 'API' | 'Problem'
  title: string
  /** The group or guide that it belongs to. */
  of: string
  /** Relative to /docs/. */
  href: string
  text: string
  /** Title and alternative names, in lower case: matches here rank higher. */
  head: string
  /** All searched text, in lower case. */
  all: string
}

export type SearchIndex = readonly Entry[]

const RESULTS_MAX = 40
const WORDS_MAX = 8
/** Characters shown before and after a found word. */
const AROUND = 90

const entry = ({ kind, title, of, href, text }: Omit<Entry, 'head' | 'all'>, names = ''): Entry => {
  const head = `${title} ${names}`.toLowerCase()
  return { kind, title, of, href, text, head, all: `${head} ${of} ${text}`.toLowerCase() }
}

/** Builds the index, one guide after the other, so that it yields to other requests. */
export async function searchIndex(reference: Reference): Promise<SearchIndex> {
  const entries: Entry[] = []
  for (const { title: of, operations } of reference.groups)
    for (const { id, summary, description, method, path, parameters, body } of operations)
      entries.push(
        entry(
          {
            kind: 'API',
            title: summary,
            of,
            href: `api/${id}`,
            text: [
              `${method} ${path}.`,
              description,
              ...parameters.map(parameterText),
              ...Object.values(body ?? {}).map(({ schema }) => names(schema)),
            ].join(' '),
          },
          `${method} ${path} ${id}`,
        ),
      )
  for (const [code, { title, meaning, advice }] of PROBLEM_KINDS)
    entries.push(
      entry({ kind: 'Problem', title: code, of: title, href: `problems#${code}`, text: `${meaning} ${advice}` }),
    )
  for (const guide of GUIDES) {
    await setImmediate()
    for (const { id, words, text } of sectionsOf(await readFile(new URL(guide.file, PACKAGE_ROOT), 'utf8')))
      entries.push(
        entry({
          kind: 'Guide',
          title: words,
          of: guide.title,
          text,
          href: `guides/${guide.name}${id === null ? '' : `#${id}`}`,
        }),
      )
  }
  return entries
}

const parameterText = ({ name, description = '' }: Parameter) => `${name}: ${description}`
const names = (schema: Schema) => Object.keys(schema['properties'] ?? {}).join(' ')

/** Entries that contain every word, those with the words in their titles first. */
export function find(index: SearchIndex, asked: string): readonly Entry[] {
  const words = wordsOf(asked)
  if (words.length === 0) return []
  const phrase = words.join(' ')
  const found = index.flatMap((each) => {
    if (!words.every((word) => each.all.includes(word))) return []
    const inHead = words.filter((word) => each.head.includes(word)).length / words.length
    const score =
      inHead * 10 +
      (each.head.startsWith(phrase) ? 8 : each.head.includes(phrase) ? 5 : each.all.includes(phrase) ? 2 : 0) +
      // the changelog mentions everything, so it ranks last
      (each.href.startsWith('guides/changelog') ? -8 : each.kind === 'Guide' ? 0 : 1)
    return [{ each, score }]
  })
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ each }) => each)
}

const wordsOf = (asked: string) =>
  asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)

/** /docs/search */
export function searchPage(index: SearchIndex, asked: string): string {
  const found = find(index, asked)
  const words = wordsOf(asked)
  const results = found.map(
    ({ kind, title, of, href, text }) =>
      `<li><p class="found"><a href="${escapeHtml(href)}">${marked(title, words)}</a><span>${kind} · ${escapeHtml(of)}</span></p><p>${marked(excerpt(text, words), words)}</p></li>`,
  )
  const main =
    found.length === 0
      ? `<h1>Search</h1>\n<p>${words.length === 0 ? 'Guides, operations and problems are searched together.' : `Nothing has ${words.map((word) => `<strong>${escapeHtml(word)}</strong>`).join(' and ')}. Fewer words find more.`}</p>`
      : `<h1>Search: ${escapeHtml(asked)}</h1>\n<ol class="results">${results.join('\n')}</ol>`
  return frame({
    title: asked === '' ? 'Search – Shelfwire' : `${asked} – Shelfwire`,
    root: '',
    body: `${header('', null, asked)}\n<main class="home">\n${main}\n</main>`,
  })
}

function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0))
  const from = Number.isFinite(at) ? Math.max(0, at - AROUND) : 0
  const piece = text.slice(from, from + 2 * AROUND)
  return `${from > 0 ? '… ' : ''}${piece.trim()}${from + 2 * AROUND < text.length ? ' …' : ''}`
}

function marked(text: string, words: readonly string[]): string {
  if (words.length === 0) return escapeHtml(text)
  const sought = new RegExp(
    words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'),
    'gi',
  )
  let html = ''
  let from = 0
  for (const { index, 0: found } of text.matchAll(sought)) {
    html += `${escapeHtml(text.slice(from, index))}<mark>${escapeHtml(found)}</mark>`
    from = index + found.length
  }
  return html + escapeHtml(text.slice(from))
}
