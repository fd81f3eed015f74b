import { ANSWER_LIMITS } from './limits/answer-limits.ts'
import { IMPORT_LIMITS } from './limits/import-limits.ts'
import { OUTBOUND_LIMITS } from './limits/outbound-limits.ts'
import { PRICE_LIMITS } from './limits/price-limits.ts'
import { SENDER_LIMITS } from './limits/sender-limits.ts'
import { SHELVING_LIMITS } from './limits/shelving-limits.ts'
import { STRANGER_LIMITS } from './limits/stranger-limits.ts'
import { TOKEN_REQUEST_LIMITS } from './limits/token-request-limits.ts'

/**
 * Every limit of the service, with its unit in its name. Nothing that arrives from outside is unbounded. A change here
 * changes behaviour and needs a line in CHANGELOG.md.
 */
export const LIMITS = {
  // HTTP
  requestBodyBytesMax: 1_048_576,
  /** JSON values of a body that is no bulk, containers included: 5,000 options of an attribute with labels in 14 languages have 75,000. */
  requestBodyValuesMax: 80_000,
  /** With more, the request waits for a turn of the event loop between parsing and checking, each of which takes 1 to 2 µs a value. */
  requestBodyValuesAtOnce: 10_000,
  requestUrlBytesMax: 16_384,
  requestHeadersBytesMax: 16_384,
  /** Where Node stops to read, which is before it is known whether the address or the headers are too large. */
  requestHeadBytesMax: 65_536,
  requestTimeoutMs: 30_000,
  /** How often requests that take too long to arrive are looked for. */
  requestTimeoutCheckMs: 1_000,
  shutdownDrainMs: 10_000,
  perPageDefault: 50,
  perPageMax: 200,
  idsMax: 200,
  // with locales=all: products times locales
  textsPerAnswerMax: 200,
  ...ANSWER_LIMITS,
  feedWindowDefault: 500,
  feedWindowMax: 1_000,
  // what mirrors tell of themselves
  mirrorsPerStore: 20,
  mirrorCheckDays: 30,
  mirrorChecksPerSecond: 5,
  mirrorChecksAtOnce: 100,
  compressAboveBytes: 1_400,
  ratePerSecond: 100,
  rateBurstSeconds: 2,
  rateBucketsMax: 100_000,
  // the rate limit of a token over several processes: portions that each takes at most, and when it asks for them
  ratePortionsPerBurst: 8,
  rateCollectMs: 20,
  rateAskAgainMs: 50,
  /** How long a request waits for the database to decide whether it is within its limit; then this process decides alone. */
  rateWaitMs: 100,
  rateRetryMs: 1_000,
  // look-ups batched over one tick of the event loop, and directory rows (tokens, stores) kept in memory
  lookupBatchMax: 500,
  /** Windows of changes that one statement reads: each may have 1,001 rows. */
  feedWindowsMax: 20,
  directoryTtlMs: 2_000,
  ...TOKEN_REQUEST_LIMITS,
  /** What the operator tells the members of a suspended account. */
  suspensionReasonLengthMax: 500,
  // accounts that are erased: when it begins, and how much is deleted in a transaction
  erasureDaysMax: 365,
  /** Until then every process has learned that the account is suspended: a few times directoryTtlMs. */
  erasureQuietSeconds: 6,
  /** After which everything is looked through once more: no transaction of ours is open for so long. */
  erasureCheckMinutes: 10,
  erasureReferenceLengthMax: 200,
  // where a backup is, as an operator notes it
  backupPlaceLengthMax: 1_000,
  erasureRowsPerStep: 2_000,
  erasurePicturesPerStep: 50,
  erasureFilesPerStep: 200,
  erasurePeoplePerStep: 20,
  erasureAuditEntriesPerStep: 2_000,
  // archives of accounts that are imported: what is in memory at a time
  archiveManifestBytesMax: 4_194_304,
  archiveLineBytesMax: 16_777_216,
  archiveRowsPerStatement: 1_000,
  /** From so many on a page of rows is written. */
  archivePageBytes: 1_048_576,
  directoryEntriesMax: 10_000,
  ...STRANGER_LIMITS,
  ...SENDER_LIMITS,
  provenTokensMax: 100_000,
  provenTokenMs: 3_600_000,
  /** Of a file that a setting is read from. */
  secretFileBytesMax: 65_536,
  // what one statement writes, roughly; sending it takes several times as many bytes
  statementCharacters: 4_194_304,
  ...SHELVING_LIMITS,
  findingsMax: 1_000,
  /** Named with a count of them. */
  findingsFirstMax: 20,
  findingsCountedMax: 10_000,
  /** Products of groups of variants whose options are compared, those of the newest groups. */
  findingsVariantsMax: 50_000,
  /** How many different values of attributes with a type findings look at. */
  findingsAttributeValuesMax: 5_000,
  /** Values of rules that are read in one statement. */
  listValuesRead: 10_000,
  idBlockSize: 1_024,
  // by how much `fence-restore` advances an account's change numbers
  fenceJump: 1_000_000_000,
  /** Blocks of product ids among them: 10^6 blocks of 1,024. */
  fenceIdJump: 1_000_000,
  // suppliers' files, imports and sources
  ...IMPORT_LIMITS,
  ...PRICE_LIMITS,
  // per product
  skuLengthMax: 200,
  eansPerProductMax: 20,
  nameLengthMax: 200,
  categoryLengthMax: 1_000,
  categoryPathBytesMax: 2_500,
  /** What an offer has of texts, attributes, pictures and its group, together: as much as one request brings. */
  offerCharactersMax: 1_048_576,
  attributesPerProductMax: 500,
  overridesPerProductMax: 2_000,
  attributeKeyLengthMax: 100,
  attributeValueLengthMax: 10_000,
  /** Of the group of variants that an offer states. */
  groupKeyLengthMax: 200,
  groupTitleLengthMax: 1_000,
  groupOptionsMax: 20,
  groupOptionValueLengthMax: 1_000,
  groupPositionMax: 1_000_000,
  /** Offers that state a group up to which it is joined with another or taken apart; a larger one stays as it is. */
  groupStatementsJoinedMax: 10_000,
  /** Products of one group that are counted and shown. */
  groupProductsMax: 1_000,
  /** Pictures that a group of variants shows. */
  groupImagesMax: 1_000,
  /** Products whose contents are read in one statement for that. */
  groupContentsRead: 200,
  /** Of groups that the owner makes: how many there are, and products in a page of them. */
  ownVariantGroupsMax: 100_000,
  ownVariantsPageMax: 5_000,
  imagesPerProductMax: 100,
  /** What a picture shows, in one language. */
  imageAltLengthMax: 1_000,
  urlLengthMax: 2_048,
  /** Of a product's slug in UTF-16 units, and of what is sent to become one. */
  slugLengthMax: 100,
  slugTextLengthMax: 1_000,
  /** Old ones of a product in one store; the oldest leave. */
  oldSlugsMax: 20,
  quantityMax: 2_147_483_647,
  localesPerOfferMax: 50,
  localeLengthMax: 100,
  // per account, beside its budgets (contract/account-limits.ts)
  attributeDefinitionsPerAccountMax: 5_000,
  attributeOptionsMax: 5_000,
  // of an attribute that is a list; a separator in UTF-16 units
  attributeListEntriesMax: 1_000,
  attributeSeparatorLengthMax: 8,
  // of a preview of an attribute's values: offers that are looked at, and their most frequent values
  attributeSampleOffersMax: 20_000,
  attributeSampleValuesMax: 500,
  localesPerDefinitionMax: 200,
  // faults of a definition that are named
  faultsMax: 200,
  conditionValuesMax: 10_000,
  /** What a value of a rule takes beside its text, of the budget rule_bytes. */
  ruleValueBytes: 32,
  /** Rules that one answer of a list holds, by the bytes of their values; it has one at the least. */
  rulePageBytes: 2_097_152,
  priorityMax: 1_000_000,
  categoriesPerAccountMax: 10_000,
  categoryLevelsMax: 20,
  /** Names by language of all categories of an account. */
  categoryNamesPerAccountMax: 100_000,
  supplierPathsPerCategoryMax: 1_000,
  supplierPathsPerAccountMax: 50_000,
  /** Bytes of its categories after which a page of their list ends; and characters of suppliers' paths that are read at a time to be compared. */
  categoryPageBytes: 2_097_152,
  categoryMappedCharactersRead: 1_048_576,
  channelFilesPerAccountMax: 50,
  // writes over the API
  jsonDepthMax: 32,
  /** Sealed values that `rekey` replaces in one transaction. */
  rekeyRows: 200,
  bulkRowsAtOnceMax: 1_000,
  bulkRowsMax: 100_000,
  bulkBodyBytesMax: 67_108_864,
  /** Of one change in the panel, of all products that get it: no more than a bulk may send. */
  productChangeCharactersMax: 67_108_864,
  /** JSON values of one row, containers included: the largest offer that is valid has 1,800. */
  bulkRowValuesMax: 4_000,
  /** JSON values of one bulk: rows as valid ones are take eight bytes a value at the least. */
  bulkValuesMax: 8_388_608,
  // bodies that are being received or handled, per process: small ones (up to largeBodyBytes) and large ones apart
  largeBodyBytes: 1_048_576,
  largeBodiesBytesMax: 100_663_296,
  largeBodiesPerAccountMax: 1,
  largeBodyRetrySeconds: 5,
  /** After so long a large body has to come at half the pace at which it would be here within requestTimeoutMs. */
  largeBodyGraceMs: 5_000,
  importMappingBytesMax: 1_048_576,
  importPreviewRowsMax: 100,
  importPreviewCharactersMax: 2_097_152,
  smallBodiesBytesMax: 67_108_864,
  smallBodiesBytesPerAccountMax: 16_777_216,
  bulkResultsPageMax: 1_000,
  bulkRowFaultsMax: 20,
  /** What a preview of a rule looks at, and where it looks for products that the rule names: ids from each of so many places. */
  previewProductsMax: 400,
  previewPayloadsMax: 3_000,
  previewCharactersMax: 33_554_432,
  previewSearchedPlaces: 128,
  previewSearchedIds: 64,
  previewSearchedPathsMax: 200,
  /** Previews of rules that are looked at: at once, of one account, and that wait. */
  rulePreviewsAtOnce: 3,
  rulePreviewsPerAccountMax: 2,
  rulePreviewsWaitingMax: 100,
  rulePreviewsWaitingPerAccountMax: 20,
  rulePreviewRetrySeconds: 2,
  /** How many products and payloads the reach of rules is counted over: once for a page, not while one types. */
  reachProductsMax: 1_000,
  reachPayloadsMax: 5_000,
  /** Previews over everything: how long a step of one takes, and how many of an account may run. */
  previewStepMs: 250,
  /** How long it rests for each millisecond of work while the process serves requests: an answer takes several turns of its loop. */
  previewRestMs: 3,
  previewsOpenPerAccountMax: 3,
  previewsListed: 10,
  /** Ids of an order that the audit trail has. */
  previewsNotedOrder: 100,
  operationAttemptsMax: 5,
  operationChunkRows: 1_000,
  operationChunkCharacters: 1_048_576,
  operationsOpenPerAccountMax: 100,
  operationDaysMax: 30,
  operationsDeletedPerStep: 1_000,
  deletedRowsPerStep: 1_000,
  idempotencyKeyLengthMax: 255,
  idempotencyKeyHours: 24,
  idempotencyKeysDeletedPerStep: 1_000,
  /** Transactions that requests of all accounts, and of one, may have: in parts of the pool's connections; and how many wait for one. */
  requestTransactionsShare: 0.8,
  requestTransactionsShareOfAccount: 0.6,
  requestTransactionsWaitingMax: 2_000,
  requestTransactionsWaitingPerAccountMax: 400,
  requestTransactionsRetrySeconds: 2,
  // how long a configuration write waits for its sweep before it answers with an operation
  settleMs: 2_000,
  preferWaitSecondsMax: 25,
  // exports, channel files, price history
  exportPageProducts: 200,
  // the next page is read while one of at most so many characters is sent
  exportPageReadAheadCharacters: 1_000_000,
  exportsPerAccountMax: 4,
  exportsMax: 200,
  exportStallMs: 60_000,
  channelTitleLengthMax: 150,
  channelDescriptionLengthMax: 5_000,
  channelProductTypeLengthMax: 750,
  channelAdditionalImagesMax: 10,
  priceHistoryDaysMax: 400,
  priceHistoryEntriesMax: 1_000,
  priceHistoryDeletedPerKey: 64,
  // webhooks
  webhookProductsMax: 500,
  webhookScanEntries: 4_000,
  webhookPerSecondMax: 4,
  /** Ends of deliveries that are remembered per endpoint, for its pace. */
  webhookRecentEndsMax: 8,
  webhookInFlightMax: 200,
  webhookImpairedInFlightMax: 100,
  webhookSlowMs: 2_000,
  webhookConnectTimeoutMs: 5_000,
  webhookTotalTimeoutMs: 15_000,
  webhookStartLatenessMs: 5_000,
  webhookLeaseMs: 25_000,
  webhookAnswerReadBytesMax: 16_384,
  webhookAnswerKeptBytesMax: 4_096,
  webhookRetryAfterMs: 3_600_000,
  webhookFailuresPaused: 10,
  webhookCooldownMs: 3_600_000,
  webhookFrozenHoursMax: 72,
  webhookRefusalsBeforeHalving: 3,
  webhookSuspectsMax: 5,
  webhookAcceptedBeforeDoubling: 20,
  webhookManualQueueMax: 100,
  webhookRewindDaysMax: 14,
  webhookSecretOverlapHours: 24,
  webhookSwitchHoursMax: 168,
  webhookToleranceSeconds: 300,
  webhookLogDaysMax: 30,
  webhookLogAttemptsMax: 1_000,
  /** Parked deliveries of an endpoint that are kept, the newest. */
  webhookParkedMax: 10_000,
  webhookLogPageMax: 200,
  webhookLogDeletedPerStep: 1_000,
  webhookAgesMax: 1_000,
  // budgets of accounts (contract/account-limits.ts): what was noted is added up, and counted after so many hours
  useChangesPerStep: 10_000,
  useCountedHours: 24,
  useCountedPerStep: 20,
  /** Accounts that a look over all of them finds at once; they are counted one after the other. */
  useFoundPerLook: 10_000,
  // members, mail
  emailLengthMax: 254,
  // people who sign in to the panel
  passwordLengthMin: 10,
  passwordLengthMax: 200,
  passwordHashesAtOnce: 2,
  passwordHashesWaitingMax: 50,
  sessionIdleHours: 72,
  sessionDaysMax: 30,
  sessionSeenSeconds: 60,
  sessionsPerPersonMax: 50,
  passkeysPerPersonMax: 20,
  /** How long the password or a passkey counts for acts that outlive a session. */
  reauthenticatedMinutes: 10,
  /** The time after which codes that a reset reports as lost stop counting. */
  codesEndHours: 24,
  knownDevicesPerPersonMax: 20,
  knownDeviceDays: 365,
  recoveryCodes: 10,
  signInStepMinutes: 5,
  /** Wrong codes after which a sign-in begins again. */
  signInCodesMax: 5,
  // guessing: tries at once, and the seconds for each further one; per client address, e-mail address and person, in
  // each process
  signInsPerAddressAtOnce: 30,
  signInsPerAddressSeconds: 10,
  signInsPerEmailAtOnce: 10,
  signInsPerEmailSeconds: 60,
  signInCodesAtOnce: 10,
  signInCodesSeconds: 300,
  mailsPerEmailAtOnce: 3,
  mailsPerEmailSeconds: 600,
  /** When the mail of a link is tried again: after the first try, the second, ... */
  linkMailRetrySeconds: [60, 300, 900, 3_600] as readonly number[],
  // mails about security are tried for almost a day: nobody looks at a list of them
  securityMailRetrySeconds: [60, 300, 900, 3_600, 14_400, 28_800, 28_800] as readonly number[],
  mailsPerAccountAtOnce: 20,
  mailsPerAccountSeconds: 60,
  invitationDays: 7,
  /** How long the link lasts that the start prints while there is no account, and how many of them count. */
  firstOwnerLinkHours: 24,
  firstOwnerLinksMax: 10,
  /** Accounts that a person opens in the panel, where ACCOUNTS_PER_PERSON allows it, per process. */
  accountsPerPersonAtOnce: 3,
  accountsPerPersonSeconds: 600,
  resetLinkMinutes: 60,
  endpointLinkHoursMax: 168,
  endpointLinksPerEndpointMax: 20,
  userAgentLengthMax: 300,
  personEventsShown: 100,
  personEventDaysMax: 180,
  auditDaysMax: 400,
  auditDeletedPerStep: 1_000,
  auditDetailsCharactersMax: 2_000,
  /** The values before and after an edit of a product that are kept: a larger edit cannot be undone by one click. */
  auditChangeCharactersMax: 50_000,
  // the panel's page of one product
  candidatesShown: 50,
  candidateCharactersShown: 6_000,
  productEditsShown: 50,
  productRunsLookedAt: 50,
  panelBodyBytesMax: 65_536,
  // the panel's overview
  overviewCountedMs: 30_000,
  // what was counted for the panel is kept this many times as long as counting took
  countedKeptTimes: 20,
  overviewWaitingMax: 10_000,
  overviewSuppliersMax: 20,
  findingsCountedMs: 120_000,
  // lists of products in the panel: how many are looked at for a page, in the order of an index, and how many an index may know
  productsWalkedMax: 20_000,
  productsCollectedMax: 20_000,
  productsSortedMax: 100_000,
  productsSampled: 1_600,
  /** Payloads that lack something, over all stores, from which its products are collected. */
  productGapsMax: 500_000,
  changesWalkedMax: 3_000,
  productsExactMax: 20,
  searchTermsRead: 300,
  searchTermsAsked: 30,
  productsCountMs: 5_000,
  productViewsMax: 100,
  productReasonsShown: 100,
  // the panel's pages of settings
  supplierPathsShownMax: 5_000,
  supplierPathsCountedMs: 1_000,
  skuSampleProducts: 200,
  skuExamplesShown: 12,
  changeHourDaysMax: 35,
  noticeRetryHours: 72,
  noticesPageMax: 200,
  noticeDaysMax: 90,
  mailConnectTimeoutMs: 10_000,
  mailGreetingTimeoutMs: 10_000,
  mailSocketTimeoutMs: 30_000,
  mailTotalTimeoutMs: 45_000,
  mailErrorLengthMax: 500,
  noticeEndingMs: 5_000,
  noticeLeaseMs: 120_000,
  noticesSpreadMax: 100,
  noticeChannelsPerAccountMax: 10,
  noticeConnectTimeoutMs: 5_000,
  noticeTotalTimeoutMs: 10_000,
  noticeAnswerReadBytesMax: 4_096,
  noticeErrorLengthMax: 300,
  noticesInFlightMax: 16,
  noticeAccountsPerStep: 100,
  noticeStepMs: 10_000,
  // the mirror of pictures
  imageConnectTimeoutMs: 5_000,
  imageTotalTimeoutMs: 30_000,
  imageRedirectsMax: 5,
  imageRetryAfterMs: 3_600_000,
  /** Requests per second to one host, over all accounts and processes. */
  mirrorPerSecondMax: 5,
  /** Slots of a host, each for one request at a time: one per this number of requests a second, within these bounds. */
  mirrorPerSlotSecond: 5,
  mirrorSlotsMin: 2,
  mirrorSlotsMax: 8,
  /** Hosts that a process asks at the same time. */
  mirrorRunsMax: 48,
  /** How many of these one turn of an account may begin. */
  mirrorRunsPerTurn: 8,
  /** Hosts of an account that a turn looks at, and due pictures, to find what to begin. */
  mirrorHostsLooked: 200,
  mirrorDueLooked: 500,
  mirrorHostDaysMax: 7,
  /** Pictures that are fetched and recorded together: at most this number, begun within this time. */
  mirrorRunImages: 20,
  mirrorRunMs: 5_000,
  /** Longer than a run and its last fetch, inspection and storing can take. */
  mirrorLeaseMs: 240_000,
  mirrorHostFailuresMax: 5,
  mirrorHostRestMs: 10_000,
  mirrorHostRestMaxMs: 900_000,
  imageToldAfterHours: 48,
  /** What all stored pictures together may take, unless IMAGE_STORE_GB says otherwise. */
  imageStoreGigabytes: 50,
  mirrorFullRetryMs: 3_600_000,
  mirrorTroubleRetryMs: 600_000,
  /** Unused pictures are kept for so long: a database that was restored from a backup of that age finds them. */
  imageUnusedDays: 14,
  imageListPage: 1_000,
  imageRemovalHours: 24,
  // pictures
  imageBytesMax: 25_000_000,
  /** What a form may have around a picture. */
  imageFormBytesMax: 65_536,
  imageUploadUnusedDays: 30,
  imagePixelsMax: 50_000_000,
  /** Decoding an AVIF takes up to 26 bytes of memory for each pixel, other types up to 10. */
  imageAvifPixelsMax: 25_000_000,
  /** Pixels of all frames of an animation together. */
  imageFramesPixelsMax: 500_000_000,
  imageSvgBytesMax: 2_000_000,
  imageSvgElementsMax: 50_000,
  imageSvgDepthMax: 100,
  imageSvgUsesMax: 1_000,
  imageDecodeCpuMs: 20_000,
  imageDecodeMs: 180_000,
  imageDecodesPerProcess: 1_000,
  imageDecoderIdleMs: 30_000,
  /** A picture that nobody waits for any more ends its process when it has taken so long. */
  imageDecodeLeftMs: 1_000,
  /** Pictures of more pixels, and those that take more memory than a process for small ones has, are large: they have turns of their own. */
  imageSmallPixelsMax: 12_500_000,
  imageDecoderSmallMegabytes: 256,
  /** Memory of a process for large pictures, unless IMAGE_DECODER_MB says otherwise; one that has kept so much after a picture ends. */
  imageDecoderMegabytes: 768,
  imageDecoderRestBytes: 167_772_160,
  /** Processes for small pictures that are uploaded; how many wait to be looked at, in all and of one account. */
  imageUploadProcesses: 2,
  imageUploadsWaitingMax: 500,
  imageUploadsWaitingPerAccountMax: 50,
  imageUploadRetrySeconds: 5,
  /** Lower than that of pictures that somebody waits for. */
  imageMirrorNice: 15,
  /** How long the mirror waits until a picture is inspected, turns included. With what is around it that is less than mirrorLeaseMs. */
  mirrorInspectMs: 190_000,
  // resized and converted pictures: how many wait to be made, in all and for one client address, and how long a request waits
  imageVariantsWaitingMax: 500,
  imageVariantsWaitingPerAddressMax: 100,
  imageVariantWaitMs: 15_000,
  imageVariantFailedMs: 600_000,
  imageVariantProcessesMin: 2,
  imageVariantProcessesMax: 4,
  /** Sizes whose original is being read or decoded, in all and of one address. */
  imageVariantsAtOnce: 16,
  imageVariantsAtOncePerAddress: 4,
  imageReadAtOnceBytes: 524_288,
  // small pictures that are kept in memory: bytes of all, and of one, and for how long
  imageCacheBytes: 67_108_864,
  imageCachedBytesMax: 262_144,
  imageCacheMs: 600_000,
  imageStoreConnectionsMax: 256,
  imageStoreConnectMs: 5_000,
  imageStoreTimeoutMs: 30_000,
  ...OUTBOUND_LIMITS,
} as const
