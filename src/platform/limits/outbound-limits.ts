import { PROVIDER_LIMITS } from './provider-limits.ts'
import { TRACE_LIMITS } from './trace-limits.ts'

/** The limits of outbound requests and mail: a part of LIMITS (limits.ts). */
export const OUTBOUND_LIMITS = {
  outboundConnectionsMax: 500,
  outboundKeepAliveMs: 4_000,
  outboundNextAddressMs: 1_000,
  outboundCheckMs: 5_000,
  outboundEvidenceMs: 300_000,
  outboundFailingHostsMax: 10_000,
  outboundInterimMax: 20,
  ...PROVIDER_LIMITS,
  ...TRACE_LIMITS,
  // support bundles: the bytes of each file, and how much is collected into them
  supportFileBytesMax: 4_194_304,
  supportRowsMax: 1_000,
  supportStatementsMax: 50,
  supportStatementCharactersMax: 2_000,
  supportLogBytesMax: 2_097_152,
  supportLogLinesMax: 5_000,
  supportMetricsMs: 5_000,
} as const
