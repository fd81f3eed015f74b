import { MUST } from '../../contract/values.ts'
import { actualValueSuffix, type Verdict } from './verdict.ts'

/** Reads a whole number within bounds. */
export function readWhole(given: unknown, min: number, max: number): Verdict<number> {
  if (typeof given !== 'number' || !Number.isInteger(given))
    return { reason: `${MUST.whole}${actualValueSuffix(given)}` }
  return given >= min && given <= max
    ? { value: given }
    : { reason: `${MUST.whole} from ${min} to ${max}, not ${given}` }
}

/** Reads a text that must be a whole number, as on a command line. */
export function wholeOfText(text: string): Verdict<number> {
  return /^-?\d{1,15}$/.test(text) ? { value: Number(text) + 0 } : { reason: `${MUST.whole}${actualValueSuffix(text)}` }
}

/** Reads an id in text. */
export function idOfText(text: string): Verdict<number> {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? { value: id } : { reason: `${MUST.id}${actualValueSuffix(text)}` }
}

/** Reads an id. */
export function readId(given: unknown): Verdict<number> {
  return typeof given === 'number' && Number.isSafeInteger(given) && given > 0
    ? { value: given }
    : { reason: `${MUST.id}${actualValueSuffix(given)}` }
}
