// The interface of traces for all rooms. While traces are off, which is the default, there is no tracer: nothing else in this folder is loaded, and
// code that would create a span checks `tracer()` and goes on. docs/decisions/191-traces-ride-with-notifications.md says how the trace of a write
// reaches the shelving and the deliveries that follow.

/** A position in a trace: one of its spans. */
export interface TraceContext {
  /** 32 hexadecimal digits in lower case. */
  traceId: string
  /** 16 hexadecimal digits in lower case. */
  spanId: string
  /** Whether its spans are sent to the collector. */
  isSampled: boolean
}

/** Numbers are account ids, counts and statuses. No attribute ever contains a customer's text, an address or a name. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface SpanOptions {
  name: string
  kind: 'internal' | 'server' | 'client'
  /** The span that caused it; null: a new trace begins. */
  parent: TraceContext | null
  /** Further spans that caused it. */
  links?: readonly TraceContext[]
  attributes: Attributes
}

/** Disposing a span before `done` or `drop` marks it as failed. */
export interface Span extends Disposable {
  readonly context: TraceContext
  /** Ends the span with these further attributes and passes it to the exporter. A second call does nothing. */
  done(attributes?: Attributes, hasFailed?: boolean): void
  /** Discards the span, because there was nothing to do. */
  drop(): void
}

/** The latest notes of accounts: the spans from which notifications follow (notes.ts). */
export interface Notes {
  add(accountId: number, note: string): void
  /** The contexts of an account's notes, the oldest first: all, or those of changes with numbers above `after` and up to `upTo`. */
  of(accountId: number, changes?: readonly [after: number, upTo: number]): TraceContext[]
  /** How many notes have been added so far. */
  position(): number
  /** Removes the notes of an account up to a position. */
  forget(accountId: number, position: number): void
}

export interface Tracer {
  begin(options: SpanOptions): Span
  /** Runs `work`; `current()` returns the context within it, also in its asynchronous parts. */
  run<T>(context: TraceContext, work: () => T): T
  /** The context of the running code; null: it is in no trace. */
  current(): TraceContext | null
  /** The context in a W3C `traceparent`; null if there is none, or it is malformed. */
  read(traceparent: unknown): TraceContext | null
  /** The note for a notification of changes with these numbers. */
  noteOf(context: TraceContext, changes: { first: number; last: number }): string
  openNotes(): Notes
}

let opened: Tracer | null = null

/** The tracer of this process; null while traces are off. */
export const tracer = (): Tracer | null => opened

/** Sets the tracer of this process; null turns traces off. */
export function setTracer(next: Tracer | null): void {
  opened = next
}

/** The `traceparent` of a context. */
export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** The `traceparent` of the running code, to be passed on; undefined if it is in no trace. */
export function currentTraceparent(): string | undefined {
  const context = opened?.current()
  return context === null || context === undefined ? undefined : traceparentOf(context)
}
