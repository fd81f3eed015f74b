// A tagged template as the text and the parameters of one SQL statement. Values become $1, $2, ...; a statement inside a
// statement is inserted as text with its own parameters; an identifier is quoted.

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

/** The name of a table or column, quoted where it is inserted. */
export class Identifier {
  readonly quoted: string

  constructor(name: string) {
    this.quoted = name
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.')
  }
}

/** A template that is not sent by itself: it can be inserted into another one. */
export interface Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

export interface Statement {
  text: string
  values: unknown[]
}

/** @param isFragment tells templates among the values from objects that are parameters. */
export function statementOf(template: Fragment, isFragment: (value: unknown) => value is Fragment): Statement {
  const values: unknown[] = []
  const append = ({ strings, values: given }: Fragment): string => {
    let text = strings[0] ?? ''
    for (let i = 1; i < strings.length; i++) {
      const value = given[i - 1]
      if (isFragment(value)) text += append(value)
      else if (value instanceof Identifier) text += value.quoted
      else text += `$${values.push(parameterOf(value))}`
      text += strings[i] ?? ''
    }
    return text
  }
  const text = append(template)
  return { text, values }
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
