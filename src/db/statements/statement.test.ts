import { expect, test } from 'vitest'
import { Identifier, statementOf, type Fragment } from './statement.ts'

class Template implements Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}
const sql = (strings: TemplateStringsArray, ...values: unknown[]) => new Template(strings, values)
const statement = (template: Template) => statementOf(template, (value): value is Fragment => value instanceof Template)

test('a place in the code makes another text for other templates and names in it, and the same for other values', () => {
  const place = (first: unknown, second: unknown) => statement(sql`select ${first} from ${second} where x = ${5}`)
  const one = sql`one(${7})`
  const other = (value: number) => sql`other(${value})`
  const told: [unknown, unknown, string, unknown[]][] = [
    [1, 2, 'select $1 from $2 where x = $3', [1, 2, 5]],
    [3, 4, 'select $1 from $2 where x = $3', [3, 4, 5]],
    [one, 4, 'select one($1) from $2 where x = $3', [7, 4, 5]],
    [4, one, 'select $1 from one($2) where x = $3', [4, 7, 5]],
    [one, one, 'select one($1) from one($2) where x = $3', [7, 7, 5]],
    [other(8), one, 'select other($1) from one($2) where x = $3', [8, 7, 5]],
    [other(9), one, 'select other($1) from one($2) where x = $3', [9, 7, 5]],
    [new Identifier('a'), 1, 'select "a" from $1 where x = $2', [1, 5]],
    [new Identifier('b', 'c.d'), 1, 'select "b", "c"."d" from $1 where x = $2', [1, 5]],
    ['a', 1, 'select $1 from $2 where x = $3', ['a', 1, 5]],
    [sql`x`, sql`y ${sql`deep(${1}, ${new Identifier('e')})`}`, 'select x from y deep($1, "e") where x = $2', [1, 5]],
    [sql`x`, sql`y ${sql`deep(${1}, ${2})`}`, 'select x from y deep($1, $2) where x = $3', [1, 2, 5]],
    // a value that looks like a quoted name, or like the strings of a template
    ['"a"', 1, 'select $1 from $2 where x = $3', ['"a"', 1, 5]],
    [[1, 2], null, 'select $1 from $2 where x = $3', ['{1,2}', null, 5]],
  ]
  // in every order, because the last one is remembered
  for (let i = 0; i < told.length; i++)
    for (const [first, second, text, values] of [told[i]!, ...told]) {
      expect(place(first, second)).toEqual({ text, values })
      expect(place(first, second).text).toBe(text)
    }
})
