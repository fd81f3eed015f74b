import DOMPurify from 'dompurify'

/** What a description may consist of: text and its order. No pictures, styles, links or forms: nothing that is fetched or pressed. */
const TAGS = [
  'b',
  'blockquote',
  'br',
  'caption',
  'code',
  'dd',
  'div',
  'dl',
  'dt',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'u',
  'ul',
]

/** A supplier's HTML without anything that could act, load or reach out of its place. */
export function asSafeHtml(html: string): string {
  return DOMPurify.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ['dir', 'lang', 'colspan', 'rowspan'] })
}
