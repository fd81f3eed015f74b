/** The limits of suppliers' files, of their imports and of the sources that they are fetched from: a part of LIMITS (limits.ts). */
export const IMPORT_LIMITS = {
  silentDaysMax: 3_650,
  importPageRows: 1_000,
  /** Characters of JSON in a page of offers that is written, which its last row may exceed; it bounds what is known of a page's offers as well. */
  importPageCharacters: 4_194_304,
  /** With less room for products than this, an import looks which of its new offers join a product. */
  importRoomCheckedBelow: 200_000,
  /** Changes that one preview of an undo looks at; the next request goes on from there. */
  importUndoPreviewRows: 10_000,
  /** What the offers of a file may take on the disk until they are written: this many times the bytes of the file, plus `importSpoolFreeBytes`. */
  importSpoolTimes: 8,
  importSpoolFreeBytes: 536_870_912,
  /** Faults of one row that are named; the others are counted. */
  importRowFaultsMax: 20,
  importFileBytesMax: 4_294_967_296,
  importRowsMax: 5_000_000,
  /** Products of real BMEcat catalogs have up to 2.3 MB: some 3,000 features each. */
  importRowBytesMax: 4_194_304,
  /** How many times its size a gzip or zip file may expand to, beyond so many bytes. */
  importExpansionMax: 250,
  importExpansionFreeBytes: 67_108_864,
  /** A workbook is held in memory while it is read; its sheet is not. Its other parts are mostly the texts of the sheet, which are. */
  importWorkbookBytesMax: 134_217_728,
  importWorkbookPartsBytesMax: 134_217_728,
  importWorkbookSheetBytesMax: 2_147_483_648,
  /** Columns of a table; members of one object, and attributes of one element. */
  importColumnsMax: 5_000,
  /** How deep a document is nested. */
  importDepthMax: 64,
  /** Values of one record, containers included: the largest products of real catalogs have some 20,000. */
  importRowValuesMax: 50_000,
  /** Characters of one cell, member or text of an element, and of the result of a mapping step. */
  importCellCharactersMax: 1_048_576,
  /** The sheets, styles and relations of a workbook, each; and the texts that its cells share. */
  importWorkbookEntriesMax: 70_000,
  importWorkbookTextsMax: 5_000_000,
  /** What a mapping has: sources of values, and instructions of its regular expressions, of one and of all. */
  importMappingSourcesMax: 2_000,
  importMappingFaultsMax: 100,
  /** Characters of JSON of a mapping that is given, of an import as of a source, and values in it, containers included. */
  importMappingCharactersMax: 200_000,
  importMappingValuesMax: 20_000,
  importPatternSizeMax: 1_000,
  importPatternsSizeMax: 10_000,
  /** What a mapping does to one row: characters, eight to a unit; for a regular expression, characters times its instructions. */
  importRowWorkMax: 2_500_000,
  /** Distinct values that are collected over the rows of a product, and all values of a column that is added up. */
  importCollectedValuesMax: 1_000,
  /** Values that are looked at to propose a mapping, and columns; and characters of one. */
  detectValuesMax: 100_000,
  detectValueCharactersMax: 2_048,
  /** Mappings in use that are looked through for what was chosen before, how long they may be, and among how many imports they are looked for. */
  knownMappingsMax: 20,
  knownMappingCharactersMax: 50_000,
  knownMappingRunsMax: 200,
  /** Members of the records of which the rows of one record are copies, taken together, where a record lists its articles. */
  importEachMembersMax: 250_000,
  /** Rows of one product, and how many bytes of rows are kept to bring those together that are apart. */
  importGroupRowsMax: 10_000,
  importGroupBytesMax: 134_217_728,
  /** Groups of a catalog, and the articles that are mapped to them. */
  importCatalogGroupsBytesMax: 268_435_456,
  /** So many rows must be refused, or costs become 0, before a share of them holds an import back. */
  importRefusedMin: 3,
  importPricesZeroMin: 3,
  importJumpsMin: 3,
  importEmptiedMin: 3,
  importSwappedMin: 3,
  importReportedErrorsMax: 1_000,
  /** A dry run's comparison lists so many new, changed and missing offers each; the next are its size, and the characters of a text in it. */
  importComparedOffersMax: 10_000,
  importComparedBytesMax: 67_108_864,
  importComparedTextCharactersMax: 1_000,
  /** What a killed import keeps others waiting; three renewals may fail within it. */
  importLeaseMs: 15_000,
  importLeaseRenewMs: 4_000,
  /** Runs of a supplier that wait or run. */
  importRunsOpenPerSupplierMax: 20,
  /** Imports at the same time, per process: this number, or as many as there are processors; of one account at most half of them. */
  importRunsAtOnce: 4,
  /** How often a run is begun: a process may be killed meanwhile, the file store or the database may not answer. */
  importRunAttemptsMax: 6,
  /** How often a process may end with a run before that is set aside. */
  importRunInterruptionsMax: 2,
  /** How long a source's schedule leaves a file alone after its run was set aside, and after how many such runs for good. */
  importSetAsideHours: 24,
  importSetAsideRunsMax: 3,
  /** How long a run waits to be begun again after a failure that may pass: after the first, the second, ... */
  importRunRetrySeconds: [5, 30, 120, 300, 600] as readonly number[],
  /** How often a run that waits for room in the account's budget of rows looks again, and how many wait without a place, per process. */
  importPaceLookMs: 1_000,
  /** How long it waits beside writers of its account who leave nothing; then it comes before them with one page. */
  importPaceWaitMs: 60_000,
  importRunsAsideMax: 16,
  /** How often the progress of a run is recorded while its file is read. */
  importRunProgressMs: 1_000,
  /** How long files are kept, and runs with what they changed. */
  importFileDaysMax: 7,
  importRunDaysMax: 30,
  // processes that read suppliers' files
  /** Files that are previewed before they are imported, at the same time: this number, or as many as there are processors; of one account at most half of them. */
  filePreviewsAtOnce: 4,
  filePreviewsWaitingMax: 100,
  filePreviewsWaitingPerAccountMax: 8,
  filePreviewRetrySeconds: 5,
  filePreviewHeadBytes: 1_048_576,
  /** Time of work that looking at a file may take, and how long it may wait for the client in all. */
  filePreviewWorkMs: 20_000,
  filePreviewWaitMs: 120_000,
  fileReaderStallMs: 120_000,
  fileReaderWatchMs: 250,
  fileReaderIdleMs: 15_000,
  fileReaderJobsMax: 200,
  /** Rows that a reading process reads at a time; few, so that their objects are collected young: with 1,000 garbage collection took half of the time (measured). */
  fileReaderRows: 32,
  fileReaderPageBytes: 4_194_304,
  fileReaderFrameBytesMax: 134_217_728,
  /** The memory of a reading process, unless FILE_READER_MB says otherwise, and how many times that all of them may take together. */
  fileReaderMegabytes: 512,
  fileReadersMemoryTimes: 4,
  ownMegabytes: 1_024,
  importRunsDeletedPerStep: 1_000,
  /** Files that no run names are removed after so long: an upload that was never asked to be imported. */
  importFileUnnamedHours: 24,
  /** Refused rows by field and reason: groups of a run, values that are distinguished in one, and examples of each. */
  importRefusalGroupsMax: 200,
  importRefusalValuesMax: 10,
  importRefusalExamples: 5,
  /** Examples of rows that are left out, or have no cost: how many of each kind, and how many cells and characters of one. */
  importRowExamples: 2,
  importRowExampleCells: 4,
  importRowExampleCharacters: 60,
  offerAbsentDaysMax: 30,
  offersDroppedPerStep: 1_000,
  // sources of supplier files
  sourcesPerSupplierMax: 20,
  sourceEveryMinutesMin: 5,
  sourceEveryMinutesMax: 10_080,
  /** Of a schedule; and expressions whose faults a process knows. */
  sourceCronLengthMax: 200,
  sourceCronsKept: 1_000,
  sourceSecretLengthMax: 4_096,
  sourceKeyLengthMax: 16_384,
  /** Rounds by which a private key may be encrypted: ssh-keygen takes 24 by itself; one takes some 20 ms. */
  sourceKeyRoundsMax: 256,
  /** How long a process has to open a private key; how many are opened at the same time, and of one account. */
  sourceKeyMs: 60_000,
  sourceKeysAtOnce: 2,
  sourceKeysPerAccountAtOnce: 1,
  sourceKeysWaitingMax: 50,
  sourceKeysWaitingPerAccountMax: 4,
  sourceKeyRetrySeconds: 5,
  /** A process that speaks SSH: its objects, all of it, and what it sends in one piece. */
  sshHeapMegabytes: 96,
  sshMegabytesMax: 256,
  sshFrameBytesMax: 1_048_576,
  sshWatchMs: 500,
  /** By how much longer than `sourceConnectTimeoutMs` it may take to sign in, if it does not stop by itself. */
  sshGraceMs: 2_000,
  /** When a failed fetch is tried again: after the first failure, the second, ... */
  sourceRetryMinutes: [1, 5, 15, 60] as readonly number[],
  sourceRetryAfterMs: 86_400_000,
  sourceToldAfterHours: 24,
  sourceConnectTimeoutMs: 15_000,
  sourceTotalTimeoutMs: 1_800_000,
  /** A file that arrives more slowly than this, in each such time, is given up. */
  sourcePaceMs: 60_000,
  sourcePaceBytesMin: 262_144,
  /** Files that are fetched at the same time, per process, and of one account: most of the time a fetch waits for a server. */
  sourceFetchesAtOnce: 32,
  sourceFetchesPerAccountAtOnce: 4,
  sourceRedirectsMax: 5,
  sourceListedMax: 10_000,
  sourceListingBytesMax: 2_097_152,
  /** A file in a directory that was written to more recently than this may not be complete. */
  sourceFileRestMs: 10_000,
  sourceTestBytesMax: 16_777_216,
  sourceTestTimeoutMs: 60_000,
  sourcesPerTurn: 20,
  /** What the clock may be behind the time when a schedule was decided, before it is decided again. */
  sourceClockBackMs: 300_000,
  // files that are being uploaded, and files that are looked at before they are: of one account, and per process
  uploadsPerAccountMax: 4,
  uploadsMax: 16,
  uploadRetrySeconds: 10,
  /** How long a file may take to arrive; without a byte of it, requestTimeoutMs. */
  uploadMs: 7_200_000,
  /** A file that comes more slowly than this, in each such time in which its client is waited for, is given up, as of sources. */
  uploadPaceMs: 60_000,
  uploadPaceBytesMin: 262_144,
  /** After a file was refused, so long what else the client sends of it is thrown away, so that it can read why. */
  uploadLingerMs: 10_000,
} as const
