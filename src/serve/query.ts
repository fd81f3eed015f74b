import type { Verdict } from '../input/verdict.ts'
import { ShelfwireError, type Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { parseTimestamp } from '../platform/timestamp.ts'

/** Raw query parameters: a parameter that stands twice is a list. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

const ID = /^[1-9]\d{0,18}$/
const INT64_MAX = 2n ** 63n - 1n

/**
 * Reads query parameters strictly and collects what is wrong, so that one answer names every fault. Numbers are plain
 * decimal digits: `1e3`, `0x10`, `+1` and ` 1` are refused, whatever JavaScript makes of them.
 */
export class Query {
  readonly #raw: RawQuery
  readonly #faults: Fault[] = []
  readonly #asked = new Set<string>()

  constructor(raw: unknown) {
    this.#raw = raw as RawQuery
  }

  /** Notes what is wrong with a parameter; the first fault of each is told. */
  fault(name: string, reason: string): void {
    if (!this.#faults.some((fault) => fault.name === name)) this.#faults.push({ name, reason })
  }

  /** The value as text; a repeated parameter is a fault, because which one counts is anybody's guess. */
  text(name: string): string | undefined {
    this.#asked.add(name)
    const value = this.#raw[name]
    if (value === undefined || typeof value === 'string') return value
    this.fault(name, 'is given more than once')
    return undefined
  }

  /** A value read by a rule of src/input. */
  read<T>(name: string, rule: (given: string) => Verdict<T>): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const verdict = rule(text)
    if ('value' in verdict) return verdict.value
    this.fault(name, verdict.reason)
    return undefined
  }

  has(name: string): boolean {
    return this.#raw[name] !== undefined
  }

  /** A whole number within bounds; of 64 bits when only the lower one is given. */
  integer(name: string, bounds: { min: number; max?: number }): number | undefined {
    const value = this.#integer(name)
    if (value === undefined) return undefined
    const { min, max = INT64_MAX } = bounds
    // numbers that we never give out are all alike
    if (value >= min && value <= max) return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
    this.fault(name, `must be from ${min} to ${max}`)
    return undefined
  }

  /** A whole number, moved into the bounds when it lies outside. */
  clamped(name: string, bounds: { min: number; max: number }): number | undefined {
    const value = this.#integer(name)
    return value === undefined ? undefined : Math.min(bounds.max, Math.max(bounds.min, Number(value)))
  }

  #integer(name: string): bigint | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^-?\d{1,40}$/.test(text)) {
      this.fault(name, `must be a whole number, not «${text.slice(0, 40)}»`)
      return undefined
    }
    return BigInt(text)
  }

  /** `true` or `false`; false when it is not given. */
  flag(name: string): boolean {
    const text = this.text(name)
    if (text !== undefined && text !== 'true' && text !== 'false')
      this.fault(name, `must be true or false, not «${text.slice(0, 40)}»`)
    return text === 'true'
  }

  /** An RFC 3339 timestamp. */
  timestamp(name: string): Date | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const at = parseTimestamp(text)
    if (at === null) {
      this.fault(name, `must be a timestamp with offset such as 2026-11-20T10:00:00+00:00, not «${text.slice(0, 60)}»`)
    }
    return at ?? undefined
  }

  /** Product ids separated by commas, each once. */
  ids(name: string): number[] | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const parts = text.split(',')
    if (parts.length > LIMITS.idsMax) {
      this.fault(name, `holds ${parts.length} ids; at most ${LIMITS.idsMax} are read at once`)
      return undefined
    }
    const bad = parts.find((part) => !ID.test(part))
    if (bad !== undefined) {
      this.fault(name, `must be product ids separated by commas; «${bad.slice(0, 40)}» is none`)
      return undefined
    }
    // ids beyond what we ever give out name no product
    return [...new Set(parts.map(Number))].filter(Number.isSafeInteger)
  }

  /** Throws `invalid-parameters` when anything was wrong. */
  done(): void {
    const [first] = this.#faults
    if (first === undefined) return
    const detail = this.#faults.map((fault) => `${fault.name} ${fault.reason}`).join('; ')
    throw new ShelfwireError('invalid-parameters', detail, { faults: this.#faults })
  }

  /** The same, and refuses what nobody asked for: where something is written, `dryrun=true` must not be taken for silence. */
  doneClosed(): void {
    for (const name of Object.keys(this.#raw))
      if (!this.#asked.has(name)) this.fault(name.slice(0, 80), 'is not known here')
    this.done()
  }
}

/** A product id of a path, or null when it can be no product's. */
export function pathId(text: string): number | null {
  const id = ID.test(text) ? Number(text) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
