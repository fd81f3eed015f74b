import type { Writable } from 'node:stream'
import { SingleBar } from 'cli-progress'
import { terminal } from './terminal.ts'

/** Prints a command's output: text for a terminal, or with --json exactly one JSON object on standard output. */
export interface Printer {
  isJson: boolean
  /** Prints the result: `fields` as JSON, or `text`. */
  result(fields: Record<string, unknown>, text: string): void
  /** Prints a note on standard error; nothing with --json. */
  note(text: string): void
  /** Shows progress on standard error: a bar on a terminal, otherwise a line every few seconds; nothing with --json. */
  progress(label: string): Progress
}

export interface Progress extends Disposable {
  update(done: number, total: number | null, label?: string): void
}

/** Members that contain a document of the user. */
const DOCUMENTS: ReadonlySet<string> = new Set(['mapping'])

/** Converts member names to snake_case as in the API; keys that are data (currencies, locales) and documents stay as they are. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      /^[a-z][a-zA-Z]*$/.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name,
      DOCUMENTS.has(name) ? member : snakeCase(member),
    ]),
  )
}

const LINE_EVERY_MS = 5_000

export function openPrinter(isJson: boolean): Printer {
  const { stdout, stderr } = terminal()
  return {
    isJson,
    result(fields, text) {
      stdout.write(isJson ? `${JSON.stringify(snakeCase(fields))}\n` : `${text}\n`)
    },
    note(text) {
      if (!isJson) stderr.write(`${text}\n`)
    },
    progress(label) {
      if (isJson) return { update() {}, [Symbol.dispose]() {} }
      return stderr.isTTY === true ? bar(label, stderr) : lines(label, stderr)
    },
  }
}

function bar(label: string, stderr: Writable): Progress {
  const shown = new SingleBar({
    format: '{label} {bar} {value}/{total}',
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    stream: stderr,
  })
  let isStarted = false
  return {
    update(done, total, name = label) {
      if (!isStarted) shown.start(total ?? 0, 0, { label: name })
      isStarted = true
      shown.setTotal(Math.max(total ?? done, done))
      shown.update(done, { label: name })
    },
    [Symbol.dispose]() {
      if (isStarted) shown.stop()
    },
  }
}

function lines(label: string, stderr: Writable): Progress {
  let last = performance.now()
  return {
    update(done, total, name = label) {
      if (performance.now() - last < LINE_EVERY_MS) return
      last = performance.now()
      stderr.write(`${name}: ${done}${total === null ? '' : ` of ${total}`}\n`)
    },
    [Symbol.dispose]() {},
  }
}
