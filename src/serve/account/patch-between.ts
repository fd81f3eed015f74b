import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../input/is-object.ts'

// Merge patches (RFC 7396) between two states of the same thing.

type Members = Readonly<Record<string, unknown>>

/** The smallest merge patch that turns `from` into `to`. A member with null counts as absent. */
export function patchBetween(from: Members, to: Members): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [old, next] = [own(from, name), own(to, name)]
    if (isDeepStrictEqual(old, next)) continue
    // names are data: one may be `__proto__`
    Object.defineProperty(patch, name, {
      value: isObject(old) && isObject(next) ? patchBetween(old, next) : next,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return patch
}

/** Whether a merge patch would change nothing. */
export function isInPlace(present: Members, patch: Members): boolean {
  return Object.entries(patch).every(([name, wanted]) => {
    const value = own(present, name)
    return isObject(wanted) && isObject(value)
      ? isInPlace(value, wanted)
      : isDeepStrictEqual(value, withoutNulls(wanted))
  })
}

const own = (members: Members, name: string) => (Object.hasOwn(members, name) ? members[name] : null)

/** The result of a patch on an absent member: the patch without its nulls. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([, entry]) => entry !== null)
  return Object.fromEntries(kept.map(([name, entry]) => [name, withoutNulls(entry)]))
}
