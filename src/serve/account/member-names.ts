import { camel, type Camel } from '../../../contract/field-names.ts'

// Converts between the names of the API (store_ids) and of the code (storeIds), with types.

type Snake<Name> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : Name

/** The type with `storeIds` for `store_ids`, at the first level only. */
export type FieldsOf<M> = { [Name in keyof M as Camel<Name>]: M[Name] }
/** The type with `store_ids` for `storeIds`, at the first level only. */
export type MembersOf<F> = { [Name in keyof F as Snake<Name>]: F[Name] }

/** The same values under the names of the code, at the first level only. */
export function toFields<M extends object>(members: M): FieldsOf<M> {
  return renamed(members, camel)
}

/** The same values under the names of the API, at the first level only. */
export function toMembers<F extends object>(fields: F): MembersOf<F> {
  return renamed(fields, memberName)
}

/** toMembers at every depth, for values that contain no maps: the keys of a map are data. */
export function toMembersDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toMembersDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [memberName(name), toMembersDeep(entry)]))
}

// the result type follows from the renaming, which TypeScript cannot express
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function renamed<T>(value: object, rename: (name: string) => string): T {
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [rename(name), entry as unknown])) as T
}

function memberName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/(\d+)/, '_$1')
}
