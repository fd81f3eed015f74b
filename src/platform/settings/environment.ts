import { readLimits } from '../limits/account-limits.ts'
import { parseDatabaseUrl } from './database-url.ts'
import type { Fault } from '../errors.ts'

/** Reads environment variables, and collects what is wrong with them. An invalid variable has its default until the faults are thrown. */
export class Environment {
  readonly faults: Fault[] = []
  readonly #variables: Readonly<Record<string, string | undefined>>

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = variables
  }

  /** An empty value counts as not set. */
  get(name: string): string | undefined {
    return this.#variables[name] === '' ? undefined : this.#variables[name]
  }

  /** A whole number between two bounds, both inclusive. */
  integer(name: string, fallback: number, min: number, max: number) {
    const text = this.get(name)
    if (text === undefined) return fallback
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    this.faults.push({ name, reason: `must be a whole number from ${min} to ${max}, not "${text}"` })
    return fallback
  }

  /** `true` or `false`. */
  flag(name: string, fallback: boolean) {
    const text = this.get(name)
    if (text === undefined) return fallback
    if (text === 'true' || text === 'false') return text === 'true'
    this.faults.push({ name, reason: `must be true or false, not "${text}"` })
    return fallback
  }

  /** `on` or `off`. */
  isOn(name: string, fallback: boolean) {
    const text = this.get(name)
    if (text === undefined) return fallback
    if (text === 'on' || text === 'off') return text === 'on'
    this.faults.push({ name, reason: `must be on or off, not "${text}"` })
    return fallback
  }

  /** `yes` or `no`. */
  isYes(name: string, fallback: boolean) {
    const text = this.get(name)
    if (text === undefined) return fallback
    if (text === 'yes' || text === 'no') return text === 'yes'
    this.faults.push({ name, reason: `must be yes or no, not "${text}"` })
    return fallback
  }

  /** One of some words; the first is the default. */
  oneOf<const T extends string>(name: string, words: readonly [T, ...T[]]): T {
    const text = this.get(name)
    const word = text === undefined ? words[0] : words.find((entry) => entry === text)
    if (word === undefined) this.faults.push({ name, reason: `must be ${words.join(' or ')}, not "${text}"` })
    return word ?? words[0]
  }

  /** A URL without a slash at its end. */
  url(name: string, protocols: readonly string[]) {
    const text = this.get(name)
    if (text === undefined) return null
    const parsed = URL.canParse(text) ? new URL(text) : null
    if (parsed !== null && protocols.includes(parsed.protocol)) return text.replace(/\/+$/, '')
    // the value may hold a password, so the message does not repeat it
    this.faults.push({
      name,
      reason: `must be a URL that starts with ${protocols.map((entry) => `${entry}//`).join(' or ')}`,
    })
    return null
  }

  /** The URL of a database; it may name several hosts. */
  database(name: string) {
    const text = this.get(name)
    if (text === undefined) return null
    const parsed = parseDatabaseUrl(text)
    if (typeof parsed === 'string') this.faults.push({ name, reason: parsed })
    return text.replace(/\/+$/, '')
  }

  /** Entries separated by commas. */
  list(name: string, isValid: (entry: string) => boolean, reason: string) {
    const entries = (this.get(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    if (!entries.every(isValid)) this.faults.push({ name, reason })
    return entries
  }

  /** A text that no message repeats. */
  secret(name: string, isValid: (text: string) => boolean, reason: string) {
    const text = this.get(name)
    if (text === undefined) return null
    // the value is secret, so the message does not repeat it
    if (!isValid(text)) this.faults.push({ name, reason })
    return text
  }

  /** Limits of accounts, by budget. */
  budgets(name: string) {
    const limits = readLimits(this.get(name) ?? '')
    if (typeof limits === 'object') return limits
    this.faults.push({ name, reason: limits })
    return {}
  }
}
