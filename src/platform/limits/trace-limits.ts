/** The limits of traces: a part of LIMITS (limits.ts). */
export const TRACE_LIMITS = {
  /** Ended spans that wait for the collector; further ones are dropped, and counted. */
  traceSpansWaitingMax: 4_096,
  traceBatchSpans: 512,
  traceBatchMs: 2_000,
  /** How long a collector may take to answer, and how often the same batch is sent. */
  traceExportMs: 10_000,
  traceExportTriesMax: 5,
  /** Spans that are not sent this long after the end of the service are lost. */
  traceCloseMs: 2_000,
  /** Other traces that one span may link to. */
  traceLinksMax: 32,
  /** Trace notes in one notification, and those that wait for one. */
  traceNotesPerNotify: 12,
  traceNotesWaitingMax: 256,
  /** Recent writes that are remembered for each account, so that later work can be linked to them; and accounts. */
  traceNotesPerAccount: 64,
  traceNotedAccounts: 1_000,
  traceNotedMs: 3_600_000,
} as const
