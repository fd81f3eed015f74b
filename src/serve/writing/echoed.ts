import { ShelfwireError } from '../../platform/errors.ts'

type Members = Record<string, unknown>

/** What a body sets: all of it but members of these names. */
type Set<B, N> = string extends N ? B : Omit<B, N & string>

/** Parts a body into what it sets and what it says of members that are assigned. */
export function partEchoed<B extends Members, N extends string>(
  body: B,
  names: readonly N[],
): { members: Set<B, N>; echoed: Members } {
  const entries = Object.entries(body)
  const isEchoed = (name: string) => (names as readonly string[]).includes(name)
  return {
    members: Object.fromEntries(entries.filter(([name]) => !isEchoed(name))) as Set<B, N>,
    echoed: Object.fromEntries(entries.filter(([name]) => isEchoed(name))),
  }
}

/**
 * Has what a body says of members that are given out be so: who reads, edits and sends back need not take them out, and who
 * means to change one is told.
 * @param current the representation, or what is known of one that is being made.
 * @param reason what is told of members that differ.
 * @throws ShelfwireError invalid-input, naming them.
 */
export function requireEchoed(
  noun: string,
  echoed: Members,
  current: Members,
  reason = 'is given out and can not be set',
): void {
  const faults = Object.entries(echoed).flatMap(([name, value]) => (value === current[name] ? [] : [{ name, reason }]))
  const [first] = faults
  if (first !== undefined)
    throw new ShelfwireError('invalid-input', `${noun}: ${first.name} ${first.reason}`, { faults })
}
