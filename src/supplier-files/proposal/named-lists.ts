import { LIMITS } from '../../platform/limits.ts'
import type { SampleRows } from './sample-columns.ts'

/** How many lists are distinguished. */
const LISTS_MAX = 100

const NAME_KEYS = ['@name', 'name', 'attribute_name', 'PARAM_NAME', 'key', '@key', 'label']
const VALUE_KEYS = ['#text', '@value', 'value', 'attribute_value', 'VAL', 'val']
const UNIT_KEYS = ['@unit', 'unit']

/** Lists of names with values, as in `<param name="Color">red</param>`: they are attributes, whatever the names. */
export function namedListsOf(rows: SampleRows): { list: string; name: string; value: string; unit?: string }[] {
  const found = new Map<string, { list: string; name: string; value: string; unit?: string }>()
  let left: number = LIMITS.detectValuesMax * 2
  const look = (path: string, value: unknown, depth: number) => {
    if (--left < 0) return
    const isList = Array.isArray(value)
    for (const member of isList ? value.slice(0, 20) : [value]) {
      if (typeof member !== 'object' || member === null) continue
      const keys = Object.keys(member)
      const [name, text, unit] = [NAME_KEYS, VALUE_KEYS, UNIT_KEYS].map((names) =>
        names.find((one) => keys.includes(one)),
      )
      // a single object with a name and a value may be anything, but an element with its name beside its text is an
      // attribute
      const isNamed = name !== undefined && text !== undefined && keys.length <= 4 && (isList || text === '#text')
      if (isNamed && path !== '') {
        const known = found.get(path)
        if (known === undefined && found.size >= LISTS_MAX) continue
        if (known === undefined)
          found.set(path, { list: path, name, value: text, ...(unit === undefined ? {} : { unit }) })
        else if (unit !== undefined) known.unit = unit
      } else if (depth < 3)
        for (const [key, inner] of Object.entries(member)) look(path === '' ? key : `${path}.${key}`, inner, depth + 1)
    }
  }
  for (const row of rows) look('', row, 0)
  return [...found.values()]
}
