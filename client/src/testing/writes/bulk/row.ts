import { quoted } from '../../quoted.ts'
import { actualValueSuffix, type Fault } from '../body-shapes.ts'
import { readAmount, readPieces } from '../numbers.ts'
import type { Call, OfferKey, OwnStock, Offer, ProductAsSet, Write } from '../written.ts'

// Reads a row of a bulk, and notes its faults in the words of the service.

export type Members = Readonly<Record<string, unknown>>

export interface Result {
  status: 'created' | 'changed' | 'unchanged' | 'failed'
  product_id?: number
  errors?: Fault[]
}

/** The state of the account as a bulk is changing it. */
export interface Draft {
  stock: Map<number, OwnStock>
  offers: Map<OfferKey, Offer>
  products: Map<number, ProductAsSet>
  made: Map<number, string | null>
}

/** A running bulk. `written` of the call is the draft, so that each row sees the effect of the rows before it. */
export interface Bulk {
  call: Call
  draft: Draft
  /** The changes so far, in their order. */
  writes: Write[]
}

/** Writes rows of one kind. */
export type RowsWriter = (bulk: Bulk, rows: readonly unknown[]) => Result[]

/** The name of a fault that concerns the row as a whole. */
export const WHOLE_ROW = 'row'
const FAULTS_MAX = 20
const NAME_SHOWN_MAX = 60

export const MUST = {
  string: 'must be a string',
  list: 'must be a list',
  object: 'must be an object',
  id: 'must be an ID: a whole number above 0',
  whole: 'must be a whole number',
  notEmpty: 'must not be empty',
} as const

export const NOT_EXPECTED: Fault = {
  name: 'expected',
  reason: 'is not what is there now: it was changed meanwhile; read it again',
}

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const failed = (errors: Fault[], productId?: number): Result => ({
  status: 'failed',
  ...(productId === undefined ? {} : { product_id: productId }),
  errors,
})

/** A row, whose faults are noted while its members are read. */
export class Row {
  readonly faults: Fault[] = []
  /** Where the row is no object, its missing members are not reported. */
  readonly isObject: boolean
  readonly #members: Members

  constructor(sent: unknown, known: readonly string[]) {
    this.isObject = isObject(sent)
    this.#members = isObject(sent) ? sent : {}
    if (!this.isObject) this.note(WHOLE_ROW, MUST.object)
    this.known(this.#members, known)
  }

  get isGood(): boolean {
    return this.faults.length === 0
  }

  note(name: string, reason: string): undefined {
    if (this.faults.length < FAULTS_MAX) this.faults.push({ name, reason })
    return undefined
  }

  known(members: Members, known: readonly string[], at = ''): void {
    for (const name of Object.keys(members))
      if (!known.includes(name))
        this.note(at + name.slice(0, NAME_SHOWN_MAX), `is not a known member; they are ${known.join(', ')}`)
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  need(name: string): void {
    if (this.isObject && !this.has(name)) this.note(name, 'is required')
  }

  /** A text that is not blank, unchanged; otherwise undefined, and a fault is noted. */
  text(name: string, given: unknown = this.get(name)): string | undefined {
    if (typeof given !== 'string') return this.note(name, MUST.string + actualValueSuffix(given))
    return given.trim() === '' ? this.note(name, MUST.notEmpty) : given
  }

  /** As `text`, but null and a blank text are null. */
  textOrNull(name: string, given: unknown = this.get(name)): string | null | undefined {
    return given === null || (typeof given === 'string' && given.trim() === '') ? null : this.text(name, given)
  }

  id(name: string): number | undefined {
    const given = this.get(name)
    return Number.isSafeInteger(given) && Number(given) > 0
      ? Number(given)
      : this.note(name, MUST.id + actualValueSuffix(given))
  }

  pieces(name: string, given: unknown = this.get(name)): number | undefined {
    return this.#number(name, given, readPieces, 'must be a quantity such as 12, ">10" or "10+"')
  }

  amount(name: string, given: unknown = this.get(name)): string | undefined {
    return this.#number(name, given, readAmount, 'must be a decimal such as "12.50"')
  }

  ean(name: string, given: unknown = this.get(name)): string | undefined {
    if (typeof given !== 'string') return this.note(name, MUST.string + actualValueSuffix(given))
    return /^\d(?:[\d\s-]*\d)?$/.test(given.trim())
      ? given.replace(/[\s-]/g, '')
      : this.note(name, `must be an EAN of digits, blanks and dashes, not ${quoted(given)}`)
  }

  /** The good entries of a list, each once; undefined where it is no list. */
  each<T>(name: string, read: (at: string, entry: unknown) => T | undefined): T[] | undefined {
    const given = this.get(name)
    if (!Array.isArray(given)) return this.note(name, MUST.list)
    return [...new Set((given as unknown[]).flatMap((entry, i) => read(`${name}.${i}`, entry) ?? []))]
  }

  #number<T>(
    name: string,
    given: unknown,
    read: (given: string | number) => { value: T } | { reason: string },
    words: string,
  ): T | undefined {
    if (typeof given !== 'string' && typeof given !== 'number') return this.note(name, words + actualValueSuffix(given))
    const verdict = read(given)
    return 'value' in verdict ? verdict.value : this.note(name, verdict.reason)
  }
}
