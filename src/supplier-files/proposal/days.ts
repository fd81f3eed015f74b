import { guessByName } from './column-names.ts'
import { share, type Column } from './sample-columns.ts'

// Recognizes columns with days, such as that of a delivery or an expiry. They are no keys, because rows may share a day in the next file.
// docs/decisions/215-detection-asks-about-what-an-import-leaves-out.md says which columns are none.

const YEAR_FIRST = /^(?:19|20)\d\d-(\d\d?)-(\d\d?)(?:$|[ T])/
const YEAR_LAST = /^(\d\d?)([./-])(\d\d?)\2(?:(?:19|20)\d\d|\d\d)(?:$|[ T])/

/** Whether two numbers can be a day and a month, in either order. */
const areDayAndMonth = (a: number, b: number) => Math.min(a, b) >= 1 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31

function isYearFirst(value: string): boolean {
  const [, month, day] = YEAR_FIRST.exec(value) ?? []
  return month !== undefined && Number(month) <= 12 && areDayAndMonth(Number(month), Number(day))
}

/** Whether a value can be a day with the year at its end. `01.02.03` can be an article number, too. */
function isYearLast(value: string): boolean {
  const [, first, , second] = YEAR_LAST.exec(value) ?? []
  return first !== undefined && areDayAndMonth(Number(first), Number(second))
}

const CALLED_DAY =
  /date|datum|dátum|fecha|дата|tarih|päivä|dato|expir|caduc|scadenz|vencim|validade|haltbar|(?<!\p{L})(?:data|day|tag|dzień|день|giorno|día|mhd|eingang|zugang|ingreso|created|updated|added|modified|since|seit)(?!\p{L})/iu

const MOST = 0.9

/**
 * Whether a column has days rather than article numbers. Values with the year at the end, such as `01.02.03`, are days if the name of the column says
 * so, or if they repeat and the name is not that of a key.
 */
export function isOfDays({ name, values }: Column): boolean {
  const days = share(values, (value) => isYearFirst(value) || isYearLast(value))
  if (days <= 0.5) return false
  if (CALLED_DAY.test(name) || share(values, isYearFirst) > 0.5) return true
  const isKey = guessByName(name).some(({ field }) => field === 'sku')
  return days >= MOST && !isKey && new Set(values).size < values.length
}
