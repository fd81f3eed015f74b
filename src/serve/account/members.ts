import { exactText } from '../../input/decimal.ts'
import { LIMITS } from '../../platform/limits.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'

// Converts between members of bodies, as the API names them, and fields of rows, as the code does.

type Members = Record<string, unknown>

/** A body with the members that it leaves out or sets to null. */
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

/** Converts JSON numbers among decimals to plain text, which the rooms check. @throws ShelfwireError invalid-input. */
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

/** The plain text of a JSON number; adds a fault where parsing may have lost a digit. */
export function decimalText(name: string, value: number, faults: Fault[]): string {
  const text = exactText(value)
  if ('value' in text) return text.value
  faults.push({ name, reason: text.reason })
  return ''
}

/** Throws `invalid-input` when there are faults; it names LIMITS.faultsMax of them at most. */
export function refuse(all: readonly Fault[]): void {
  const faults = all.slice(0, LIMITS.faultsMax)
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('invalid-input', `${first.name} ${first.reason}`, { faults })
}
