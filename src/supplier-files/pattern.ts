import { RE2JS } from 're2js'

/** A regular expression that takes time in proportion to the text, whatever the expression. */
export interface Pattern {
  matches(text: string): boolean
  /** The first group of the first match, or the match where there is no group; '' without a match. */
  capture(text: string): string
}

const PATTERN_LENGTH_MAX = 500

/** Compiles a regular expression of the RE2 syntax: no look-around, no back-references. @throws Error naming what is wrong */
export function compilePattern(source: string): Pattern {
  if (source.length > PATTERN_LENGTH_MAX) throw new Error(`is longer than ${PATTERN_LENGTH_MAX} characters`)
  const compiled = RE2JS.compile(source)
  const group = compiled.groupCount() > 0 ? 1 : 0
  return {
    matches: (text) => compiled.matcher(text).find(),
    capture(text) {
      const matcher = compiled.matcher(text)
      return matcher.find() ? (matcher.group(group) ?? '') : ''
    },
  }
}
