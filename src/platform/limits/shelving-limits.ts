/** How much is shelved at once; a part of LIMITS. */
export const SHELVING_LIMITS = {
  shelveBatchProducts: 500,
  shelveBatchProductsServing: 100,
  shelveBatchPayloads: 2_000,
  shelveSliceProducts: 100,
  /** Products with at least this many characters of text are bounded by them, and not by their number alone, when they are read together. */
  shelveHeavyCharacters: 8_192,
  /** Of products of a batch that are read before their turn and kept until it. */
  shelveKeptCharacters: 1_048_576,
  /** Of payloads of heavy products that one transaction writes, roughly; one product may have more. */
  shelveTransactionCharacters: 67_108_864,
  shelveRetriesMax: 10,
  /** Products that requests look at, as in an explanation: with so many characters they have a turn, and so many of them are held at once, and of one account. */
  lookedAtCharacters: 262_144,
  lookedAtCharactersMax: 16_777_216,
  lookedAtCharactersPerAccountMax: 8_388_608,
  // small writes of an account that are shelved in one transaction; another one begins while one has taken so long already
  joinedWritesMax: 32,
  joinedBatchMs: 50,
  joinedBatchesAtOnce: 4,
  /** In a process: while one waits for PostgreSQL, the other resolves. */
  shelfWorkers: 2,
  /** The shelving process is started when the workers of a service that answers requests have had work for so long. */
  shelvingProcessAfterMs: 500,
  /** It ends when it has shelved nothing for so long. */
  shelvingProcessIdleMs: 15_000,
  /** How often it says that it works, and after how long without such a word the service shelves again. */
  shelvingProcessTellsMs: 1_000,
  shelvingProcessSilenceMs: 5_000,
  /** It is not started again for so long after it has crashed, was killed, or could not be started. */
  shelvingProcessRestMs: 60_000,
  shelvingProcessMegabytes: 512,
  shelvingProcessConnections: 4,
  sweepPartIds: 16_384,
  sweepPartsMax: 64,
} as const
