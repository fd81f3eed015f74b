import { inText } from './refused.ts'

// Checks that a row of an archive has the columns of its table, with values that fit their types. The database checks the rest: the contents of
// texts, and the constraints of the tables.

const isWhole = (value: unknown) => Number.isSafeInteger(value)
const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const TIME = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  bigint: isWhole,
  integer: isWhole,
  smallint: isWhole,
  boolean: (value) => typeof value === 'boolean',
  numeric: isText(/^-?\d+(\.\d+)?$/),
  text: (value) => typeof value === 'string',
  uuid: isText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  date: isText(/^\d{4,6}-\d\d-\d\d$/),
  'timestamp with time zone': isText(TIME),
  json: () => true,
  jsonb: () => true,
}

/** @param type as PostgreSQL writes it, such as numeric(12,4) or bigint[] */
export function canBe(type: string, value: unknown): boolean {
  if (value === null) return true
  const isList = type.endsWith('[]')
  const check = TYPES[type.replace(/\[\]$/, '').replace(/\(.*\)$/, '')]
  if (check === undefined) throw new Error(`archives have no values of the type ${type}`)
  return isList ? Array.isArray(value) && value.every((entry) => entry !== null && check(entry)) : check(value)
}

/**
 * What is wrong with a row, or null.
 * @param types the types of the columns in its file, by name; null: a secret, of which the file only says whether it is set
 */
export function faultOfRow(
  row: Readonly<Record<string, unknown>>,
  types: ReadonlyMap<string, string | null>,
): string | null {
  for (const name of types.keys()) if (!Object.hasOwn(row, name)) return `has no ${name}`
  for (const [name, value] of Object.entries(row)) {
    const type = types.get(name)
    if (type === undefined) return `has ${inText(name)}, which is no column of it`
    if (type !== null && !canBe(type, value)) return `${name} is no ${type}: ${inText(JSON.stringify(value))}`
  }
  return null
}
