/** The limits of answers that are large, that nobody reads, or that are waited for: a part of LIMITS (limits.ts). */
export const ANSWER_LIMITS = {
  /** How long bytes of an answer may wait without one of them being read; then the connection is closed. */
  answerUnreadMs: 30_000,
  /** Statements of one account's requests outside of transactions, in parts of the pool's connections; how many wait, and for how long. */
  requestStatementsShareOfAccount: 0.5,
  requestStatementsWaitingMax: 5_000,
  requestStatementsWaitingPerAccountMax: 1_000,
  requestStatementsWaitMs: 10_000,
  requestStatementsRetrySeconds: 2,
  /** Characters of its rows after which a page of a list below /v1/account ends; and how many products it counts as, at most, in `listProductsAtOnce`. */
  listCharacters: 4_194_304,
  listHeavyRows: 200,
  /** Products that are read for lists at the same time: of all accounts, and of one. */
  listProductsAtOnce: 3_200,
  listProductsPerAccountMax: 1_600,
  listsWaitingMax: 2_000,
  listsWaitingPerAccountMax: 400,
  listRetrySeconds: 2,
  /** A longer list has a place: bytes of all that are in memory, of one account, and how many are coded at the same time. */
  largeAnswerCharacters: 1_048_576,
  largeAnswersBytesMax: 268_435_456,
  largeAnswersBytesPerAccountMax: 67_108_864,
  largeAnswersCodedAtOnce: 2,
  /** Blocks whose digests are computed for one answer, of up to 1,024 products each; those that are kept do not count. */
  digestComputedBlocks: 16,
  /** Bytes of price halves of which tags without purchase prices are computed for one answer; and how many such answers at once, and of one account. */
  digestComputedBytes: 33_554_432,
  digestsComputedAtOnce: 4,
  digestsComputedPerAccountMax: 2,
  longPollSecondsMax: 25,
  longPollRestMs: 200,
  longPollWaitersMax: 2_000,
  longPollWaitersPerAccountMax: 200,
  longPollWaitersPerTokenMax: 20,
  longPollRetryAfterSeconds: 5,
  /** Long polls that read what has changed: at once, and of one account. All of an account end at one change. */
  longPollReadsAtOnce: 6,
  longPollReadsPerAccountMax: 3,
} as const
