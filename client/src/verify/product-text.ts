import { MEMBERS } from '../contract-names.ts'

// A product as the service writes it, for targets that do not keep the order of members, such as PostgreSQL's jsonb.

type Named = keyof typeof MEMBERS

/**
 * The product's JSON text. Members that a later release has added are put last in the content half, as that release does. The order of several such
 * members is unknown: then the digests differ, and the products themselves are compared.
 */
export const productText = (product: unknown): string => JSON.stringify(ordered(product, 'product'))

function ordered(value: unknown, name: Named | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => ordered(one, name))
  if (typeof value !== 'object' || value === null || name === undefined) return value
  const members = value as Readonly<Record<string, unknown>>
  const known: readonly string[] = MEMBERS[name]
  const later = Object.keys(members).filter((member) => !known.includes(member))
  const end = name === 'product' ? known.indexOf('prices') : known.length
  const names = [...known.slice(0, end), ...later, ...known.slice(end)].filter((member) =>
    Object.hasOwn(members, member),
  )
  return Object.fromEntries(
    names.map((member) => [
      member,
      ordered(members[member], member in MEMBERS && member !== 'product' ? (member as Named) : undefined),
    ]),
  )
}
