import recorded from './examples.json' with { type: 'json' }
import { OPERATION_SCHEMAS } from './operation-schemas.ts'
import { ROUTES } from './routes.ts'
import { SCHEMAS } from './schemas.ts'

/** A request and its answers, as the document shows them. */
export interface Example {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean>>
  body?: unknown
  /** Status -> media type and body. */
  answers: Readonly<Record<string, { type: string; body: unknown }>>
}

/** A part of a JSON schema. */
interface Schema {
  $id?: string
  $ref?: string
  type?: string
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

const NAMED: ReadonlyMap<string | undefined, Schema> = new Map(
  [...Object.values(SCHEMAS), ...Object.values(OPERATION_SCHEMAS), ...ROUTES.flatMap(({ schemas }) => schemas)].map(
    (schema) => [(schema as Schema).$id, schema as Schema],
  ),
)

export type Examples = Readonly<Record<string, Example | undefined>>

/**
 * By operationId. Recorded from a running service by `npm run examples`; test/api/examples.pg.test.ts makes the same
 * requests again and compares the answers.
 */
export const EXAMPLES: Examples = examplesWith('every null', recorded)

type Nulls = 'every null' | 'no null that follows'

/**
 * The recorded examples omit required members that are null. They follow from the schemas, so that a new member of a resource changes no example.
 * docs/decisions/219-what-follows-is-not-kept.md says why.
 * @param nulls whether the returned answers include these members
 */
export function examplesWith(nulls: Nulls, examples: Examples): Examples {
  return Object.fromEntries(
    ROUTES.flatMap(({ id, answers }) => {
      const example = examples[id]
      if (example === undefined) return []
      const shown = Object.entries(example.answers).map(([status, { type, body }]) => {
        const schema = answers[Number(status)]?.content?.[type]
        return [status, { type, body: schema === undefined ? body : valueWith(nulls, schema, body) }]
      })
      return [[id, { ...example, answers: Object.fromEntries(shown) as Example['answers'] }]]
    }),
  )
}

/** The value with its members in the schema's order, and with or without required members that are null. */
function valueWith(nulls: Nulls, schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { items, properties, required = [] } = plain(schema)
  if (Array.isArray(value)) return items === undefined ? value : value.map((one) => valueWith(nulls, items, one))
  if (properties === undefined) return value
  const given = value as Readonly<Record<string, unknown>>
  const declared = Object.entries(properties).flatMap(([name, one]) => {
    if (required.includes(name) && isNullable(one) && (given[name] ?? null) === null)
      return nulls === 'every null' ? [[name, null]] : []
    return Object.hasOwn(given, name) ? [[name, valueWith(nulls, one, given[name])]] : []
  })
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(properties, name))
  return Object.fromEntries([...declared, ...others])
}

/** Resolves a reference, and reduces a nullable schema to its one other alternative, if there is only one. */
function plain(schema: Schema): Schema {
  if (schema.$ref !== undefined) return plain(NAMED.get(schema.$ref) ?? {})
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return others.length === 1 && others[0] !== undefined ? plain(others[0]) : schema
}

function isNullable({ type, anyOf = [] }: Schema): boolean {
  return type === 'null' || anyOf.some((one) => one.type === 'null')
}
