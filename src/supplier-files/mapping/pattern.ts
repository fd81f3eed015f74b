import { RE2JS } from 're2js'
import { LIMITS } from '../../platform/limits.ts'
import { countWork } from '../row-work.ts'

/**
 * A compiled regular expression, which takes time in proportion to the length of the text and to its own size.
 * Both methods throw TooMuchWork if they would exceed the work that a row may take.
 */
export interface Pattern {
  matches(text: string): boolean
  /** The first group of the first match, or the whole match if the expression has no group; '' without a match. */
  capture(text: string): string
}

const PATTERN_LENGTH_MAX = 500

/**
 * Compiles a regular expression of the RE2 syntax: no look-around, no back-references.
 * @throws Error that says what is wrong with the expression
 */
export function compilePattern(source: string): Pattern {
  if (source.length > PATTERN_LENGTH_MAX) throw new Error(`is longer than ${PATTERN_LENGTH_MAX} characters`)
  // compiling takes time in proportion to the size, so a rough estimate is checked before it
  if (estimatedSize(source) > LIMITS.importPatternSizeMax * 2) throw tooLarge()
  const compiled = RE2JS.compile(source)
  const size = compiled.programSize()
  if (size > LIMITS.importPatternSizeMax) throw tooLarge()
  const group = compiled.groupCount() > 0 ? 1 : 0
  const matcherOf = (text: string) => {
    countWork(1 + text.length * size)
    return compiled.matcher(text)
  }
  return {
    matches: (text) => matcherOf(text).find(),
    capture(text) {
      const matcher = matcherOf(text)
      return matcher.find() ? (matcher.group(group) ?? '') : ''
    },
  }
}

const tooLarge = () =>
  new Error(
    `repeats too much: its repetitions spelled out have more than ${LIMITS.importPatternSizeMax} parts; use * or + in place of counts`,
  )

const COUNT = /\{(\d{1,4})(?:,(\d{0,4}))?\}/y
const CLASS = /\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]/sy
const ESCAPE = /\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)/sy

/**
 * Roughly how many instructions a compiled expression has, with its repetitions spelled out; computed without compiling
 * it.
 */
export function estimatedSize(source: string): number {
  const outer: number[] = []
  let size = 0
  let atom = 0
  const next = (token: RegExp, at: number) => {
    token.lastIndex = at
    return token.exec(source)
  }
  for (let at = 0; at < source.length;) {
    const sign = source[at]
    const whole = sign === '[' ? next(CLASS, at) : sign === '\\' ? next(ESCAPE, at) : null
    const count = sign === '{' ? next(COUNT, at) : null
    at += (whole ?? count)?.[0].length ?? 1
    if (count !== null) {
      const times = Math.max(1, Number(count[1]), Number(count[2] ?? 0))
      size += atom * (times - 1)
      atom *= times
    } else if (sign === '(') {
      outer.push(size)
      size = 0
      atom = 0
    } else if (sign === ')') {
      atom = size + 2
      size = (outer.pop() ?? 0) + atom
    } else {
      atom = sign === '*' || sign === '+' || sign === '?' || sign === '|' ? atom + 1 : 1
      size++
    }
  }
  return size
}
