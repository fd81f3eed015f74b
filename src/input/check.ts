import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { readCurrency } from './currency.ts'
import { readDecimal, type DecimalBounds } from './decimal.ts'
import { readLocale } from './locale.ts'
import { readKey, readSlug, readText } from './text.ts'
import type { Verdict } from './verdict.ts'
import { readWhole } from './whole.ts'

/**
 * Collects what is wrong with an input, so that one answer names all of it, up to LIMITS.faultsMax: a body of a megabyte can have 60,000 members, and
 * naming each would keep the process busy for seconds. Beyond the limit, values count as good; `done` throws nevertheless.
 */
export class Check {
  readonly faults: Fault[] = []

  /** Whether so many faults were found that checking further is not worthwhile. */
  get isFull(): boolean {
    return this.faults.length >= LIMITS.faultsMax
  }

  /** Records a fault unless `ok`. */
  that(ok: boolean, name: string, reason: string): void {
    if (!ok && !this.isFull) this.faults.push({ name, reason })
  }

  /** Records the fault of a verdict. @returns its value, or `otherwise` as a placeholder until `done` throws. */
  take<T>(name: string, verdict: Verdict<T>, otherwise: T): T {
    if ('value' in verdict) return verdict.value
    this.that(false, name, verdict.reason)
    return otherwise
  }

  /** @returns the text without blanks at its ends. */
  text(name: string, value: string, lengthMax: number): string {
    return this.take(name, readText(value, lengthMax), value)
  }

  /** Validates an identifier, which is not changed. */
  key(name: string, value: string, lengthMax: number): void {
    this.take(name, readKey(value, lengthMax), value)
  }

  slug(name: string, value: string): string {
    return this.take(name, readSlug(value), value)
  }

  /** @returns the code in capitals. */
  currency(name: string, value: string): string {
    return this.take(name, readCurrency(value), value)
  }

  /** @returns the locale in canonical form (pl-pl becomes pl-PL), or the value itself if it is invalid. */
  locale(name: string, value: string): string {
    // finding the tag that an invalid one was meant to be takes a tenth of a millisecond
    return this.isFull ? value : this.take(name, readLocale(value), value)
  }

  /** @returns canonical text; '0' for an invalid value, so that it can be compared. */
  decimal(name: string, value: string, bounds: DecimalBounds): string {
    return this.take(name, readDecimal(value, bounds), '0')
  }

  integer(name: string, value: number, min: number, max: number): void {
    this.take(name, readWhole(value, min, max), value)
  }

  /** The priority of a supplier or rule; lower comes first. */
  priority(value: number): void {
    this.integer('priority', value, -LIMITS.priorityMax, LIMITS.priorityMax)
  }

  quantity(name: string, value: number): void {
    this.integer(name, value, 0, LIMITS.quantityMax)
  }

  /** @throws ShelfwireError `invalid-input`, naming every fault found. @param what the noun for the message */
  done(what: string): void {
    const [first] = this.faults
    if (first !== undefined) {
      throw new ShelfwireError('invalid-input', `${what}: ${first.name} ${first.reason}`, { faults: this.faults })
    }
  }
}
