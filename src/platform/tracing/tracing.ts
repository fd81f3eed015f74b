// What the rooms know of traces. Off, which is the default, there is no tracer: nothing else of this folder is loaded, and each place
// that would make a span asks `tracer()` and goes on. docs/decisions/191-traces-ride-with-notifications.md says how a write's trace
// gets to the shelving and the deliveries that follow.

/** Where something stands in a trace. */
export interface TraceContext {
  /** 32 small hexadecimal digits. */
  traceId: string
  /** 16 small hexadecimal digits. */
  spanId: string
  /** Whether its spans are sent to the collector. */
  isSampled: boolean
}

/** Whole numbers are account ids, counts and statuses; no text of a customer, no address and no name is ever an attribute. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface SpanOptions {
  name: string
  kind: 'internal' | 'server' | 'client'
  /** What it follows from; null: a trace begins. */
  parent: TraceContext | null
  /** What it follows from as well. */
  links?: readonly TraceContext[]
  attributes: Attributes
}

/** Disposed of before it is done, it has failed. */
export interface Span extends Disposable {
  readonly context: TraceContext
  /** Ends it and gives it to the exporter; its attributes are added. The second call does nothing. */
  done(attributes?: Attributes, hasFailed?: boolean): void
  /** Forgets it: there was nothing to do. */
  drop(): void
}

/** The latest notes of accounts: what a notification follows from (notes.ts). */
export interface Notes {
  add(accountId: number, note: string): void
  /** Where those of an account stand, the oldest first: all, or of changes with numbers behind one up to another. */
  of(accountId: number, changes?: readonly [after: number, upTo: number]): TraceContext[]
  /** How many have been added so far. */
  position(): number
  /** Those of an account up to a position are done with. */
  forget(accountId: number, position: number): void
}

export interface Tracer {
  begin(options: SpanOptions): Span
  /** Runs `work`, which finds the context by `current()`, also after it waited. */
  run<T>(context: TraceContext, work: () => T): T
  /** Where the running code stands; null: in no trace. */
  current(): TraceContext | null
  /** The context that a W3C `traceparent` names; null where there is none, or it is not well formed. */
  read(traceparent: unknown): TraceContext | null
  /** What a notification of changes with these numbers says. */
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

/** The `traceparent` of the running code, to be given on; undefined where it is in no trace. */
export function currentTraceparent(): string | undefined {
  const context = opened?.current()
  return context === null || context === undefined ? undefined : traceparentOf(context)
}
