import { withDecimals } from './members.ts'

/** Converts the named decimal members to strings. A JSON number is accepted if it is exact. @throws ShelfwireError invalid-input. */
export function toDecimals<M extends object, N extends keyof M & string>(members: M, names: readonly N[]) {
  return withDecimals(Object.fromEntries(Object.entries(members)), names) as {
    [Name in keyof M]: Name extends N ? Exclude<M[Name], number> : M[Name]
  }
}
