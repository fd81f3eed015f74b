/** How much is shelved at once: a part of LIMITS (limits.ts). */
export const SHELVING_LIMITS = {
  shelveBatchProducts: 500,
  shelveBatchProductsServing: 100,
  shelveBatchPayloads: 2_000,
  shelveSliceProducts: 100,
  /** Products with at least this many characters of text are limited by their size, and not only by their number, when they are read together. */
  shelveHeavyCharacters: 8_192,
  /** Characters of products of a batch that are read in advance and kept until their slice. */
  shelveKeptCharacters: 1_048_576,
  /** About how many characters of payloads of heavy products one transaction writes; a single product may have more. */
  shelveTransactionCharacters: 67_108_864,
  shelveRetriesMax: 10,
  /**
   * Products that requests resolve without storing the result, as for an explanation: characters from which they need a turn, and held at once, in
   * all and of one account.
   */
  lookedAtCharacters: 262_144,
  lookedAtCharactersMax: 16_777_216,
  lookedAtCharactersPerAccountMax: 8_388_608,
  // small writes of an account that are shelved in one transaction; another transaction begins if the current one has taken this long
  joinedWritesMax: 32,
  joinedBatchMs: 50,
  joinedBatchesAtOnce: 4,
  /** Workers of a process: while one waits for PostgreSQL, the other resolves. */
  shelfWorkers: 2,
  /** The shelving process is started when the workers of a service that answers requests have been busy for this long. */
  shelvingProcessAfterMs: 500,
  /** It ends when it has shelved nothing for this long. */
  shelvingProcessIdleMs: 15_000,
  /** How often it reports that it works; and after how long without a report the service shelves again. */
  shelvingProcessTellsMs: 1_000,
  shelvingProcessSilenceMs: 5_000,
  /** It is not restarted for this long after it has crashed, was killed, or could not be started. */
  shelvingProcessRestMs: 60_000,
  shelvingProcessMegabytes: 512,
  shelvingProcessConnections: 4,
  sweepPartIds: 16_384,
  sweepPartsMax: 64,
} as const
