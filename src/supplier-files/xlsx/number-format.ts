import { must } from '../../platform/must.ts'

/** A format that makes another value of a number than the number: a date, or digits with zeros before them. */
export type NumberFormat = 'date' | { digits: number }

/** Formats that every workbook has without a code; those of East Asian versions are dates as well. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** The format of a style. @param code of formats that are not built in, such as `dd.mm.yyyy` or `00000` */
export function formatOfCode(id: number, code: string | undefined): NumberFormat | undefined {
  if (code === undefined) return isBuiltInDate(id) ? 'date' : undefined
  // what is quoted, escaped or in brackets is shown as it is, but for elapsed times
  const bare = code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/^0{2,20}$/.test(bare)) return { digits: bare.length }
  return /[ymdhs]/i.test(must(bare.split(';')[0]).replace(/general/i, '')) ? 'date' : undefined
}

const DAY_MS = 86_400_000
/** The day before serial number 1, as the calendar of 1900 has a 29th of February that never was. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The last day that a sheet can have, 9999-12-31. */
const SERIAL_MAX = 2_958_465

/** The day or time of a serial number: `2026-11-30`, `2026-11-30T12:30:00`, `12:30:00`. */
export function dateText(serial: number, is1904: boolean): string {
  if (!(serial >= 0 && serial <= SERIAL_MAX + 1)) return String(serial)
  const seconds = Math.round((serial * DAY_MS) / 1_000)
  const shift = !is1904 && serial < 60 && serial >= 1 ? DAY_MS : 0
  const text = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + shift + seconds * 1_000).toISOString().slice(0, 19)
  if (serial < 1 && !is1904) return text.slice(11)
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text
}
