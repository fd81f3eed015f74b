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

/** Elements that stand in lines of their own: what is before and after one is no single word. */
const BLOCKS =
  'address,article,aside,blockquote,br,caption,center,dd,details,div,dl,dt,fieldset,figcaption,figure,footer,form,h1,h2,h3,h4,h5,h6,header,hr,legend,li,main,nav,ol,option,p,pre,section,summary,table,tbody,td,tfoot,th,thead,title,tr,ul'

/** The same with blanks around what stands in lines of its own, also where its tags are not kept. */
function withBlanks(html: string): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const block of page.body.querySelectorAll(BLOCKS)) {
    block.before(' ')
    block.after(' ')
  }
  return page
}

/** A supplier's HTML without anything that could act, load or reach out of its place. */
export function asSafeHtml(html: string): string {
  return DOMPurify.sanitize(withBlanks(html).body.innerHTML, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['dir', 'lang', 'colspan', 'rowspan'],
  })
}

/** The words of a supplier's HTML. */
export function plainText(html: string): string {
  const page = new DOMParser().parseFromString(asSafeHtml(html), 'text/html')
  return (page.body.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}
