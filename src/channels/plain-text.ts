/** Inline elements, which may be within a word. Every other element separates words. */
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'code',
  'em',
  'font',
  'i',
  'mark',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
  'wbr',
])
/** Elements whose content is not shown as text. */
const MUTE = new Set(['script', 'style'])

const NAMED = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    shy: '',
    copy: '©',
    reg: '®',
    trade: '™',
    deg: '°',
    plusmn: '±',
    times: '×',
    middot: '·',
    bull: '•',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    laquo: '«',
    raquo: '»',
    euro: '€',
    pound: '£',
    cent: '¢',
    yen: '¥',
    sect: '§',
    frac12: '½',
    frac14: '¼',
    frac34: '¾',
    sup2: '²',
    sup3: '³',
    micro: 'µ',
    Oslash: 'Ø',
    oslash: 'ø',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    aacute: 'á',
    agrave: 'à',
    acirc: 'â',
    atilde: 'ã',
    aring: 'å',
    aelig: 'æ',
    ccedil: 'ç',
    eacute: 'é',
    egrave: 'è',
    ecirc: 'ê',
    euml: 'ë',
    iacute: 'í',
    igrave: 'ì',
    icirc: 'î',
    iuml: 'ï',
    ntilde: 'ñ',
    oacute: 'ó',
    ograve: 'ò',
    ocirc: 'ô',
    otilde: 'õ',
    uacute: 'ú',
    ugrave: 'ù',
    ucirc: 'û',
    yacute: 'ý',
    Aacute: 'Á',
    Agrave: 'À',
    Aring: 'Å',
    AElig: 'Æ',
    Ccedil: 'Ç',
    Eacute: 'É',
    Egrave: 'È',
    Ntilde: 'Ñ',
    Oacute: 'Ó',
    Uacute: 'Ú',
  }),
)

/** Returns one line of well-formed text that has only characters allowed in XML 1.0; white space becomes single spaces, without any at the ends. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[^ -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .trim()
}

/** Extracts the text of HTML, or of text that only looks like it, in linear time. */
export function plainText(html: string): string {
  return cleanText(decodeReferences(withoutMarkup(html)))
}

function withoutMarkup(html: string): string {
  if (!html.includes('<')) return html
  let text = ''
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    if (open === -1) return text + html.slice(at)
    text += html.slice(at, open)
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4)
      if (end === -1) return text
      text += ' '
      at = end + 3
      continue
    }
    // a "<" as in "a < b" opens no element
    const name = /^[a-z][a-z0-9-]*|^[/!?]/i.exec(html.slice(open + 1, open + 20))?.[0]?.toLowerCase()
    if (name === undefined) {
      text += '<'
      at = open + 1
      continue
    }
    const close = tagEnd(html, open)
    // the tag is never closed: the rest is text
    if (close === -1) return text + html.slice(open)
    const element =
      name === '/' ? (/^[a-z][a-z0-9-]*/i.exec(html.slice(open + 2, open + 20))?.[0]?.toLowerCase() ?? '') : name
    if (!INLINE.has(element)) text += ' '
    at = close + 1
    if (!MUTE.has(name)) continue
    const ending = new RegExp(`</${name}`, 'gi')
    ending.lastIndex = at
    const end = ending.exec(html)
    if (end === null) return text
    at = end.index
  }
}

/** The end of a tag: the first `>` outside of quoted attribute values, or, if a quote is never closed, the first one. */
function tagEnd(html: string, open: number): number {
  for (let at = open + 1; at < html.length; at++) {
    const sign = html[at]
    if (sign === '>') return at
    if (sign !== '"' && sign !== "'") continue
    const closing = html.indexOf(sign, at + 1)
    if (closing === -1) return html.indexOf('>', at)
    at = closing
  }
  return -1
}

function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,7}));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? whole
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
    },
  )
}
