// Members are cut from the stored text instead of parsing it and writing it again: amounts keep their decimal form, and a skipped
// member costs only the search for its end.

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]

/**
 * A JSON object reduced to the named members, byte for byte and in their order.
 * @param object JSON without white space between tokens, as payloads are written.
 * @throws Error if it is not the text of an object.
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

/** The index after the value that begins at `from`. */
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

/** The index of the closing quote. Uses indexOf, which compares several characters at once, because texts may be long. */
function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at
  }
  throw new Error('a stored product is not a whole JSON object')
}
