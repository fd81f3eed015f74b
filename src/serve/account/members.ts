import { exactText } from '../../input/decimal.ts'
import { LIMITS } from '../../platform/limits.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'

// Converts between members of bodies (API names) and fields of rows (names in code).

type Members = Record<string, unknown>

/** A body with the defaults for members that it leaves out or sets to null. */
export function withDefaults(members: Members, defaults: Members): Members {
  return {
    ...structuredClone(defaults),
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
  }
}

/** A map without the entries that are null. */
export function withoutNulls<T>(map: Readonly<Record<string, T | null>> | null | undefined): Record<string, T> {
  return Object.fromEntries(
    Object.entries(map ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

/** Converts decimals that are JSON numbers to plain text; the text is checked where it is used. @throws ShelfwireError invalid-input. */
export function withDecimals<M extends Members, N extends keyof M & string>(
  members: M,
  names: readonly N[],
): M & { [K in N]: Exclude<M[K], number> } {
  const faults: Fault[] = []
  const texts = names.flatMap((name) => {
    const value = members[name]
    return typeof value === 'number' ? [[name, decimalText(name, value, faults)]] : []
  })
  refuse(faults)
  return { ...members, ...Object.fromEntries(texts) }
}

/** A JSON number as plain text; adds a fault if parsing may have lost a digit. */
export function decimalText(name: string, value: number, faults: Fault[]): string {
  const text = exactText(value)
  if ('value' in text) return text.value
  faults.push({ name, reason: text.reason })
  return ''
}

/** Throws `invalid-input` if there are faults, with the first LIMITS.faultsMax of them. */
export function refuse(all: readonly Fault[]): void {
  const faults = all.slice(0, LIMITS.faultsMax)
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('invalid-input', `${first.name} ${first.reason}`, { faults })
}
