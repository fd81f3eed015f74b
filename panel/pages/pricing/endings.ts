import { amount } from './values.ts'

const SHOWN = 3
/** Examples begin at this price, which is typical of most catalogs. */
const FROM = 4

/** The first prices from FROM on that a rounding produces. Empty if step or ending is missing or invalid. */
export function endingsOf(step: string, ending: string): string[] {
  const [by, of] = [step, ending].map((text) => Number(amount(text) ?? Number.NaN)) as [number, number]
  if (!(by > 0) || !(of >= 0) || of >= by + Number.EPSILON) return []
  const first = Math.max(0, Math.ceil((FROM - of) / by))
  const digits = Math.min(6, Math.max(...[step, ending].map((text) => (amount(text) ?? '').split('.')[1]?.length ?? 0)))
  return Array.from({ length: SHOWN + 1 }, (_, i) => ((first + i) * by + of).toFixed(digits))
    .filter((price) => Number(price) > 0)
    .slice(0, SHOWN)
}
