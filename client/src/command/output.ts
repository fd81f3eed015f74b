import process from 'node:process'
import type { Writable } from 'node:stream'
import type { Failure } from './failure.ts'

// What a command prints: lines for people, or one JSON object a line. Texts come from catalogs, servers and senders that may be hostile.

/**
 * What a terminal acts on instead of showing it: control characters, line and paragraph separators, characters that turn the direction of
 * writing or are invisible, and halves of surrogate pairs.
 */
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text as a terminal may show it, in one line. */
export const printable = (text: string) => text.replace(UNPRINTABLE, escaped)

/** JSON in one line that a terminal may show, too: it means the same. */
const jsonLine = (value: unknown) => `${printable(JSON.stringify(value))}\n`

const LIVE_EVERY_MS = 100

export class Output {
  readonly isJson: boolean
  readonly #stdout: Writable
  readonly #stderr: Writable & { isTTY?: boolean; columns?: number }
  #shown = ''
  #shownAt = -Infinity

  constructor(isJson: boolean) {
    this.isJson = isJson
    this.#stdout = process.stdout
    this.#stderr = process.stderr
  }

  /** Whether progress is shown in one line that changes. */
  get isLive(): boolean {
    return !this.isJson && this.#stderr.isTTY === true
  }

  /** What happened: an object with --json, otherwise the text; nothing where that is null. */
  event(event: string, fields: Readonly<Record<string, unknown>>, text: string | null): void {
    if (this.isJson) {
      this.#stdout.write(jsonLine({ event, ...fields }))
      return
    }
    if (text !== null) this.line(text)
  }

  /** For people. */
  line(text: string): void {
    this.live('')
    this.#stdout.write(`${printable(text)}\n`)
  }

  /** The line that changes, on a terminal only; empty: it is taken away. */
  live(text: string): void {
    if (!this.isLive || text === this.#shown) return
    const now = performance.now()
    if (text !== '' && now - this.#shownAt < LIVE_EVERY_MS) return
    this.#shownAt = text === '' ? -Infinity : now
    this.#shown = text
    // some terminals say that they have no columns
    const { columns = 0 } = this.#stderr
    this.#stderr.write(`\r\u001b[K${printable(text).slice(0, columns > 1 ? columns - 1 : 79)}`)
  }

  /** For people, whatever is printed otherwise: on standard error. */
  note(text: string): void {
    this.live('')
    this.#stderr.write(`${printable(text)}\n`)
  }

  failed({ code, exit, message }: Failure): void {
    if (this.isJson) this.#stdout.write(jsonLine({ event: 'error', code, exit, message }))
    this.live('')
    for (const line of message.split('\n')) this.#stderr.write(`shelfwire-client: ${printable(line)}\n`)
  }
}

/** A number as people read it. */
export const count = (value: number) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

export const counted = (value: number, one: string, many: string) => `${count(value)} ${value === 1 ? one : many}`
