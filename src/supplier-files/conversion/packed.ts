/** The separators of a packed cell: `size=XS,color=Black` has pair "," and assign "=". */
export interface PackedSigns {
  pair: string
  assign: string
}

/**
 * Splits a packed cell into keys and values, in order, trimmed. A piece without the assign sign continues the value before
 * it (`material=Cotton, Nylon`). The pair sign may occur within quotes: `"key=va,lue"` or `key="va,lue"`, where `""` is one
 * quote. Returns undefined if the first piece has no key.
 */
export function unpack(text: string, signs: PackedSigns): [string, string][] | undefined {
  const pairs: [string, string][] = []
  for (const piece of text.includes('"') ? splitQuoted(text, signs) : text.split(signs.pair)) {
    const at = piece.indexOf(signs.assign)
    if (at > 0) {
      pairs.push([piece.slice(0, at), piece.slice(at + signs.assign.length)])
      continue
    }
    const last = pairs.at(-1)
    if (last !== undefined) last[1] += signs.pair + piece
    else if (piece.trim() !== '') return undefined
  }
  for (const pair of pairs) {
    pair[0] = pair[0].trim()
    pair[1] = pair[1].trim()
  }
  return pairs
}

function splitQuoted(text: string, { pair, assign }: PackedSigns): string[] {
  const pieces: string[] = []
  let piece = ''
  // `from` is where text not yet in the piece starts; `opens`, whether a quote here would open a quoted value.
  let from = 0
  let opens = true
  let closes = true
  for (let at = 0; at < text.length;) {
    const close = text[at] === '"' && opens && closes ? quoteEnd(text, at + 1, pair) : -1
    if (close !== -1) {
      piece += text.slice(from, at) + text.slice(at + 1, close).replaceAll('""', '"')
      from = at = close + 1
      opens = false
    } else if (text.startsWith(pair, at)) {
      pieces.push(piece + text.slice(from, at))
      piece = ''
      from = at += pair.length
      opens = true
    } else if (text.startsWith(assign, at)) {
      at += assign.length
      opens = true
    } else {
      // if no quote closes from here on, none does later: searching again would take quadratic time
      if (text[at] === '"' && opens) closes = false
      if (text[at] !== ' ') opens = false
      at++
    }
  }
  pieces.push(piece + text.slice(from))
  return pieces
}

/** Index of the closing quote, which is followed by the pair sign or the end; -1: there is none, the quote is plain text. */
function quoteEnd(text: string, from: number, pair: string): number {
  for (let close = text.indexOf('"', from); close !== -1; close = text.indexOf('"', close + 1)) {
    if (text[close + 1] === '"') close++
    else if (text.slice(close + 1).trimStart() === '' || text.startsWith(pair, close + 1)) return close
  }
  return -1
}
