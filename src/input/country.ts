import { isCountry } from '../model/countries.ts'
import { quoted, type Verdict } from './verdict.ts'

/** Reads a country code, in any letter case. @returns it in capital letters. */
export function readCountry(text: string): Verdict<string> {
  const code = text.toUpperCase()
  return isCountry(code)
    ? { value: code }
    : { reason: `must be the code of a country, two letters such as DE (ISO 3166-1), not ${quoted(text)}` }
}
