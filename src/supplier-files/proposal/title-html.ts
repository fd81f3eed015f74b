import { say } from '../../../contract/remarks/remarks.ts'
import { characterWithCode, ENTITIES } from '../xml/entities.ts'
import type { Column } from './sample-columns.ts'

// Finds tags and entities of HTML in titles, which shops show as plain text, and proposes what removes them.
// docs/decisions/271-zero-is-no-price.md says why.

/** Tags of formatted text; other words in angle brackets may be part of a title. */
const TAG =
  /<\/?(?:a|b|big|br|center|div|em|font|h[1-6]|hr|i|img|li|mark|ol|p|s|small|span|strike|strong|sub|sup|u|ul)(?:\s[^<>]{0,300}|\/)?\s{0,9}\/?>/giu
/** Tags between words that are apart. */
const BETWEEN_WORDS = /^<\/?(?:br|center|div|h[1-6]|hr|li|ol|p|ul)\b/iu
const ENTITY = /&(?:#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,8}\d{0,2});/giu

/** The most replacements that are proposed; with more, the tags have attributes of their own. */
const REPLACED_MAX = 40

const BASIC = ['&quot;', '&#34;', '&#39;', '&#039;', '&apos;', '&nbsp;', '&lt;', '&gt;']

/** The character of an entity; undefined for a name that is none of HTML. */
function characterOf(entity: string): string | undefined {
  const name = entity.slice(1, -1)
  if (!name.startsWith('#')) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]?.replace('\u00a0', ' ') : undefined
  const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  if (code === 0xa0) return ' '
  return code > 0x1f ? characterWithCode(code) : undefined
}

/** The tags and entities of HTML in titles, each with the text that replaces it, and the first title that has one. */
function htmlOf(titles: readonly string[]): { pairs: [string, string][]; example: string } | undefined {
  const entities = new Map<string, string>()
  let example: string | undefined
  for (const title of titles)
    for (const [entity] of title.matchAll(ENTITY)) {
      const character = characterOf(entity)
      if (character === undefined) continue
      entities.set(entity, character)
      example ??= title
    }
  if (entities.size > 0)
    for (const entity of BASIC) if (!entities.has(entity)) entities.set(entity, characterOf(entity) ?? '')
  // "&amp;lt;" is "&lt;", so "&amp;" is replaced after the others
  entities.delete('&amp;')
  const decoded = [...entities, ...(entities.size > 0 ? [['&amp;', '&'] as [string, string]] : [])]
  const tags = new Map<string, string>()
  for (const title of titles) {
    const text = decoded.reduce((said, [entity, character]) => said.replaceAll(entity, character), title)
    for (const [tag] of text.matchAll(TAG)) {
      tags.set(tag, BETWEEN_WORDS.test(tag) ? ' ' : '')
      example ??= title
    }
  }
  return example === undefined ? undefined : { pairs: [...decoded, ...tags], example }
}

const TITLE = /^(?:title|group_title)(?:\.|$)/u

/**
 * The sources of titles, with replacements that remove the HTML of the first rows. One question is asked, also where a source is more than a column, and
 * the HTML stays.
 * @param fields the fields of the mapping
 * @returns only the sources that change
 */
export function plainTitles(
  columns: readonly Column[],
  fields: Readonly<Record<string, unknown>>,
  ask: (question: string, field?: string) => void,
): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  let isAsked = false
  const askOnce = (question: string, field: string) => {
    if (!isAsked) ask(question, field)
    isAsked = true
  }
  for (const [field, source] of Object.entries(fields)) {
    if (!TITLE.test(field)) continue
    const read = JSON.stringify(source)
    const found = htmlOf(columns.flatMap(({ name, values }) => (read.includes(JSON.stringify(name)) ? values : [])))
    if (found === undefined) continue
    const example = found.example.slice(0, EXAMPLE_MAX)
    const { column, ...rest } = (typeof source === 'string' ? { column: source } : source) as Record<string, unknown>
    if (typeof column !== 'string' || rest['replace'] !== undefined || found.pairs.length > REPLACED_MAX) {
      askOnce(say('title_keeps_html', { example }), field)
      continue
    }
    plain[field] = { column, ...rest, replace: found.pairs }
    askOnce(say('title_with_html', { column, example }), field)
  }
  return plain
}
const EXAMPLE_MAX = 80
