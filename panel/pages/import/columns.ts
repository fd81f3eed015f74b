import { isObject } from '../../resources/is-object.ts'

/** A column of a table, or a path in a document, with example values. */
export interface FileColumn {
  name: string
  samples: readonly string[]
}

const SAMPLES = 5
const DEPTH_MAX = 4

/** The columns of rows as the service returns them. Nested members are paths, as in a mapping. */
export function columnsOf(rows: readonly (Readonly<Record<string, unknown>> | null)[]): FileColumn[] {
  const columns = new Map<string, string[]>()
  const add = (name: string, value: unknown, depth: number) => {
    if (Array.isArray(value) && value.some(isObject))
      for (const member of value.slice(0, SAMPLES)) add(name, member, depth)
    else if (isObject(value) && depth < DEPTH_MAX)
      for (const [key, member] of Object.entries(value))
        add(key === '#text' ? name : `${name}.${key}`, member, depth + 1)
    else {
      const samples = columns.get(name) ?? []
      columns.set(name, samples)
      for (const one of [value].flat()) {
        const text = one === null || one === undefined ? '' : typeof one === 'string' ? one : JSON.stringify(one)
        if (text !== '' && samples.length < SAMPLES && !samples.includes(text)) samples.push(text)
      }
    }
  }
  for (const row of rows) for (const [name, value] of Object.entries(row ?? {})) if (name !== '') add(name, value, 0)
  return [...columns].map(([name, samples]) => ({ name, samples }))
}

export function cellOf(row: Readonly<Record<string, unknown>> | null, name: string): string {
  if (row === null) return ''
  return (
    columnsOf([row])
      .find((column) => column.name === name)
      ?.samples.join(', ') ?? ''
  )
}
