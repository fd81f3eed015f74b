import type { ReadLimits } from '../rows.ts'

// Finds where an object of a JSON text ends, for JSON.parse, which is several times as fast as a parser that takes its text in pieces.

/** Longer elements are left to the parser that takes pieces: what has no end is looked at again with each piece. */
const LENGTH_MAX = 262_144
/** Escapes of surrogates. Halves of a pair stay as they are in JSON.parse; the other parser replaces them. */
const SURROGATE = /\\u[dD][89a-fA-F]/

/**
 * The index after the object that begins at `from`; -1: its end is not in the text, or it is longer than these elements are; null: it may
 * be over a limit, and is to be read by the parser that says which. Whether it is valid is not checked.
 * @param depth of the list that it is in
 */
export function objectEnd(text: string, from: number, depth: number, limits: ReadLimits): number | null {
  const { importDepthMax, importRowValuesMax, importCellCharactersMax, importColumnsMax } = limits
  const deepest = importDepthMax - depth
  let level = 0
  let members = 0
  let values = 0
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      const close = closingQuote(text, i + 1)
      if (close === -1) return -1
      // with its escapes a text is at least as long as without them
      if (close - i > importCellCharactersMax) return null
      i = close
    } else if (code === 0x3a) {
      if (++members > importColumnsMax) return null
    } else if (code === 0x2c) {
      if (++values > importRowValuesMax) return null
    } else if (code === 0x7b || code === 0x5b) {
      if (++level > deepest) return null
    } else if ((code === 0x7d || code === 0x5d) && --level === 0) return i + 1
  }
  return -1
}

/** The index of the quote that ends a text; -1: it is not there. */
function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (before >= from && text.charCodeAt(before) === 0x5c) before--
    if ((quote - before) % 2 === 1) return quote
  }
  return -1
}

/** How much of a text may wait for the end of an element. */
export const unendedMax = ({ importRowBytesMax }: ReadLimits): number => Math.min(LENGTH_MAX, importRowBytesMax)

/** An object as JSON.parse reads it; undefined where the other parser is to be asked. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  if (!text.isWellFormed() || (text.includes('\\u') && SURROGATE.test(text))) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Whether there is nothing but blanks of JSON between two indexes. */
export function isBlankBetween(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false
  }
  return true
}
