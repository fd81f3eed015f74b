/**
 * A value that is there by what was done before: the row of an INSERT … RETURNING, the id of what was just looked up. Where it is
 * missing, the service has a fault, and must not go on with a zero or an empty text in its place.
 */
export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a value that must be there is missing')
  return value
}

/** The only one of a list that always has one: the id that was just taken, the row of an aggregate. */
export function single<T>(values: readonly T[]): T {
  const [value] = values
  if (values.length !== 1 || value === undefined) throw new Error(`one value must be there, not ${values.length}`)
  return value
}
