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
  // the shelving process: work that has lasted so long goes to it while requests are answered; it ends when nothing has been stale for a while, says every
  // second that it works, and is not counted on when it has said nothing for so long. After an end that was not its own it rests
  shelvingProcessAfterMs: 500,
  shelvingProcessIdleMs: 15_000,
  shelvingProcessTellsMs: 1_000,
  shelvingProcessSilenceMs: 5_000,
  shelvingProcessRestMs: 60_000,
  shelvingProcessMegabytes: 512,
  shelvingProcessConnections: 4,
  sweepPartIds: 16_384,
  sweepPartsMax: 64,
} as const
