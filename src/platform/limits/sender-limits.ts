/** What one sender, or one account, may use of what all share: a part of LIMITS (limits.ts). docs/decisions/245-bounds-between-accounts.md */
export const SENDER_LIMITS = {
  compiledAccountsMax: 500,
  /** Memory of compiled accounts, estimated from the values of their rules and attributes; the least recently used ones are dropped first. */
  compiledBytesMax: 268_435_456,
  /** Labels, units and options of one attribute definition, as JSON: more than one request can bring. */
  attributeDefinitionBytesMax: 2_097_152,
  /** Bytes of definitions in one answer of a list; an answer has at least one definition. */
  attributePageBytes: 2_097_152,
  // small bodies from people, and from holders of links, who act for no account; those of the operator are counted apart
  peoplesBodiesBytesMax: 16_777_216,
  peoplesBodiesBytesPerPersonMax: 2_097_152,
  // answers that are kept under Idempotency-Keys: bodies up to this length always; of longer ones, this many bytes per account and process
  keptAnswerShortBytes: 8_192,
  keptAnswersBytesAtOnce: 67_108_864,
  keptAnswersBytesPerSecond: 20_000,
  /** Requests with links that a process answers at the same time, in all and with one link. */
  linkRequestsMax: 500,
  linkRequestsPerLinkMax: 16,
} as const
