import { readCountry } from './country.ts'
import { quoted, type Verdict } from './verdict.ts'

/**
 * Reads which country's tax an amount includes: a country code, or `none`, in any letter case. @returns the code in capital letters, `none` in lower
 * case.
 */
export function readTaxIn(text: string): Verdict<string> {
  if (text.toLowerCase() === 'none') return { value: 'none' }
  const country = readCountry(text)
  return 'value' in country
    ? country
    : {
        reason: `must be the code of the country whose tax is in it, two letters such as DE (ISO 3166-1), or none, not ${quoted(text)}`,
      }
}
