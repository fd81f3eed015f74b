/** What one sender, or one account, may take of what all share: a part of LIMITS (limits.ts). docs/decisions/245-bounds-between-accounts.md */
export const SENDER_LIMITS = {
  compiledAccountsMax: 500,
  /** What compiled accounts take in memory, by the values of their rules and attributes; least recently used ones are given up first. */
  compiledBytesMax: 268_435_456,
  /** Labels, units and options of one attribute definition, as JSON: more than a request can bring at once. */
  attributeDefinitionBytesMax: 2_097_152,
  /** Definitions that one answer of a list holds, by these bytes; it has one at the least. */
  attributePageBytes: 2_097_152,
  // small bodies of people, and of holders of links, who act for no account; and of the operator, which are apart
  peoplesBodiesBytesMax: 16_777_216,
  peoplesBodiesBytesPerPersonMax: 2_097_152,
  // answers under Idempotency-Keys: a body up to so long is kept in any case; of longer ones, so many bytes of an account in each process
  keptAnswerShortBytes: 8_192,
  keptAnswersBytesAtOnce: 67_108_864,
  keptAnswersBytesPerSecond: 20_000,
  /** Requests by links that a process answers at the same time: of all, and by one. */
  linkRequestsMax: 500,
  linkRequestsPerLinkMax: 16,
} as const
