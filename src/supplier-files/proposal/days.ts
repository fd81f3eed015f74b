import { guessByName } from './column-names.ts'
import { share, type Column } from './sample-columns.ts'

// Columns that say when something came in or is to end: rows that share a day follow in the next file.
// docs/decisions/215-detection-asks-about-what-an-import-leaves-out.md says which are none.

const YEAR_FIRST = /^(?:19|20)\d\d-(\d\d?)-(\d\d?)(?:$|[ T])/
const YEAR_LAST = /^(\d\d?)([./-])(\d\d?)\2(?:(?:19|20)\d\d|\d\d)(?:$|[ T])/

/** Whether two numbers are a day and a month, in either order. */
const areDayAndMonth = (a: number, b: number) => Math.min(a, b) >= 1 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31

function isYearFirst(value: string): boolean {
  const [, month, day] = YEAR_FIRST.exec(value) ?? []
  return month !== undefined && Number(month) <= 12 && areDayAndMonth(Number(month), Number(day))
}

/** `01.02.03` may be one, and the number of an article. */
function isYearLast(value: string): boolean {
  const [, first, , second] = YEAR_LAST.exec(value) ?? []
  return first !== undefined && areDayAndMonth(Number(first), Number(second))
}

const CALLED_DAY =
  /date|datum|dátum|fecha|дата|tarih|päivä|dato|expir|caduc|scadenz|vencim|validade|haltbar|(?<!\p{L})(?:data|day|tag|dzień|день|giorno|día|mhd|eingang|zugang|ingreso|created|updated|added|modified|since|seit)(?!\p{L})/iu

const MOST = 0.9

/**
 * Whether a column has days rather than numbers of articles. What has the year at its end, as `01.02.03` may have, are days where the name says so, or
 * where they repeat under a name that is not that of a key.
 */
export function isOfDays({ name, values }: Column): boolean {
  const days = share(values, (value) => isYearFirst(value) || isYearLast(value))
  if (days <= 0.5) return false
  if (CALLED_DAY.test(name) || share(values, isYearFirst) > 0.5) return true
  const isKey = guessByName(name).some(({ field }) => field === 'sku')
  return days >= MOST && !isKey && new Set(values).size < values.length
}
