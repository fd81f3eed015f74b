import { withDecimals } from './members.ts'

/** Decimals among members as texts, and typed as such; a JSON number is taken where it is exact. @throws ShelfwireError invalid-input. */
export function toDecimals<M extends object, N extends keyof M & string>(members: M, names: readonly N[]) {
  return withDecimals(Object.fromEntries(Object.entries(members)), names) as {
    [Name in keyof M]: Name extends N ? Exclude<M[Name], number> : M[Name]
  }
}
