// Invisible characters. A text that consists of them alone counts as missing, so that it does not hide a real one.

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** White space (Unicode), and characters that are invisible and meaningless at the ends of a text. */
const OUTER: ReadonlySet<number> = new Set([
  ...range(0x09, 0x0d),
  0x20,
  0x85,
  0xa0,
  0x1680,
  ...range(0x2000, 0x200a),
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  0x3000,
  // soft hyphen, Mongolian vowel separator, zero width space, word joiner, byte order mark
  0xad,
  0x180e,
  0x200b,
  0x2060,
  0xfeff,
])

const NON_JOINER = 0x200c
const JOINER = 0x200d

/**
 * Characters that are invisible alone but may affect their neighbours: joiners, direction marks, variation selectors,
 * Hangul and braille fillers, invisible operators, control characters.
 */
const UNSEEN: ReadonlySet<number> = new Set([
  ...OUTER,
  ...range(0x01, 0x08),
  ...range(0x0e, 0x1f),
  ...range(0x7f, 0x9f),
  0x34f,
  0x61c,
  0x115f,
  0x1160,
  0x17b4,
  0x17b5,
  ...range(0x180b, 0x180f),
  ...range(0x200c, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2061, 0x206f),
  0x2800,
  0x3164,
  ...range(0xfe00, 0xfe0f),
  0xffa0,
  ...range(0xfff9, 0xfffb),
])

/** All of them as one string, for SQL's btrim. */
export const UNSEEN_CHARACTERS = String.fromCharCode(...UNSEEN)

/** Whether a text consists of invisible characters alone. */
export function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!UNSEEN.has(text.charCodeAt(i))) return false
  return true
}

const isPlain = (code: number) => code > 0x20 && code < 0x7f

/**
 * The text without invisible characters at its ends. Joiners are removed too, except after a combining mark, where a
 * joiner decides how the last letter of a word is written in Malayalam, Sinhala and others. The inside of the text is
 * unchanged.
 */
export function trimmed(text: string): string {
  let end = text.length
  // most texts begin and end with a visible ASCII character
  if (end > 0 && isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(end - 1))) return text
  let start = 0
  const isOuter = (code: number) => OUTER.has(code) || code === NON_JOINER || code === JOINER
  while (start < end && isOuter(text.charCodeAt(start))) start++
  while (end > start) {
    const code = text.charCodeAt(end - 1)
    if (!isOuter(code)) break
    const isJoiner = code === NON_JOINER || code === JOINER
    if (isJoiner && /\p{M}/u.test(text.charAt(end - 2))) break
    end--
  }
  return text.slice(start, end)
}

/** The trimmed text; null if it is missing or invisible. */
export function visible(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const shown = trimmed(text)
  return isBlank(shown) ? null : shown
}
