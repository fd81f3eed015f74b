import { readCountry } from './country.ts'
import { quoted, type Verdict } from './verdict.ts'

/** Reads whose tax is in an amount: the code of a country, or `none`, in any letter case. @returns the code in capitals, `none` in small letters. */
export function readTaxIn(text: string): Verdict<string> {
  if (text.toLowerCase() === 'none') return { value: 'none' }
  const country = readCountry(text)
  return 'value' in country
    ? country
    : {
        reason: `must be the code of the country whose tax is in it, two letters such as DE (ISO 3166-1), or none, not ${quoted(text)}`,
      }
}
