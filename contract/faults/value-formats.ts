import type { FaultFormats } from './translate.ts'

/** The most that every release of ECMA-402 takes; with more, Intl throws. */
const FRACTION_DIGITS_MAX = 20
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats of numbers, sizes and durations. @param locale a BCP 47 tag */
export function valueFormats(locale: string): Omit<FaultFormats, 'quote'> {
  return {
    decimal: (value) =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: Math.min(value.split('.')[1]?.length ?? 0, FRACTION_DIGITS_MAX),
        maximumFractionDigits: FRACTION_DIGITS_MAX,
        // text, so that no digit is lost
      }).format(value as Intl.StringNumericLiteral),
    bytes(value) {
      const step = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3))
      const unit = BYTE_UNITS[step] ?? 'byte'
      const digits = step > 0 && value / 1_000 ** step < 10 ? 1 : 0
      const unitDisplay = step === 0 ? 'long' : 'short'
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits }).format(
        value / 1_000 ** step,
      )
    },
    took(seconds) {
      const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.round(seconds / 60), 'minute']
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
    },
  }
}
