import { MUST } from '../../../contract/values.ts'
import { BOUNDS, readDecimal } from '../../input/decimal.ts'
import { isObject } from '../../input/is-object.ts'
import { readEach } from '../../input/list.ts'
import { readQuantity } from '../../input/quantity.ts'
import { readKey, readText } from '../../input/text.ts'
import type { Verdict } from '../../input/verdict.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'

/** The name in faults that concern the whole row. */
export const WHOLE_ROW = 'row'

const MEMBER_SHOWN_MAX = 60

/** One row of a bulk as sent. Reads members by the rules of src/input, and collects all faults. */
export class Row {
  readonly faults: Fault[] = []
  /** Whether the row is an object. If not, that is the only fault, and missing members are not reported. */
  readonly isObject: boolean
  readonly #members: Readonly<Record<string, unknown>>

  /** @param row as sent; anything but an object is a fault. @param known names of the members that it may have */
  constructor(row: unknown, known: ReadonlySet<string>) {
    this.isObject = isObject(row)
    this.#members = isObject(row) ? row : {}
    if (!this.isObject) this.fault(WHOLE_ROW, MUST.object)
    this.known(this.#members, [...known])
  }

  get isGood(): boolean {
    return this.faults.length === 0
  }

  fault(name: string, reason: string): undefined {
    // names and quoted values come from the client: PostgreSQL cannot store NUL and lone surrogates
    if (this.faults.length < LIMITS.bulkRowFaultsMax)
      this.faults.push({ name: storable(name), reason: storable(reason) })
    return undefined
  }

  /** Reports unknown members of an object. @param at prefix of their names, the object's path in the row. */
  known(members: object, known: readonly string[], at = ''): void {
    for (const name of Object.keys(members)) {
      if (!known.includes(name))
        this.fault(at + name.slice(0, MEMBER_SHOWN_MAX), `is not a known member; they are ${known.join(', ')}`)
    }
  }

  /** A member as sent; undefined when absent. */
  get(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Reports a missing member. */
  need(name: string): void {
    if (this.isObject && !this.has(name)) this.fault(name, 'is required')
  }

  /** The value of a verdict; for a fault reports it and returns undefined. */
  take<T>(name: string, verdict: Verdict<T>): T | undefined {
    return 'value' in verdict ? verdict.value : this.fault(name, verdict.reason)
  }

  /** A member, read by a rule; undefined if it is absent or faulty. */
  read<T>(name: string, rule: (given: unknown) => Verdict<T>): T | undefined {
    const value = this.get(name)
    return value === undefined ? undefined : this.take(name, rule(value))
  }

  /** A member, read by a rule, or null. */
  readOrNull<T>(name: string, rule: (given: unknown) => Verdict<T>): T | null | undefined {
    return this.get(name) === null ? null : this.read(name, rule)
  }

  /** A key of 1 to `lengthMax` characters, which is not normalized. */
  key(name: string, lengthMax: number): string | undefined {
    return this.read(name, (given) => readKey(given, lengthMax))
  }

  /** A text of 1 to `lengthMax` characters. */
  text(name: string, lengthMax: number): string | undefined {
    return this.read(name, (given) => readText(given, lengthMax))
  }

  /** An amount of 0 or more as canonical plain decimal text, or null. */
  amount(name: string): string | null | undefined {
    return this.readOrNull(name, (given) => readDecimal(given, BOUNDS.amount))
  }

  /** A whole quantity, or null. */
  pieces(name: string): number | null | undefined {
    return this.readOrNull(name, readQuantity)
  }

  /** Entries of a list, without duplicates; null is an empty list. */
  each<T>(name: string, lengthMax: number, rule: (given: unknown) => Verdict<T>): T[] | undefined {
    const value = this.get(name)
    if (value === undefined || value === null) return value === null ? [] : undefined
    if (!Array.isArray(value)) return this.fault(name, MUST.list)
    return readEach(name, value, lengthMax, rule, (fault) => this.fault(fault.name, fault.reason))
  }
}

function storable(text: string): string {
  return text.replaceAll('\0', '�').toWellFormed()
}
