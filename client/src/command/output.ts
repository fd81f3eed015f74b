import process from 'node:process'
import type { Writable } from 'node:stream'
import type { Failure } from './failure.ts'

// What a command prints: lines for people, or one JSON object a line. Texts come from catalogs, servers and senders that may be hostile.

/**
 * Characters that a terminal interprets or hides instead of showing: control characters, line and paragraph separators, characters that
 * change the direction of writing or are invisible, and halves of surrogate pairs.
 */
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text that is safe to show on a terminal, in one line: other characters are written as `\uXXXX`. */
export const printable = (text: string) => text.replace(UNPRINTABLE, escaped)

/** JSON in one line, with the same escapes: parsed, it is the same value. */
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

  /** Prints an event: an object with --json, otherwise the text, or nothing where that is null. */
  event(event: string, fields: Readonly<Record<string, unknown>>, text: string | null): void {
    if (this.isJson) {
      this.#stdout.write(jsonLine({ event, ...fields }))
      return
    }
    if (text !== null) this.line(text)
  }

  /** Prints a line for people on standard output. */
  line(text: string): void {
    this.live('')
    this.#stdout.write(`${printable(text)}\n`)
  }

  /** Overwrites the line of progress, on a terminal only. An empty text removes it. */
  live(text: string): void {
    if (!this.isLive || text === this.#shown) return
    const now = performance.now()
    if (text !== '' && now - this.#shownAt < LIVE_EVERY_MS) return
    this.#shownAt = text === '' ? -Infinity : now
    this.#shown = text
    // some terminals report 0 columns
    const { columns = 0 } = this.#stderr
    this.#stderr.write(`\r\u001b[K${printable(text).slice(0, columns > 1 ? columns - 1 : 79)}`)
  }

  /** Prints a line for people on standard error, with --json too. */
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

/** A rounded number with commas between thousands. */
export const count = (value: number) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

export const counted = (value: number, one: string, many: string) => `${count(value)} ${value === 1 ? one : many}`
