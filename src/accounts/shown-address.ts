import { LIMITS } from '../platform/limits.ts'

// The address of a request as the log of its token shows it.

/** Our secrets in a text: tokens, links and sessions have a prefix and 38 characters or more. */
const SECRET = /sw[a-z]?_[\w-]{32,}/gi
/** Where one begins. */
const BEGINNING = /sw[a-z]?_/i
/** What an element of a list is named: `ids[]`, `ids[0]`. */
const ELEMENT = /(?:\[|%5B).*$/i
/** In place of what is not shown. */
const HIDDEN = '…'

/** A text in which our own secrets are hidden. */
export const withoutSecrets = (text: string): string => text.replaceAll(SECRET, HIDDEN)

/**
 * Path and query without secrets, cut to LIMITS.tokenRequestAddressCharacters. Of parameters that the route does not know the name is shown
 * alone: a client may have sent its token, or somebody's password, in one.
 * @param target as it was sent; also a whole URL. @param isDeclared whether the route knows a parameter
 */
export function shownAddress(target: string, isDeclared: (name: string) => boolean): string {
  const max = LIMITS.tokenRequestAddressCharacters
  // twice as much is looked at as is shown, so that a long one costs no more than others
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const part = withoutSecrets(path.slice(0, 2 * max))
  const known = path.length > 2 * max ? withoutCutSecret(part) : part
  const mark = known.indexOf('?')
  const text = mark === -1 ? known : `${known.slice(0, mark)}?${shownQuery(known.slice(mark + 1), isDeclared)}`
  const plain = text.replaceAll(/[^\x20-\x7e…]/g, HIDDEN)
  return plain.length > max ? plain.slice(0, max - 1) + HIDDEN : plain
}

/** Without a secret whose end was cut off. In steps, because one pattern would try every beginning up to the end. */
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
