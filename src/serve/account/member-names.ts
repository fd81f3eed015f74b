import { camel, type Camel } from '../../../contract/field-names.ts'

// Converts between the names of the API (store_ids) and of the code (storeIds), with types.

type Snake<Name> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : Name

/** `store_ids` to `storeIds`, for the members themselves and not for what they contain. */
export type FieldsOf<M> = { [Name in keyof M as Camel<Name>]: M[Name] }
/** `storeIds` to `store_ids`. */
export type MembersOf<F> = { [Name in keyof F as Snake<Name>]: F[Name] }

export function toFields<M extends object>(members: M): FieldsOf<M> {
  return renamed(members, camel)
}

export function toMembers<F extends object>(fields: F): MembersOf<F> {
  return renamed(fields, memberName)
}

/** The same at every depth, for values without maps whose keys are data. */
export function toMembersDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toMembersDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [memberName(name), toMembersDeep(entry)]))
}

// the type follows from the renaming, which TypeScript cannot express
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function renamed<T>(value: object, rename: (name: string) => string): T {
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [rename(name), entry as unknown])) as T
}

function memberName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/(\d+)/, '_$1')
}
