import { guessByName, type NameGuess } from './column-names.ts'
import type { Column } from './sample-columns.ts'

// Names of columns that mean a field only beside others of their language. Vietnamese names that are written without marks are as short as words of
// other languages: `Ten` is a name, `Gia` a price.

const VIETNAMESE: Readonly<Record<string, NameGuess['field']>> = {
  ten: 'title',
  ma: 'sku',
  gia: 'cost',
  giaban: 'cost',
  gianhap: 'cost',
  loai: 'category',
  hinh: 'images',
  anh: 'images',
  hinhanh: 'images',
  mota: 'description',
  sl: 'quantity',
}
/** How many other columns must have names that only Vietnamese has. */
const OTHERS_MIN = 2

/** The fields of columns with short names, if other columns have names of the same language. */
export function shortNamesAmong(columns: readonly Column[]): ReadonlyMap<string, NameGuess> {
  const short = columns.flatMap(({ name }) => {
    const field = VIETNAMESE[name.toLowerCase().replace(/[^a-z]/g, '')]
    return field === undefined ? [] : [{ name, field }]
  })
  if (short.length === 0) return new Map()
  const names = new Set(short.map(({ name }) => name))
  const others = columns.filter(({ name }) => !names.has(name) && isVietnamese(name))
  if (others.length < OTHERS_MIN) return new Map()
  return new Map(short.map(({ name, field }) => [name, { field, languages: ['vi'], score: 3 }]))
}

const isVietnamese = (name: string): boolean =>
  guessByName(name).some(({ languages, score }) => score >= 3 && languages.length === 1 && languages[0] === 'vi')
