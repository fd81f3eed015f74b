import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { quoted, textFault } from '../../supplier-files/text-fault.ts'
import { parseCost } from '../../supplier-files/values.ts'

/** Name of a fault that is of the row as a whole. */
export const WHOLE_ROW = 'row'

const NUMBER_DIGITS_MAX = 15
const MEMBER_SHOWN_MAX = 60

/** One row of a bulk as it was sent: gives its members, and collects all that is wrong with them. */
export class Row {
  readonly faults: Fault[] = []
  /** Whether it is an object; anything else has no members to miss. */
  readonly isObject: boolean
  readonly #members: Readonly<Record<string, unknown>>

  /** @param row as sent; anything but an object is a fault, and has no members. */
  constructor(row: unknown, known: ReadonlySet<string>) {
    this.isObject = typeof row === 'object' && row !== null && !Array.isArray(row)
    if (typeof row !== 'object' || row === null || !this.isObject) {
      this.#members = {}
      this.fault(WHOLE_ROW, 'must be an object')
      return
    }
    this.#members = row as Readonly<Record<string, unknown>>
    for (const name of Object.keys(row)) {
      if (!known.has(name))
        this.fault(name.slice(0, MEMBER_SHOWN_MAX), `is not a member of such a row; they are ${[...known].join(', ')}`)
    }
  }

  get isGood(): boolean {
    return this.faults.length === 0
  }

  fault(name: string, reason: string): undefined {
    // names and quotes are data: NUL and halves of characters would keep the fault from being stored
    if (this.faults.length < LIMITS.bulkRowFaultsMax)
      this.faults.push({ name: storable(name), reason: storable(reason) })
    return undefined
  }

  /** A member as sent; undefined when it is not there. */
  get(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** Notes that a member is missing. */
  need(name: string): void {
    if (this.isObject && !this.has(name)) this.fault(name, 'is missing')
  }

  /** A text of 1 to `lengthMax` characters. */
  text(name: string, lengthMax: number): string | undefined {
    const value = this.get(name)
    return value === undefined ? undefined : this.textOf(name, value, lengthMax)
  }

  /** A text, or null for one that is to be cleared; an empty one is none. */
  clearable(name: string, lengthMax: number): string | null | undefined {
    const value = this.get(name)
    return value === undefined ? undefined : value === null || value === '' ? null : this.textOf(name, value, lengthMax)
  }

  /** The same of a value inside a member. */
  textOf(name: string, value: unknown, lengthMax: number): string | undefined {
    if (typeof value !== 'string') return this.fault(name, 'must be a text')
    if (value === '') return this.fault(name, 'must not be empty')
    const reason = textFault(value, lengthMax)
    return reason === undefined ? value : this.fault(name, reason)
  }

  /**
   * An amount of 0 or more as canonical plain decimal text, or null. A JSON number is taken where it is certainly what was
   * meant: as a plain decimal of at most 15 digits.
   */
  amount(name: string): string | null | undefined {
    const value = this.get(name)
    if (value === undefined || value === null) return value
    if (typeof value !== 'string' && typeof value !== 'number')
      return this.fault(name, 'must be a decimal such as "12.50", or null')
    const text = String(value)
    if (typeof value === 'number' && !isExact(text))
      return this.fault(name, `${text.slice(0, MEMBER_SHOWN_MAX)} may not be what was meant: send it as a text`)
    if (text.startsWith('-')) return this.fault(name, `${quoted(text)} is negative`)
    if (!/^\d+(?:\.\d+)?$/.test(text)) return this.fault(name, `${quoted(text)} is not a plain decimal such as "12.50"`)
    const parsed = parseCost(text, '.')
    return 'value' in parsed ? parsed.value : this.fault(name, parsed.reason)
  }

  /** Whole pieces, or null; a negative number counts as 0. */
  pieces(name: string): number | null | undefined {
    const value = this.get(name)
    if (value === undefined || value === null) return value
    if (typeof value !== 'number' || !Number.isInteger(value))
      return this.fault(name, 'must be a whole number, or null')
    return value > LIMITS.quantityMax ? this.fault(name, `must be at most ${LIMITS.quantityMax}`) : Math.max(0, value)
  }

  /** Members of a list; what is none is a fault. */
  list(name: string, lengthMax: number): readonly unknown[] | null | undefined {
    const value = this.get(name)
    if (value === undefined || value === null) return value
    if (!Array.isArray(value)) return this.fault(name, 'must be a list, or null')
    return value.length > lengthMax
      ? this.fault(name, `has ${value.length} entries, more than ${lengthMax}`)
      : (value as unknown[])
  }
}

function storable(text: string): string {
  return text.replaceAll('\0', '�').toWellFormed()
}

/** Whether a number's text is a plain decimal of so few digits that no other decimal reads as the same number. */
function isExact(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) && text.replace(/^-|\./g, '').replace(/^0+/, '').length <= NUMBER_DIGITS_MAX
}
