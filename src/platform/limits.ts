import { ANSWER_LIMITS } from './limits/answer-limits.ts'
import { IMAGE_LIMITS } from './limits/image-limits.ts'
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
  /** With more values, a request yields between parsing and validating, each of which takes 1 to 2 µs per value. */
  requestBodyValuesAtOnce: 10_000,
  requestUrlBytesMax: 16_384,
  requestHeadersBytesMax: 16_384,
  /** Where Node itself stops reading, before it is known whether the address or the headers are too large. */
  requestHeadBytesMax: 65_536,
  requestTimeoutMs: 30_000,
  /** How often requests are checked for taking too long to arrive. */
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
  // reports of mirrors about themselves
  mirrorsPerStore: 20,
  mirrorCheckDays: 30,
  mirrorChecksPerSecond: 5,
  mirrorChecksAtOnce: 100,
  compressAboveBytes: 1_400,
  ratePerSecond: 100,
  rateBurstSeconds: 2,
  rateBucketsMax: 100_000,
  // rate limit of a token over several processes: the portions that each process takes at most, and when it takes more
  ratePortionsPerBurst: 8,
  rateCollectMs: 20,
  rateAskAgainMs: 50,
  /** How long a request waits for the database to decide on its rate limit; after that, this process decides alone. */
  rateWaitMs: 100,
  rateRetryMs: 1_000,
  // look-ups batched over one tick of the event loop, and directory rows (tokens, stores) kept in memory
  lookupBatchMax: 500,
  /** Windows of changes that one statement reads; each may have 1,001 rows. */
  feedWindowsMax: 20,
  directoryTtlMs: 2_000,
  ...TOKEN_REQUEST_LIMITS,
  /** The operator's message to the members of a suspended account. */
  suspensionReasonLengthMax: 500,
  // erasing accounts: when it begins, and how much is deleted in one transaction
  erasureDaysMax: 365,
  /** By then every process knows that the account is suspended: a few times directoryTtlMs. */
  erasureQuietSeconds: 6,
  /** After this time everything is checked once more: no transaction of ours is open for so long. */
  erasureCheckMinutes: 10,
  erasureReferenceLengthMax: 200,
  // where a backup is, as an operator records it
  backupPlaceLengthMax: 1_000,
  erasureRowsPerStep: 2_000,
  erasurePicturesPerStep: 50,
  erasureFilesPerStep: 200,
  erasurePeoplePerStep: 20,
  erasureAuditEntriesPerStep: 2_000,
  // archives of accounts that are imported: what is held in memory at once
  archiveManifestBytesMax: 4_194_304,
  archiveLineBytesMax: 16_777_216,
  archiveRowsPerStatement: 1_000,
  /** A page of rows is written when it has this size. */
  archivePageBytes: 1_048_576,
  directoryEntriesMax: 10_000,
  ...STRANGER_LIMITS,
  ...SENDER_LIMITS,
  provenTokensMax: 100_000,
  provenTokenMs: 3_600_000,
  /** The size of a file that a setting is read from. */
  secretFileBytesMax: 65_536,
  // about how much one statement writes; sending it takes several times as many bytes
  statementCharacters: 4_194_304,
  ...SHELVING_LIMITS,
  findingsMax: 1_000,
  /** Findings that are named together with their count. */
  findingsFirstMax: 20,
  findingsCountedMax: 10_000,
  /** Products of variant groups whose options are compared; those of the newest groups. */
  findingsVariantsMax: 50_000,
  /** Distinct values of typed attributes that findings check. */
  findingsAttributeValuesMax: 5_000,
  /** Values of rules that are read in one statement. */
  listValuesRead: 10_000,
  idBlockSize: 1_024,
  // by how much `fence-restore` advances an account's change numbers
  fenceJump: 1_000_000_000,
  /** By how many blocks of product ids it advances the ids: 10^6 blocks of 1,024. */
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
  /** Texts, attributes, pictures and group of one offer together: as much as one request can bring. */
  offerCharactersMax: 1_048_576,
  attributesPerProductMax: 500,
  overridesPerProductMax: 2_000,
  attributeKeyLengthMax: 100,
  attributeValueLengthMax: 10_000,
  /** The variant group that an offer states. */
  groupKeyLengthMax: 200,
  groupTitleLengthMax: 1_000,
  groupOptionsMax: 20,
  groupOptionValueLengthMax: 1_000,
  groupPositionMax: 1_000_000,
  /** The most offers that state a group for it to be joined or split; a larger group stays as it is. */
  groupStatementsJoinedMax: 10_000,
  /** Products of one group that are counted and shown. */
  groupProductsMax: 1_000,
  /** Pictures that a variant group shows. */
  groupImagesMax: 1_000,
  /** Products whose contents are read in one statement to find these pictures. */
  groupContentsRead: 200,
  /** Variant groups by hand: how many an account may have, and products in a page of their list. */
  ownVariantGroupsMax: 100_000,
  ownVariantsPageMax: 5_000,
  imagesPerProductMax: 100,
  /** The alternative text of a picture, in one language. */
  imageAltLengthMax: 1_000,
  urlLengthMax: 2_048,
  /** A product's slug in UTF-16 units, and the text that is sent to become one. */
  slugLengthMax: 100,
  slugTextLengthMax: 1_000,
  /** Old slugs of a product in one store; beyond that the oldest are deleted. */
  oldSlugsMax: 20,
  quantityMax: 2_147_483_647,
  localesPerOfferMax: 50,
  localeLengthMax: 100,
  // per account, besides its budgets (contract/account-limits.ts)
  attributeDefinitionsPerAccountMax: 5_000,
  attributeOptionsMax: 5_000,
  // attributes that are lists; separators in UTF-16 units
  attributeListEntriesMax: 1_000,
  attributeSeparatorLengthMax: 8,
  // a preview of an attribute's values: offers that are read, and their most frequent values
  attributeSampleOffersMax: 20_000,
  attributeSampleValuesMax: 500,
  localesPerDefinitionMax: 200,
  // faults of a definition that are reported
  faultsMax: 200,
  conditionValuesMax: 10_000,
  /** What a value of a rule counts for besides its text, of the budget rule_bytes. */
  ruleValueBytes: 32,
  /** Bytes of values in one answer of a list of rules; an answer has at least one rule. */
  rulePageBytes: 2_097_152,
  priorityMax: 1_000_000,
  categoriesPerAccountMax: 10_000,
  categoryLevelsMax: 20,
  /** Names of all categories of an account, in all languages. */
  categoryNamesPerAccountMax: 100_000,
  supplierPathsPerCategoryMax: 1_000,
  supplierPathsPerAccountMax: 50_000,
  /** Bytes of categories in one page of their list; and characters of suppliers' paths that are read at once to be compared. */
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
  /** One change in the panel, for all products that get it: no more than a bulk may send. */
  productChangeCharactersMax: 67_108_864,
  /** JSON values of one row, containers included: the largest offer that is valid has 1,800. */
  bulkRowValuesMax: 4_000,
  /** JSON values of one bulk: rows like valid ones take at least eight bytes per value. */
  bulkValuesMax: 8_388_608,
  // bodies that are being received or handled, per process: small ones (up to largeBodyBytes) and large ones are counted apart
  largeBodyBytes: 1_048_576,
  largeBodiesBytesMax: 100_663_296,
  largeBodiesPerAccountMax: 1,
  largeBodyRetrySeconds: 5,
  /** After this time, a large body must arrive at half the pace that would complete it within requestTimeoutMs, or faster. */
  largeBodyGraceMs: 5_000,
  importMappingBytesMax: 1_048_576,
  importPreviewRowsMax: 100,
  importPreviewCharactersMax: 2_097_152,
  smallBodiesBytesMax: 67_108_864,
  smallBodiesBytesPerAccountMax: 16_777_216,
  bulkResultsPageMax: 1_000,
  bulkRowFaultsMax: 20,
  /**
   * Products and payloads in a preview of a rule, and where it searches for products that the rule names: this many ids at each of so many places.
   */
  previewProductsMax: 400,
  previewPayloadsMax: 3_000,
  previewCharactersMax: 33_554_432,
  previewSearchedPlaces: 128,
  previewSearchedIds: 64,
  previewSearchedPathsMax: 200,
  /** Previews of rules that are computed: at once, of one account, and waiting. */
  rulePreviewsAtOnce: 3,
  rulePreviewsPerAccountMax: 2,
  rulePreviewsWaitingMax: 100,
  rulePreviewsWaitingPerAccountMax: 20,
  rulePreviewRetrySeconds: 2,
  /** Products and payloads from which the reach of rules is counted: once for a page, not while somebody types. */
  reachProductsMax: 1_000,
  reachPayloadsMax: 5_000,
  /** Previews over all products: how long one step takes, and how many an account may have running. */
  previewStepMs: 250,
  /** Pause for each millisecond of work while the process serves requests: an answer takes several turns of the event loop. */
  previewRestMs: 3,
  previewsOpenPerAccountMax: 3,
  previewsListed: 10,
  /** Ids of an order that the audit trail records. */
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
  /** Transactions of requests, of all accounts and of one, as shares of the pool's connections; and how many may wait for one. */
  requestTransactionsShare: 0.8,
  requestTransactionsShareOfAccount: 0.6,
  requestTransactionsWaitingMax: 2_000,
  requestTransactionsWaitingPerAccountMax: 400,
  requestTransactionsRetrySeconds: 2,
  // how long a write of settings waits for its sweep before it is answered with an operation
  settleMs: 2_000,
  preferWaitSecondsMax: 25,
  // exports, channel files, price history: the next page is read while one of at most so many characters is sent
  exportPageProducts: 200,
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
  /** Ends of deliveries that are remembered for each endpoint, for its pace. */
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
  /** Parked deliveries of an endpoint that are kept; the newest. */
  webhookParkedMax: 10_000,
  webhookLogPageMax: 200,
  webhookLogDeletedPerStep: 1_000,
  webhookAgesMax: 1_000,
  // budgets of accounts (contract/account-limits.ts): recorded changes of use are added up, and after so many hours use is counted anew
  useChangesPerStep: 10_000,
  useCountedHours: 24,
  useCountedPerStep: 20,
  /** Accounts that one search over all of them finds; they are counted one after the other. */
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
  /** How long entering the password or using a passkey permits acts that outlive a session. */
  reauthenticatedMinutes: 10,
  /** After this time, recovery codes that a reset reports as lost stop working. */
  codesEndHours: 24,
  knownDevicesPerPersonMax: 20,
  knownDeviceDays: 365,
  recoveryCodes: 10,
  signInStepMinutes: 5,
  /** Wrong codes after which a sign-in must be started again. */
  signInCodesMax: 5,
  // guessing: tries at once, and seconds until each further one; per client address, e-mail address and person, in each process
  signInsPerAddressAtOnce: 30,
  signInsPerAddressSeconds: 10,
  signInsPerEmailAtOnce: 10,
  signInsPerEmailSeconds: 60,
  signInCodesAtOnce: 10,
  signInCodesSeconds: 300,
  mailsPerEmailAtOnce: 3,
  mailsPerEmailSeconds: 600,
  /** When a mail with a link is tried again: after the first try, the second, ... */
  linkMailRetrySeconds: [60, 300, 900, 3_600] as readonly number[],
  // mails about security are retried for almost a day: no list shows them if they are lost
  securityMailRetrySeconds: [60, 300, 900, 3_600, 14_400, 28_800, 28_800] as readonly number[],
  mailsPerAccountAtOnce: 20,
  mailsPerAccountSeconds: 60,
  invitationDays: 7,
  /** How long the link is valid that the service prints at start while there is no account, and how many such links are valid at once. */
  firstOwnerLinkHours: 24,
  firstOwnerLinksMax: 10,
  /** Accounts that a person may open in the panel, where ACCOUNTS_PER_PERSON allows it, per process. */
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
  /** Values before and after an edit of a product that are kept; a larger edit cannot be undone with one click. */
  auditChangeCharactersMax: 50_000,
  // the panel's page of one product
  candidatesShown: 50,
  candidateCharactersShown: 6_000,
  productEditsShown: 50,
  productRunsLookedAt: 50,
  panelBodyBytesMax: 65_536,
  // the panel's overview
  overviewCountedMs: 30_000,
  // a count for the panel is cached for this many times as long as counting took
  countedKeptTimes: 20,
  overviewWaitingMax: 10_000,
  overviewSuppliersMax: 20,
  findingsCountedMs: 120_000,
  // lists of products in the panel: how many are read for a page in the order of an index, and how many an index may find
  productsWalkedMax: 20_000,
  productsCollectedMax: 20_000,
  productsSortedMax: 100_000,
  productsSampled: 1_600,
  /** Payloads with gaps, over all stores, from which the products with gaps are collected. */
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
  /** Notices of an account that are kept; the newest. */
  noticesPerAccountMax: 10_000,
  noticesDeletedPerStep: 1_000,
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
  ...IMAGE_LIMITS,
  ...OUTBOUND_LIMITS,
} as const
