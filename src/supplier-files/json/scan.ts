import type { ReadLimits } from '../rows.ts'

// Finds where an object in a JSON text ends, so that JSON.parse can read it. JSON.parse is several times as fast as the streaming parser.

/** Longer elements are left to the streaming parser, because an element without an end is scanned again with each piece. */
const LENGTH_MAX = 262_144
/** Escapes of surrogates. JSON.parse keeps unpaired ones; the streaming parser replaces them. */
const SURROGATE = /\\u[dD][89a-fA-F]/

/**
 * The index after the object that begins at `from`. -1: the text has no end of it yet. null: the object may exceed a limit; the streaming
 * parser has to read it and report which. Does not check that the object is valid JSON.
 * @param depth of the list that contains the object
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
      // a string with escapes is at least as long as its value
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

/** The index of the quote that ends a string; -1: the text has no such quote. */
function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (before >= from && text.charCodeAt(before) === 0x5c) before--
    if ((quote - before) % 2 === 1) return quote
  }
  return -1
}

/** How many characters may be kept until the end of their element arrives. */
export const unfinishedElementMax = ({ importRowBytesMax }: ReadLimits): number =>
  Math.min(LENGTH_MAX, importRowBytesMax)

/**
 * The object as JSON.parse reads it; undefined: the streaming parser has to read it, because it is not valid or has unpaired surrogates.
 */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  if (!text.isWellFormed() || (text.includes('\\u') && SURROGATE.test(text))) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Whether the text between two indexes is only JSON whitespace. */
export function isBlankBetween(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false
  }
  return true
}
