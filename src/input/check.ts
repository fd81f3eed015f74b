import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'

/** Collects what is wrong with an input, so that one answer names all of it. */
export class Check {
  readonly faults: Fault[] = []

  /** Notes a fault unless `ok`. */
  that(ok: boolean, name: string, reason: string): void {
    if (!ok) this.faults.push({ name, reason })
  }

  text(name: string, value: string, lengthMax: number): void {
    this.that(value.length > 0 && value.length <= lengthMax, name, `must have 1 to ${lengthMax} characters`)
    this.that(!value.includes('\0') && value.isWellFormed(), name, 'must not hold NUL or broken characters')
  }

  slug(name: string, value: string): void {
    const ok = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value)
    this.that(ok, name, 'must be 1 to 63 of a-z, 0-9 and -, not starting or ending with -')
  }

  currency(name: string, value: string): void {
    this.that(isCurrency(value), name, `«${value.slice(0, 20)}» is not an ISO 4217 currency code such as EUR`)
  }

  /** @returns the locale in canonical form (pl-pl becomes pl-PL), or the value itself when it is a fault. */
  locale(name: string, value: string): string {
    const canonical = canonicalLocale(value)
    this.that(canonical !== null, name, `«${value.slice(0, 40)}» is not a BCP 47 language tag such as en or pl-PL`)
    return canonical ?? value
  }

  decimal(
    name: string,
    value: string,
    options: { min?: number; integerDigits?: number; fractionDigits: number },
  ): void {
    const integerDigits = options.integerDigits ?? 15
    const form = new RegExp(`^-?\\d{1,${integerDigits}}(?:\\.\\d{1,${options.fractionDigits}})?$`)
    const ok = form.test(value) && (options.min === undefined || Number(value) >= options.min)
    const bound = options.min === undefined ? '' : ` of at least ${options.min}`
    this.that(ok, name, `must be a decimal${bound} with at most ${integerDigits}.${options.fractionDigits} digits`)
  }

  integer(name: string, value: number, min: number, max: number): void {
    this.that(Number.isInteger(value) && value >= min && value <= max, name, `must be a whole number ${min} to ${max}`)
  }

  /** Of suppliers and rules: lower goes first. */
  priority(value: number): void {
    this.integer('priority', value, -LIMITS.priorityMax, LIMITS.priorityMax)
  }

  quantity(name: string, value: number): void {
    this.integer(name, value, 0, LIMITS.quantityMax)
  }

  /** Throws `invalid-input` naming every fault found. */
  done(what: string): void {
    const [first] = this.faults
    if (first !== undefined) {
      throw new ShelfwireError('invalid-input', `${what}: ${first.name} ${first.reason}`, { faults: this.faults })
    }
  }
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Whether the runtime's ISO 4217 table has the code. */
export function isCurrency(code: string): boolean {
  return currencies.has(code)
}

/** The canonical form of a BCP 47 tag, or null; also of one that is longer than any in use. */
export function canonicalLocale(tag: string): string | null {
  if (tag.length > LIMITS.localeLengthMax) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}
