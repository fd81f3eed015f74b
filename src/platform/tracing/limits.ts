/** The limits of traces: a part of LIMITS (limits.ts). */
export const TRACE_LIMITS = {
  /** Ended spans that wait for the collector; what comes then is dropped, and counted. */
  traceSpansWaitingMax: 4_096,
  traceBatchSpans: 512,
  traceBatchMs: 2_000,
  /** How long a collector may take to answer, and how often it gets a batch that it had no time for. */
  traceExportMs: 10_000,
  traceExportTriesMax: 5,
  /** What is not sent that long after the end of the service is lost. */
  traceCloseMs: 2_000,
  /** Traces that one span names beside its own. */
  traceLinksMax: 32,
  /** Traces that go with one notification, and that wait for one. */
  traceNotesPerNotify: 12,
  traceNotesWaitingMax: 256,
  /** Writes of an account that are known for what follows from them, and accounts. */
  traceNotesPerAccount: 64,
  traceNotedAccounts: 1_000,
  traceNotedMs: 3_600_000,
} as const
