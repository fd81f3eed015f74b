import { isDeepStrictEqual } from 'node:util'
import { ShelfwireError } from '../../platform/errors.ts'

/** Splits a body into members that it can set, and those named here, which the service assigns or which never change. */
export function splitEchoedMembers<B extends object, Name extends string>(
  body: B,
  names: readonly Name[],
): { members: Omit<B, Name>; echoed: Partial<B> } {
  const entries = Object.entries(body)
  const isEchoed = (name: string) => (names as readonly string[]).includes(name)
  return {
    members: Object.fromEntries(entries.filter(([name]) => !isEchoed(name))) as Omit<B, Name>,
    echoed: Object.fromEntries(entries.filter(([name]) => isEchoed(name))) as Partial<B>,
  }
}

/**
 * Requires that members which a body cannot set have their present values: a client that reads, edits and sends back
 * need not remove them, and one that tries to change them gets an error.
 * @param current the representation; for a resource that is being created, its known members.
 * @param reason of the fault of each member that differs.
 * @throws ShelfwireError invalid-input, naming them.
 */
export function requireEchoed(
  noun: string,
  echoed: object,
  current: Readonly<Record<string, unknown>>,
  reason = 'is assigned and cannot be set',
): void {
  const faults = Object.entries(echoed).flatMap(([name, value]) =>
    isDeepStrictEqual(value, current[name]) ? [] : [{ name, reason }],
  )
  const [first] = faults
  if (first !== undefined)
    throw new ShelfwireError('invalid-input', `${noun}: ${first.name} ${first.reason}`, { faults })
}
