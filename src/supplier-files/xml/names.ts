const LOCAL_NAMES_MAX = 10_000
const known = new Map<string, string>()

/** The name of an element or attribute without the prefix of its namespace: `g:price` is `price`. */
export function localName(name: string): string {
  const found = known.get(name)
  if (found !== undefined) return found
  const local = name.slice(name.indexOf(':') + 1)
  // bounded, because a file may have any number of names
  if (known.size < LOCAL_NAMES_MAX) known.set(name, local)
  return local
}

/** The values of a member that may be missing, one value, or a list. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/**
 * The text of an element with or without attributes, trimmed; of a list, that of the first element; '' if there is
 * none.
 */
export function elementText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return elementText(value[0])
  return typeof value === 'object' && value !== null ? elementText((value as Record<string, unknown>)['#text']) : ''
}

/** A member of an element; undefined if it does not have the member. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
