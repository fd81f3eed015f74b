// A product is cut as the text that is stored, not parsed and written anew: amounts stay the decimals that they are, and what is not
// asked for costs a search for its end.

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]

/**
 * A JSON object with those of its members that are named, byte for byte and in their order.
 * @param object without blanks between its tokens, as payloads are written.
 * @throws Error when it is not the text of an object.
 */
export function chosenMembers(object: string, names: ReadonlySet<string>): string {
  let chosen = ''
  let left = names.size
  for (let at = 1; left > 0 && at < object.length - 1;) {
    const nameEnd = closingQuote(object, at)
    const end = endOfValue(object, nameEnd + 2)
    if (names.has(object.slice(at + 1, nameEnd))) {
      chosen += chosen === '' ? object.slice(at, end) : `,${object.slice(at, end)}`
      left--
    }
    at = end + 1
  }
  return `{${chosen}}`
}

/** Where the value that begins at `from` has ended. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = closingQuote(text, i)
    else if (code === ARRAY || code === OBJECT) depth++
    else if (depth === 0 && (code === COMMA || code === OBJECT_END)) return i
    else if (code === ARRAY_END || code === OBJECT_END) depth--
  }
  throw new Error('a stored product is not a whole JSON object')
}

/** Long texts are searched by indexOf, which looks at several characters at once. */
function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at
  }
  throw new Error('a stored product is not a whole JSON object')
}
