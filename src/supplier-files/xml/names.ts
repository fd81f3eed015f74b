/** The name of an element or attribute without the prefix of its namespace: `g:price` is `price`. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** A record with the local names of its elements. Where two have one, the one with a prefix counts: in RSS, `g:title` and not `title`. */
export function withoutPrefixes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrefixes)
  if (typeof value !== 'object' || value === null) return value
  const members: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const local = localName(name)
    if (Object.hasOwn(members, local) && !name.includes(':')) continue
    // an element may be called `__proto__`
    if (local !== '__proto__') members[local] = withoutPrefixes(member)
  }
  return members
}

/** The members of a value that is one or a list of several. */
export const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** The text of an element: of itself, or beside its attributes; '' where there is none. */
export function elementText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return elementText(value[0])
  return typeof value === 'object' && value !== null ? elementText((value as Record<string, unknown>)['#text']) : ''
}

/** A member of an element. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
