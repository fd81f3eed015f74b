// The differences between two products, member by member.

export interface Difference {
  /** The path of the member, such as `prices.0.computed_price`. */
  member: string
  /** Undefined: the mirror has no such member. */
  mirror: unknown
  /** Undefined: the service has no such member. */
  service: unknown
}

/** The order of an object's members does not matter, that of a list does. */
export function differences(mirror: unknown, service: unknown, member = ''): Difference[] {
  if (Object.is(mirror, service)) return []
  if (!isComposite(mirror) || !isComposite(service) || Array.isArray(mirror) !== Array.isArray(service))
    return [{ member, mirror, service }]
  const names = new Set([...Object.keys(mirror), ...Object.keys(service)])
  return [...names].flatMap((name) =>
    differences(valueOf(mirror, name), valueOf(service, name), member === '' ? name : `${member}.${name}`),
  )
}

const isComposite = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const valueOf = (of: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(of, name) ? of[name] : undefined

/** A product of a mirror, or its text where that is no JSON. */
export function parsedProduct(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
