import { must } from '../../platform/must.ts'

// Turns a tagged template into the text and parameters of one SQL statement. Values become $1, $2 and so on; a statement inside a statement
// is inserted as text with its own parameters; an identifier is quoted. docs/decisions/gotchas.md lists surprising behaviour of the
// database and its client.

/** A value that can be a parameter. Objects are sent as JSON; undefined is refused. */
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

/** The name of a table or column, or several names separated by commas, quoted where they are inserted. */
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

/** A template that is only inserted into others, never sent alone. */
export interface Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

export interface Statement {
  text: string
  values: unknown[]
}

/** The last statement made at each place in the code, by the strings of its template. */
const made = new WeakMap<readonly string[], { parts: readonly unknown[]; text: string }>()

/**
 * The statement of a template. As long as the same templates are inserted into it, the text is the same string object, for which the client
 * finds the prepared statement without reading it.
 * @param isFragment distinguishes templates among the values from objects that are parameters.
 */
export function statementOf(template: Fragment, isFragment: (value: unknown) => value is Fragment): Statement {
  const values: unknown[] = []
  /** Everything that determines the text, in order: strings of templates, names, and PARAMETER for each value. */
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
