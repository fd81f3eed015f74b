/** The limits of suppliers' files, of their imports and of the sources that they are fetched from: a part of LIMITS (limits.ts). */
export const IMPORT_LIMITS = {
  silentDaysMax: 3_650,
  importPageRows: 1_000,
  /** Characters of JSON in a page of offers to write, which its last row may exceed; also limits the known contents of a page's offers. */
  importPageCharacters: 4_194_304,
  /** If the account's budget has less room for products than this, an import checks which of its new offers join an existing product. */
  importRoomCheckedBelow: 200_000,
  /** Changes that one preview of an undo reads; the next request continues after them. */
  importUndoPreviewRows: 10_000,
  /** The size of the spool on disk: this many times the bytes of the file, plus `importSpoolFreeBytes`. */
  importSpoolTimes: 8,
  importSpoolFreeBytes: 536_870_912,
  /** Faults of one row that are reported; the others are counted. */
  importRowFaultsMax: 20,
  importFileBytesMax: 4_294_967_296,
  importRowsMax: 5_000_000,
  /** Products of real BMEcat catalogs have up to 2.3 MB: about 3,000 features each. */
  importRowBytesMax: 4_194_304,
  /** How many times its size a gzip or zip file may expand to, beyond this many bytes. */
  importExpansionMax: 250,
  importExpansionFreeBytes: 67_108_864,
  /** A workbook is held in memory while it is read, except for its sheet. Its other parts are mostly the shared texts of the sheet. */
  importWorkbookBytesMax: 134_217_728,
  importWorkbookPartsBytesMax: 134_217_728,
  importWorkbookSheetBytesMax: 2_147_483_648,
  /** Columns of a table, members of one object, or attributes of one element. */
  importColumnsMax: 5_000,
  /** How deeply a document may be nested. */
  importDepthMax: 64,
  /** Values of one record, containers included: the largest products of real catalogs have about 20,000. */
  importRowValuesMax: 50_000,
  /** Characters of one cell, member or text of an element, and of the result of one step of a mapping. */
  importCellCharactersMax: 1_048_576,
  /** Sheets, styles and relations of a workbook, each; and the texts that its cells share. */
  importWorkbookEntriesMax: 70_000,
  importWorkbookTextsMax: 5_000_000,
  /** Sources of values in a mapping; and faults that are reported. */
  importMappingSourcesMax: 2_000,
  importMappingFaultsMax: 100,
  /** Characters of JSON of a mapping in a request, for an import or a source, and its values, containers included. */
  importMappingCharactersMax: 200_000,
  importMappingValuesMax: 20_000,
  /** Instructions of a mapping's regular expressions: of one, and of all. */
  importPatternSizeMax: 1_000,
  importPatternsSizeMax: 10_000,
  /** The work of a mapping on one row, in units: one for eight characters; for a regular expression, characters times its instructions. */
  importRowWorkMax: 2_500_000,
  /** Distinct values collected from the rows of a product; and all values of a column that is summed. */
  importCollectedValuesMax: 1_000,
  /** Values and columns that are read to propose a mapping, and characters of one value. */
  detectValuesMax: 100_000,
  detectValueCharactersMax: 2_048,
  /** Mappings in use that are searched for earlier choices, how long each may be, and how many recent imports are searched for them. */
  knownMappingsMax: 20,
  knownMappingCharactersMax: 50_000,
  knownMappingRunsMax: 200,
  /** If the rows of a record are copies of it, one for each article that it lists: the members of all copies together. */
  importEachMembersMax: 250_000,
  /** Rows of one product; and bytes of rows that are held to merge rows of one product that are not adjacent. */
  importGroupRowsMax: 10_000,
  importGroupBytesMax: 134_217_728,
  /** Groups of a catalog, and the articles that are assigned to them. */
  importCatalogGroupsBytesMax: 268_435_456,
  /** At least this many rows must be refused, costs become 0 and so on before a share of them holds an import back. */
  importRefusedMin: 3,
  importPricesZeroMin: 3,
  importJumpsMin: 3,
  importEmptiedMin: 3,
  importSwappedMin: 3,
  importReportedErrorsMax: 1_000,
  /** A dry run's comparison lists this many new, changed and missing offers each; then its size in bytes, and the characters of one text in it. */
  importComparedOffersMax: 10_000,
  importComparedBytesMax: 67_108_864,
  importComparedTextCharactersMax: 1_000,
  /** How long a killed import blocks the supplier's next one; three renewals may fail within it. */
  importLeaseMs: 15_000,
  importLeaseRenewMs: 4_000,
  /** Waiting and running runs of a supplier. */
  importRunsOpenPerSupplierMax: 20,
  /** Imports at the same time, per process: this number, or the number of processors if that is larger; of one account at most half of them. */
  importRunsAtOnce: 4,
  /** How often a run is started: its process may be killed, or the file store or the database may be unreachable. */
  importRunAttemptsMax: 6,
  /** How often a process may die while it works on a run before the run is set aside. */
  importRunInterruptionsMax: 2,
  /** How long scheduled runs skip a file after its run was set aside, and after how many such runs they skip it for ever. */
  importSetAsideHours: 24,
  importSetAsideRunsMax: 3,
  /** How long a run waits to be started again after a temporary failure: after the first, the second, ... */
  importRunRetrySeconds: [5, 30, 120, 300, 600] as readonly number[],
  /** How often a run that waits for room in the account's budget of rows checks again. */
  importPaceLookMs: 1_000,
  /** How long a run waits while other writers of its account use up the budget; then it takes precedence with one page. */
  importPaceWaitMs: 60_000,
  /** Runs that wait for their account's budget without a place, per process. */
  importRunsAsideMax: 16,
  /** How often the progress of a run is recorded while its file is read. */
  importRunProgressMs: 1_000,
  /** How long files are kept, and runs with their changes. */
  importFileDaysMax: 7,
  importRunDaysMax: 30,
  // processes that read suppliers' files
  /** Previews of files at the same time: this number, or the number of processors if that is larger; of one account at most half of them. */
  filePreviewsAtOnce: 4,
  filePreviewsWaitingMax: 100,
  filePreviewsWaitingPerAccountMax: 8,
  filePreviewRetrySeconds: 5,
  filePreviewHeadBytes: 1_048_576,
  /** Processor time for a preview of a file, and how long it may wait for its client in all. */
  filePreviewWorkMs: 20_000,
  filePreviewWaitMs: 120_000,
  fileReaderStallMs: 120_000,
  fileReaderWatchMs: 250,
  fileReaderIdleMs: 15_000,
  fileReaderJobsMax: 200,
  /**
   * Rows that a reading process handles at a time: few, so that their objects die young. With 1,000, garbage collection took half of the time
   * (measured).
   */
  fileReaderRows: 32,
  fileReaderPageBytes: 4_194_304,
  fileReaderFrameBytesMax: 134_217_728,
  /** Memory of a reading process, unless FILE_READER_MB says otherwise; and how many times as much all of them may take together. */
  fileReaderMegabytes: 512,
  fileReadersMemoryTimes: 4,
  ownMegabytes: 1_024,
  importRunsDeletedPerStep: 1_000,
  /** Files that no run names are removed after this time, such as uploads that were never imported. */
  importFileUnnamedHours: 24,
  /** Refused rows by field and reason: groups of a run, values that are distinguished in one group, and examples of each. */
  importRefusalGroupsMax: 200,
  importRefusalValuesMax: 10,
  importRefusalExamples: 5,
  /** Examples of rows that were left out or have no cost: rows of each kind, cells of one row, and characters of one cell. */
  importRowExamples: 2,
  importRowExampleCells: 4,
  importRowExampleCharacters: 60,
  offerAbsentDaysMax: 30,
  offersDroppedPerStep: 1_000,
  // sources of supplier files
  sourcesPerSupplierMax: 20,
  sourceEveryMinutesMin: 5,
  sourceEveryMinutesMax: 10_080,
  /** Characters of a cron expression; and expressions whose faults a process caches. */
  sourceCronLengthMax: 200,
  sourceCronsKept: 1_000,
  sourceSecretLengthMax: 4_096,
  sourceKeyLengthMax: 16_384,
  /** Rounds of key derivation for an encrypted private key: ssh-keygen uses 24 by default; one takes about 20 ms. */
  sourceKeyRoundsMax: 256,
  /** How long a process may take to open a private key; and how many are opened at the same time, in all and of one account. */
  sourceKeyMs: 60_000,
  sourceKeysAtOnce: 2,
  sourceKeysPerAccountAtOnce: 1,
  sourceKeysWaitingMax: 50,
  sourceKeysWaitingPerAccountMax: 4,
  sourceKeyRetrySeconds: 5,
  /** A process that speaks SSH: its JavaScript heap, its whole memory, and the largest message to or from it. */
  sshHeapMegabytes: 96,
  sshMegabytesMax: 256,
  sshFrameBytesMax: 1_048_576,
  sshWatchMs: 500,
  /** How long its program may take to start. */
  sshStartMs: 30_000,
  /** How much longer than `sourceConnectTimeoutMs` signing in may take before the process is killed. */
  sshGraceMs: 2_000,
  /** When a failed fetch is tried again: after the first failure, the second, ... */
  sourceRetryMinutes: [1, 5, 15, 60] as readonly number[],
  sourceRetryAfterMs: 86_400_000,
  sourceToldAfterHours: 24,
  sourceConnectTimeoutMs: 15_000,
  sourceTotalTimeoutMs: 1_800_000,
  /** A file of which fewer bytes than this arrive in each such time is given up. */
  sourcePaceMs: 60_000,
  sourcePaceBytesMin: 262_144,
  /** Files that are fetched at the same time, per process and of one account: a fetch mostly waits for its server. */
  sourceFetchesAtOnce: 32,
  sourceFetchesPerAccountAtOnce: 4,
  sourceRedirectsMax: 5,
  sourceListedMax: 10_000,
  sourceListingBytesMax: 2_097_152,
  /** A file in a directory that was modified more recently than this may be incomplete. */
  sourceFileRestMs: 10_000,
  sourceTestBytesMax: 16_777_216,
  sourceTestTimeoutMs: 60_000,
  sourcesPerTurn: 20,
  /** How far the clock may be behind the time at which a schedule was computed before it is computed again. */
  sourceClockBackMs: 300_000,
  // files that are being uploaded for imports or previews: of one account, and per process
  uploadsPerAccountMax: 4,
  uploadsMax: 16,
  uploadRetrySeconds: 10,
  /** How long a file may take to arrive; if nothing arrives, requestTimeoutMs. */
  uploadMs: 7_200_000,
  /** A file of which fewer bytes than this arrive in each such time of waiting for the client is given up, as with sources. */
  uploadPaceMs: 60_000,
  uploadPaceBytesMin: 262_144,
  /** After a file was refused, further bytes from the client are discarded for this long, so that it can read the reason. */
  uploadLingerMs: 10_000,
} as const
