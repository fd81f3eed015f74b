import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'

/**
 * Parses JSON of writes: valid UTF-8, no duplicate member, at most LIMITS.jsonDepthMax deep. JSON.parse would silently take
 * the last of two members, although it is unknown which one is meant.
 * @throws ShelfwireError bad-request, naming the place.
 */
export function parseStrictJson(bytes: Uint8Array, bounds: TextBounds = {}): StrictValue {
  const text = decodeStrict(bytes)
  requireNotBlank(text)
  return parseStrictText(text, bounds)
}

/** @throws ShelfwireError bad-request for a text that is empty or only white space. */
export function requireNotBlank(text: string): void {
  if (text.trim() === '') throw new ShelfwireError('bad-request', 'the body is empty; send JSON')
}

/** @throws ShelfwireError bad-request unless it is valid UTF-8. */
function decodeStrict(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new ShelfwireError('bad-request', 'the body is not valid UTF-8')
  }
}

/** Bounds of a text that is a part of its body. */
export interface TextBounds {
  /** How deep the text is nested in its body. */
  outerDepth?: number
  /** How many values it may have, containers included. */
  valuesMax?: number
}

/** A parsed JSON value with the number of values in it. */
export interface StrictValue {
  value: unknown
  /** The number of values, containers included; an empty container counts as two. */
  values: number
}

/**
 * parseStrictJson for a decoded text that is a part of a body.
 * @throws ShelfwireError payload-too-large for too many values, with a message whose subject the caller adds.
 */
export function parseStrictText(text: string, { outerDepth = 0, valuesMax = Infinity }: TextBounds = {}): StrictValue {
  const { members, values } = scanText(text, outerDepth, valuesMax)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ShelfwireError(
      'bad-request',
      `the body is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
    )
  }
  if (countMembers(value) !== members) throwDuplicate(text)
  return { value, values }
}

/**
 * Counts members by colons and values by commas and brackets, and checks depth and values before the text is parsed: parsing is
 * recursive, and three bytes such as "[]," become a value of forty bytes.
 */
function scanText(text: string, outerDepth: number, valuesMax: number): { members: number; values: number } {
  let depth = outerDepth
  let members = 0
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = stringEnd(text, i)
    else if (code === 0x3a) members++
    else if (code === 0x2c) values++
    else if (code === 0x7b || code === 0x5b) {
      values++
      if (++depth > LIMITS.jsonDepthMax)
        throw new ShelfwireError(
          'bad-request',
          `the body is nested deeper than ${LIMITS.jsonDepthMax} levels, at character ${i + 1}`,
        )
    } else if (code === 0x7d || code === 0x5d) depth--
    if (values > valuesMax) throw new ShelfwireError('payload-too-large', `has more than ${valuesMax} values`)
  }
  return { members, values }
}

/** Index of the closing quote of the string at `start`; the length of a text that is cut off. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5c) i++
    else if (code === 0x22) return i
  }
  return text.length
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) {
    let members = 0
    for (const entry of value) members += countMembers(entry)
    return members
  }
  let members = 0
  for (const key of Object.keys(value)) members += 1 + countMembers((value as Record<string, unknown>)[key])
  return members
}

/** Finds the first duplicate member in a valid text that has one. @throws ShelfwireError bad-request */
function throwDuplicate(text: string): never {
  const open: { names: Set<string> | null; index: number; at: string }[] = []
  let last = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const top = open.at(-1)
    if (code === 0x22) {
      const end = stringEnd(text, i)
      last = text.slice(i, end + 1)
      i = end
    } else if (code === 0x3a && top?.names) {
      const name = JSON.parse(last) as string
      if (top.names.has(name)) {
        const path = [...open.slice(1).map((level) => level.at), name].join('.')
        throw new ShelfwireError('bad-request', `the body has "${path.slice(0, 200)}" twice`, {
          faults: [{ name: path.slice(0, 200), reason: 'is duplicated' }],
        })
      }
      top.names.add(name)
      last = name
    } else if (code === 0x7b || code === 0x5b) {
      const at = top === undefined ? '' : top.names === null ? String(top.index) : last
      open.push({ names: code === 0x7b ? new Set() : null, index: 0, at })
    } else if (code === 0x7d || code === 0x5d) open.pop()
    else if (code === 0x2c && top !== undefined) top.index++
  }
  // every member was counted in the value, __proto__ included, so a difference without a duplicate is a bug of ours
  throw new Error('members were counted twice that are not duplicated')
}
