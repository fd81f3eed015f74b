// An "&" that begins no entity, as in `?a=1&b=2` and `AT&T`, is an error in XML that many shops make. Its meaning is certain, so it is read as
// a plain "&". docs/decisions/269-what-is-certain-is-read.md says why.

const BARE = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[\p{L}_][\p{L}\p{N}_.-]{0,60});)/giu
/** What begins a section in which an "&" is a plain character, and what ends it. */
const OPENING = /<!\[CDATA\[|<!--|<\?/g
const ENDS: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' }
/** The end of a piece that the next one may complete: to a reference, or to the beginning of such a section. */
const UNFINISHED = /(?:&[#\p{L}\p{N}_.-]{0,62}|<(?:!(?:-|\[[A-Z]{0,5})?)?)$/u
const UNFINISHED_MAX = 64

/** Writes each "&" of a document that begins no entity as "&amp;", piece by piece. */
export class BareAmpersands {
  /** What ends the current section in which an "&" is a plain character; undefined outside of one. */
  #end: string | undefined
  #held = ''

  /** @returns the text, corrected; its end may be kept for the next piece */
  take(piece: string): string {
    const text = this.#held + piece
    const parts: string[] = []
    let at = 0
    for (;;) {
      if (this.#end !== undefined) {
        const found = text.indexOf(this.#end, at)
        // the end of the section may be split between this piece and the next
        const to = found === -1 ? Math.max(at, text.length - this.#end.length + 1) : found + this.#end.length
        parts.push(text.slice(at, to))
        at = to
        if (found === -1) break
        this.#end = undefined
      }
      OPENING.lastIndex = at
      const [opening] = OPENING.exec(text) ?? []
      const to =
        opening === undefined
          ? text.length - (UNFINISHED.exec(text.slice(Math.max(at, text.length - UNFINISHED_MAX)))?.[0].length ?? 0)
          : OPENING.lastIndex
      parts.push(escaped(text.slice(at, to)))
      at = to
      if (opening === undefined) break
      this.#end = ENDS[opening]
    }
    this.#held = text.slice(at)
    return parts.join('')
  }

  /** The text that was kept, at the end of the document. */
  rest(): string {
    const held = this.#held
    this.#held = ''
    return this.#end === undefined ? escaped(held) : held
  }
}

const escaped = (text: string): string => (text.includes('&') ? text.replace(BARE, '&amp;') : text)
