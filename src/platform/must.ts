/**
 * A value that must exist by what was done before: the row of an INSERT … RETURNING, the id of something just looked up. If it is missing, the
 * service has a bug and must not continue with a zero or an empty text instead. @throws Error
 */
export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a value that must be there is missing')
  return value
}

/** The only entry of a list that always has one: the id that was just taken, the row of an aggregate. @throws Error */
export function single<T>(values: readonly T[]): T {
  const [value] = values
  if (values.length !== 1 || value === undefined) throw new Error(`one value must be there, not ${values.length}`)
  return value
}
