/**
 * Every maximum of the house in one place, with its unit in its name. Nothing that arrives from outside is unbounded;
 * a change here is a change of behaviour and has its line in CHANGELOG.md.
 */
export const LIMITS = {
  // HTTP
  requestBodyBytesMax: 1_048_576,
  requestUrlBytesMax: 16_384,
  requestTimeoutMs: 30_000,
  shutdownDrainMs: 10_000,
  perPageDefault: 50,
  perPageMax: 200,
  idsMax: 200,
  feedWindowDefault: 500,
  feedWindowMax: 1_000,
  longPollSecondsMax: 25,
  longPollRestMs: 200,
  longPollWaitersMax: 2_000,
  longPollWaitersPerTokenMax: 20,
  compressAboveBytes: 1_400,
  ratePerSecond: 100,
  rateBurstSeconds: 2,
  rateBucketsMax: 100_000,
  // look-ups shared by one tick
  lookupBatchMax: 500,
  directoryTtlMs: 2_000,
  directoryEntriesMax: 10_000,
  // shelving
  shelveBatchProducts: 500,
  shelveBatchPayloads: 2_000,
  shelveStatementCharacters: 16_000_000,
  shelveRetriesMax: 10,
  idBlockSize: 1_024,
  fenceJump: 1_000_000_000,
  // import
  importPageRows: 1_000,
  importFeedBytesMax: 4_294_967_296,
  importRowsMax: 5_000_000,
  importRowBytesMax: 1_048_576,
  importReportedErrorsMax: 1_000,
  importZeroedShareMax: 0.5,
  // what one product may carry
  skuLengthMax: 200,
  eansPerProductMax: 20,
  titleLengthMax: 1_000,
  descriptionLengthMax: 200_000,
  nameLengthMax: 200,
  categoryLengthMax: 1_000,
  attributesPerProductMax: 500,
  attributeKeyLengthMax: 100,
  attributeValueLengthMax: 10_000,
  imagesPerProductMax: 100,
  urlLengthMax: 2_048,
  quantityMax: 2_147_483_647,
  localesPerOfferMax: 50,
  // what one account may carry
  storesPerAccountMax: 100,
  groupsPerAccountMax: 50,
  suppliersPerAccountMax: 1_000,
  rulesPerAccountMax: 10_000,
  tokensPerAccountMax: 100,
} as const
