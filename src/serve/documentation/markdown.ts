import MarkdownIt, { type Token } from 'markdown-it'
import { posix } from 'node:path'
import { GUIDE_PICTURE, GUIDES } from './guides.ts'

/** A document as HTML, with its headings of the second level. */
export interface Rendered {
  html: string
  headings: readonly { id: string; text: string }[]
}

// raw HTML is shown as text
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
markdown.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n'
markdown.renderer.rules['table_close'] = () => '</table></div>\n'

/**
 * @param text Markdown.
 * @param file its path within the package, against which links are resolved.
 * @param root relative path from the page to /docs/.
 */
export function renderDocument(text: string, file: string, root: string): Rendered {
  const tokens = markdown.parse(text, {})
  const headings: { id: string; text: string }[] = []
  const idOf = fragments()
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'inline') token.children = linked(token.children ?? [], file, root)
    if (token.type !== 'heading_open') continue
    const words = textOf(tokens[i + 1])
    const id = idOf(words)
    token.attrSet('id', id)
    if (token.tag === 'h2') headings.push({ id, text: words })
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings }
}

/** Makes ids of headings, called in document order: a repeated heading gets a number, as on code hosting sites. */
function fragments(): (words: string) => string {
  const taken = new Map<string, number>()
  return (words) => {
    const slug = slugOf(words)
    const before = taken.get(slug) ?? 0
    taken.set(slug, before + 1)
    return before === 0 ? slug : `${slug}-${before}`
  }
}

/** The text of a document, split at its headings, for the search. The section before the second heading has the id null: it is the page. */
export function sectionsOf(document: string): { id: string | null; words: string; text: string }[] {
  const tokens = markdown.parse(document, {})
  const idOf = fragments()
  const sections: { id: string | null; words: string; texts: string[] }[] = []
  let isHeading = false
  for (const token of tokens) {
    if (token.type === 'heading_open') isHeading = true
    else if (token.type === 'inline' && isHeading) {
      const words = textOf(token)
      const id = idOf(words)
      sections.push({ id: sections.length === 0 ? null : id, words, texts: [] })
      isHeading = false
    } else if (token.type === 'inline') sections.at(-1)?.texts.push(textOf(token))
    else if (token.type === 'fence') sections.at(-1)?.texts.push(token.content)
  }
  return sections.map(({ id, words, texts }) => ({ id, words, text: texts.join(' ') }))
}

/** One line of Markdown with emphasis and code, without a paragraph around it. */
export const renderLine = (text: string): string => markdown.renderInline(text)

/** The address of a document's link on the served pages; null: the linked file is not served. */
export function servedLink(href: string, file: string, root: string): string | null {
  if (/^(?:https?:|#)/.test(href)) return href
  const [path = '', fragment] = href.split('#', 2)
  const target = posix.join(posix.dirname(file), path)
  const guide = GUIDES.find((entry) => entry.file === target)
  return guide === undefined ? null : `${root}guides/${guide.name}${fragment === undefined ? '' : `#${fragment}`}`
}

/** The address of a document's picture on the served pages; null: it is not served. */
function servedPicture(src: string, file: string, root: string): string | null {
  const target = posix.join(posix.dirname(file), src)
  const name = posix.basename(target)
  return posix.dirname(target) === 'docs/panel' && GUIDE_PICTURE.test(name) ? `${root}guides/${name}` : null
}

/** Points links to served pages. Of a link to any other file only the text is kept. */
function linked(tokens: readonly Token[], file: string, root: string): Token[] {
  let isDropped = false
  return tokens.filter((token) => {
    if (token.type === 'image') {
      const src = servedPicture(String(token.attrGet('src') ?? ''), file, root)
      if (src !== null) token.attrSet('src', src)
      return src !== null
    }
    if (token.type === 'link_open') {
      const href = servedLink(String(token.attrGet('href') ?? ''), file, root)
      isDropped = href === null
      if (href !== null) token.attrSet('href', href)
      return href !== null
    }
    return !(token.type === 'link_close' && isDropped)
  })
}

const textOf = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('')

/** The id of a heading, made as on code hosting sites, for which the documents' links are written. */
const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
