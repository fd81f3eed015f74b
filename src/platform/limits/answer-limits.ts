/** The limits of answers that are large, slow to be read, or waited for: a part of LIMITS (limits.ts). */
export const ANSWER_LIMITS = {
  /** How long bytes of an answer may wait while the client reads none of them; the connection is then closed. */
  answerUnreadMs: 30_000,
  /** Statements of one account's requests outside of transactions, as a share of the pool's connections; how many may wait, and for how long. */
  requestStatementsShareOfAccount: 0.5,
  requestStatementsWaitingMax: 5_000,
  requestStatementsWaitingPerAccountMax: 1_000,
  requestStatementsWaitMs: 10_000,
  requestStatementsRetrySeconds: 2,
  /**
   * Characters of rows after which a page of a list below /v1/account ends; and the most products that such a page counts as in `listProductsAtOnce`.
   */
  listCharacters: 4_194_304,
  listHeavyRows: 200,
  /** Products that are read for lists at the same time, of all accounts and of one. */
  listProductsAtOnce: 3_200,
  listProductsPerAccountMax: 1_600,
  listsWaitingMax: 2_000,
  listsWaitingPerAccountMax: 400,
  listRetrySeconds: 2,
  /** A longer list needs a place: bytes of all such lists in memory, of those of one account, and how many are encoded at the same time. */
  largeAnswerCharacters: 1_048_576,
  largeAnswersBytesMax: 268_435_456,
  largeAnswersBytesPerAccountMax: 67_108_864,
  largeAnswersCodedAtOnce: 2,
  /** Blocks, of up to 1,024 products each, whose digests are computed for one answer; stored digests do not count. */
  digestComputedBlocks: 16,
  /**
   * Bytes of price halves for which one answer computes tags without purchase prices; and how many such answers there are at once, in all and of one
   * account.
   */
  digestComputedBytes: 33_554_432,
  digestsComputedAtOnce: 4,
  digestsComputedPerAccountMax: 2,
  longPollSecondsMax: 25,
  longPollRestMs: 200,
  longPollWaitersMax: 2_000,
  longPollWaitersPerAccountMax: 200,
  longPollWaitersPerTokenMax: 20,
  longPollRetryAfterSeconds: 5,
  /** Long polls that read changes at once, in all and of one account: one change ends all polls of an account. */
  longPollReadsAtOnce: 6,
  longPollReadsPerAccountMax: 3,
} as const
