import DOMPurify from 'dompurify'

/**
 * The allowed elements of a description: text and its structure. No pictures, styles, links or forms, so that nothing is loaded and
 * nothing can be clicked.
 */
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

/** Block elements, which separate words. */
const BLOCKS =
  'address,article,aside,blockquote,br,caption,center,dd,details,div,dl,dt,fieldset,figcaption,figure,footer,form,h1,h2,h3,h4,h5,h6,header,hr,legend,li,main,nav,ol,option,p,pre,section,summary,table,tbody,td,tfoot,th,thead,title,tr,ul'

/** The document with blanks around block elements, so that words stay separate if their tags are removed. */
function withBlanks(html: string): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const block of page.body.querySelectorAll(BLOCKS)) {
    block.before(' ')
    block.after(' ')
  }
  return page
}

/** A supplier's HTML without anything that could run, load, or be placed elsewhere on the page. */
export function asSafeHtml(html: string): string {
  return DOMPurify.sanitize(withBlanks(html).body.innerHTML, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['dir', 'lang', 'colspan', 'rowspan'],
  })
}

/** The plain text of a supplier's HTML. */
export function plainText(html: string): string {
  const page = new DOMParser().parseFromString(asSafeHtml(html), 'text/html')
  return (page.body.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}
