import { must } from '../platform/must.ts'

// A tagged template as the text and the parameters of one SQL statement. Values become $1, $2, ...; a statement inside a
// statement is inserted as text with its own parameters; an identifier is quoted.
// docs/decisions/gotchas.md says what the database and its client do that one would not expect.

/** A value that can be a parameter; objects are sent as JSON, undefined is refused. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly Value[]
  | { readonly [member: string]: unknown }

/** The name of a table or column, or names by commas, quoted where they are inserted. */
export class Identifier {
  readonly quoted: string

  constructor(...names: readonly string[]) {
    this.quoted = names.map(quote).join(', ')
  }
}

const quote = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')

/** A template that is only inserted into other ones, never sent alone. */
export interface Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

export interface Statement {
  text: string
  values: unknown[]
}

/** The last statement that a place in the code made, by the texts of its template. */
const made = new WeakMap<readonly string[], { parts: readonly unknown[]; text: string }>()

/**
 * The text of a place in the code is made once for as long as the same templates are inserted into it: it is then the same string, of which
 * the client finds the prepared statement without reading it.
 * @param isFragment tells templates among the values from objects that are parameters.
 */
export function statementOf(template: Fragment, isFragment: (value: unknown) => value is Fragment): Statement {
  const values: unknown[] = []
  /** What decides the text, in its order: the texts of templates, names, and PARAMETER for each value. */
  const parts: unknown[] = []
  const collect = ({ values: given }: Fragment): void => {
    for (const value of given)
      if (isFragment(value)) {
        parts.push(value.strings)
        collect(value)
      } else if (value instanceof Identifier) parts.push(value.quoted)
      else {
        parts.push(PARAMETER)
        values.push(parameterOf(value))
      }
  }
  collect(template)
  const last = made.get(template.strings)
  if (last !== undefined && isSame(last.parts, parts)) return { text: last.text, values }
  const text = textOf(template, isFragment)
  made.set(template.strings, { parts, text })
  return { text, values }
}

const PARAMETER = Symbol('parameter')

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i])
}

function textOf(template: Fragment, isFragment: (value: unknown) => value is Fragment): string {
  let parameters = 0
  const append = ({ strings, values: given }: Fragment): string => {
    let text = must(strings[0])
    for (let i = 1; i < strings.length; i++) {
      const value = given[i - 1]
      if (isFragment(value)) text += append(value)
      else if (value instanceof Identifier) text += value.quoted
      else text += `$${++parameters}`
      text += must(strings[i])
    }
    return text
  }
  return append(template)
}

/** Formats lists of numbers and strings itself, because node-postgres escapes every element with two regular expressions. */
function parameterOf(value: unknown): unknown {
  if (value === undefined)
    throw new TypeError('a parameter of a statement is undefined; null is a value, undefined is a mistake')
  if (!Array.isArray(value)) return value
  let text = ''
  for (const item of value as unknown[]) {
    if (item === undefined) throw new TypeError('an element of a parameter list is undefined')
    if (text !== '') text += ','
    if (item === null) text += 'NULL'
    else if (typeof item === 'number') text += String(item)
    else if (typeof item === 'string')
      text += /["\\]/.test(item) ? `"${item.replaceAll(/["\\]/g, '\\$&')}"` : `"${item}"`
    else return value
  }
  return `{${text}}`
}
