import type { Mapping } from './mapping.ts'

/**
 * The columns from which a field of an offer is made, in the order in which the mapping names them, without those that only
 * conditions use.
 * @param field as faults name it (`cost`, `eans`, `title.de`, `attributes.3`)
 */
export function fieldColumns({ fields }: Pick<Mapping, 'fields'>, field: string): string[] {
  const list = /^(attributes|group_options|cost_tiers)\b/.exec(field)?.[1]
  const name = field === 'eans' ? 'ean' : (list ?? field)
  const source: unknown = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined
  return [...new Set(columnsIn(source))]
}

function columnsIn(source: unknown): string[] {
  if (typeof source === 'string') return [source]
  if (Array.isArray(source)) return source.flatMap(columnsIn)
  if (typeof source !== 'object' || source === null) return []
  return Object.entries(source).flatMap(([name, member]: [string, unknown]) => {
    // beside `names`, `values` is a column; in other sources it is a table of texts, and no string
    if (['column', 'packed', 'object', 'list', 'tiers', 'pairs', 'names', 'values'].includes(name))
      return typeof member === 'string' ? [member] : []
    if (name === 'of' && typeof member === 'object' && member !== null) return Object.values(member).flatMap(columnsIn)
    return ['join', 'first', 'sum', 'use', 'else', 'quantity', 'cost', 'per'].includes(name) ? columnsIn(member) : []
  })
}

/** The columns and lists that a field of the mapping adds up with `sum`. */
export function summedColumns({ fields }: Mapping): string[] {
  return [...new Set(summedIn(fields))]
}

function summedIn(source: unknown): string[] {
  if (typeof source !== 'object' || source === null) return []
  if ('sum' in source) return columnsIn(source.sum)
  return Object.values(source).flatMap(summedIn)
}
