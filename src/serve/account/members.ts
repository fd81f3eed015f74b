import { exactText } from '../../input/decimal.ts'
import { ShelfwireError, type Fault } from '../../platform/errors.ts'

// Members of bodies as the API names them, and fields of rows as the rooms do.

type Members = Record<string, unknown>

/** A body with what it leaves out, or says null of. */
export function withDefaults(members: Members, defaults: Members): Members {
  return {
    ...structuredClone(defaults),
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
  }
}

/** JSON numbers among decimals as their plain text, which the rooms judge. @throws ShelfwireError invalid-input. */
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

/** The plain text of a JSON number; a fault is noted where a digit may have been lost on the way. */
export function decimalText(name: string, value: number, faults: Fault[]): string {
  const text = exactText(value)
  if ('value' in text) return text.value
  faults.push({ name, reason: text.reason })
  return ''
}

/** Throws `invalid-input` when there are faults. */
export function refuse(faults: readonly Fault[]): void {
  const [first] = faults
  if (first !== undefined) throw new ShelfwireError('invalid-input', `${first.name} ${first.reason}`, { faults })
}
