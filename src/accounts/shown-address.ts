import { LIMITS } from '../platform/limits.ts'

// A request's URL as the log of its token shows it.

/** Secrets of ours: tokens, links and sessions, which have a prefix and at least 32 further characters. */
const SECRET = /sw[a-z]?_[\w-]{32,}/gi
/** The prefix of a secret. */
const BEGINNING = /sw[a-z]?_/i
/** The brackets in the name of a list's element: `ids[]`, `ids[0]`. */
const ELEMENT = /(?:\[|%5B).*$/i
/** Replaces hidden text. */
const HIDDEN = '…'

/** The text with our own secrets hidden. */
export const withoutSecrets = (text: string): string => text.replaceAll(SECRET, HIDDEN)

/**
 * Path and query without secrets, cut to LIMITS.tokenRequestAddressCharacters. Of a parameter that the route does not declare only the name
 * is shown, because a client may have sent its token, or somebody's password, in one.
 * @param target the request target as sent, possibly a whole URL. @param isDeclared whether the route declares a parameter
 */
export function shownAddress(target: string, isDeclared: (name: string) => boolean): string {
  const max = LIMITS.tokenRequestAddressCharacters
  // only twice the shown length is processed, so that a long URL costs no more than others
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const part = withoutSecrets(path.slice(0, 2 * max))
  const known = path.length > 2 * max ? withoutCutSecret(part) : part
  const mark = known.indexOf('?')
  const text = mark === -1 ? known : `${known.slice(0, mark)}?${shownQuery(known.slice(mark + 1), isDeclared)}`
  const plain = text.replaceAll(/[^\x20-\x7e…]/g, HIDDEN)
  return plain.length > max ? plain.slice(0, max - 1) + HIDDEN : plain
}

/** Hides a secret whose end was cut off. In two steps, because one pattern would try every prefix up to the end of the text. */
function withoutCutSecret(text: string): string {
  const tail = text.split(/[^\w-]/).at(-1) ?? ''
  const begins = tail.search(BEGINNING)
  return begins === -1 ? text : text.slice(0, text.length - tail.length + begins) + HIDDEN
}

function shownQuery(query: string, isDeclared: (name: string) => boolean): string {
  return query
    .split('&')
    .map((entry) => {
      const [name = ''] = entry.split('=', 1)
      if (entry === '' || isDeclared(name.replace(ELEMENT, ''))) return entry
      return entry.includes('=') ? `${name}=${HIDDEN}` : HIDDEN
    })
    .join('&')
}
