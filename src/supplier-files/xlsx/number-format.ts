import { must } from '../../platform/must.ts'

/** A format that changes the value of a number: to a date, or to digits with leading zeros. */
export type NumberFormat = 'date' | { digits: number }

/** Whether a built-in format, which has no code in the workbook, is a date. Includes those of East Asian versions. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/**
 * The format of a style; undefined if it does not change a value. @param code for formats that are not built in, such
 * as `dd.mm.yyyy` or `00000`
 */
export function formatOfCode(id: number, code: string | undefined): NumberFormat | undefined {
  if (code === undefined) return isBuiltInDate(id) ? 'date' : undefined
  // quoted and escaped characters are literals, and brackets hold colors and conditions, except in elapsed times such
  // as [h]
  const bare = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/^0{2,20}$/.test(bare)) return { digits: bare.length }
  return /[ymdhs]/i.test(must(bare.split(';')[0]).replace(/general/i, '')) ? 'date' : undefined
}

const DAY_MS = 86_400_000
/**
 * The day with number 0, counted back from 1900-03-01 (61). Lower numbers are a day later, because Excel counts a 29
 * February 1900, which did not exist.
 */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The last day that a sheet can hold, 9999-12-31. */
const SERIAL_MAX = 2_958_465

/**
 * The day or time of a serial number: `2026-11-30`, `2026-11-30T12:30:00`, `12:30:00`. A number that is no day of a
 * sheet stays a number.
 */
export function dateText(serial: number, is1904: boolean): string {
  if (!(serial >= 0 && serial <= SERIAL_MAX + 1)) return String(serial)
  const seconds = Math.round((serial * DAY_MS) / 1_000)
  const shift = !is1904 && serial < 60 && serial >= 1 ? DAY_MS : 0
  const text = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + shift + seconds * 1_000).toISOString().slice(0, 19)
  if (serial < 1 && !is1904) return text.slice(11)
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text
}
