import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { readCurrency } from './currency.ts'
import { readDecimal, type DecimalBounds } from './decimal.ts'
import { readLocale } from './locale.ts'
import { readKey, readSlug, readText } from './text.ts'
import type { Verdict } from './verdict.ts'
import { readWhole } from './whole.ts'

/**
 * Collects what is wrong with an input, so that one answer names all of it, up to LIMITS.faultsMax: a body of a megabyte has 60,000 members,
 * and naming each would keep the process for seconds. What is read beyond that counts as good, and `done` throws all the same.
 */
export class Check {
  readonly faults: Fault[] = []

  /** Whether so much is wrong that it is not worth looking further. */
  get isFull(): boolean {
    return this.faults.length >= LIMITS.faultsMax
  }

  /** Notes a fault unless `ok`. */
  that(ok: boolean, name: string, reason: string): void {
    if (!ok && !this.isFull) this.faults.push({ name, reason })
  }

  /** Notes the fault of a verdict. @returns its value, or a placeholder to go on with until `done` throws. */
  take<T>(name: string, verdict: Verdict<T>, otherwise: T): T {
    if ('value' in verdict) return verdict.value
    this.that(false, name, verdict.reason)
    return otherwise
  }

  /** @returns the text without blanks at its ends. */
  text(name: string, value: string, lengthMax: number): string {
    return this.take(name, readText(value, lengthMax), value)
  }

  /** What identifies something; it stays as it is. */
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

  /** @returns the locale in canonical form (pl-pl becomes pl-PL), or the value itself when it is a fault. */
  locale(name: string, value: string): string {
    // finding the tag that a wrong one was meant to be takes a tenth of a millisecond
    return this.isFull ? value : this.take(name, readLocale(value), value)
  }

  /** @returns canonical text; that of 0 for a faulty value, so that it can be compared. */
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

  /** Throws `invalid-input` naming every fault found. */
  done(what: string): void {
    const [first] = this.faults
    if (first !== undefined) {
      throw new ShelfwireError('invalid-input', `${what}: ${first.name} ${first.reason}`, { faults: this.faults })
    }
  }
}
