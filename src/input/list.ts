import type { Fault } from '../platform/errors.ts'
import type { Verdict } from './verdict.ts'

/**
 * Reads the entries of a list; repeated entries count once, at the first place. Invalid entries are noted as
 * `images.3`, and too many entries as a fault of the list.
 */
export function readEach<T>(
  name: string,
  entries: readonly unknown[],
  max: number,
  read: (entry: unknown) => Verdict<T>,
  note: (fault: Fault) => void,
): T[] {
  const values = new Set<T>()
  for (const [i, entry] of entries.entries()) {
    const verdict = read(entry)
    if ('value' in verdict) values.add(verdict.value)
    else note({ name: `${name}.${i}`, reason: verdict.reason })
  }
  if (values.size > max) note({ name, reason: tooMany(values.size, max) })
  return [...values]
}

export const tooMany = (count: number, max: number) => `must have at most ${max} entries, not ${count}`
