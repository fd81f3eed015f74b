// Reasons why a run imported nothing, from src/imports/ and src/file-readers/.

export const RUN_FORMS = {
  // held back, from src/imports/safety/judge.ts
  held: '{sentence:sentence}; nothing was written. Confirm it if that is intended',
  heldAlso: '{sentence:sentence}. Also: {also:sentence}',
  heldEmpty:
    'a full file without a valid offer would set all {count} offers in stock to 0. Look whether the supplier sent the right file, or correct the mapping',
  heldEmptyRow:
    'a full file without a valid offer would set all {count} offers in stock to 0 (the first of {refused} refused rows: {row:part}). Look whether the supplier sent the right file, or correct the mapping',
  heldRow: 'line {line}, {field:word} {why:part}',
  heldEncoding:
    'the file is UTF-8, and is read as {encoding:words}, which the mapping or the file itself states: {count} of its characters would come out wrong, such as {wrong:quoted} for {right:quoted}. Set "encoding": "utf-8" in the mapping',
  heldEncodingDamaged:
    'the file is UTF-8 but for {broken} damaged bytes, and is read as {encoding:words}, which the mapping or the file itself states: {count} of its characters would come out wrong, such as {wrong:quoted} for {right:quoted}. Ask the supplier for a file that is not damaged, and set "encoding": "utf-8" in the mapping',
  heldColumns:
    'no row has {list:words}, which the mapping names: correct its spelling, or ask the supplier what has changed; {"column": …, "optional": true} says that it may be missing',
  heldRefused:
    '{count} of {of} rows cannot be read, more than {limit:share} (the first: {row:part}): correct the mapping, leave out what is no article with "skip", or have the supplier correct the file',
  heldKeyless:
    '{sentence:sentence}; {count} of them {has:word} no readable key, and once it is confirmed, offers that the file does not name are set to 0',
  heldZeroed:
    'the file would set {count} of {of} offers in stock to 0, more than {limit:share}: look whether it is complete; a file of changes alone is imported as delta',
  heldCosts:
    'the file would leave {count} of {of} offers without a cost, more than {limit:share}: look whether its column of costs is filled',
  heldCostsZero:
    'the file would set the cost of {count} of {of} offers to 0, more than {limit:share}: look whether the supplier writes 0 for a cost that it does not tell',
  heldJumps:
    'the file would change the cost of {count} of {of} offers by more than {factor} times, up or down, more than {limit:share}: look whether its costs have another decimal sign, currency, unit or column than before',
  heldSwapped:
    'the file has the known quantity as the cost and the known cost as the quantity of {count} of {of} offers, more than {limit:share}: look whether the columns of costs and quantities have changed places',
  heldTitles:
    'the file would leave {count} of {of} offers that have titles without them, more than {limit:share}: look whether the column of titles is filled',
  heldPictures:
    'the file would leave {count} of {of} offers that have pictures without them, more than {limit:share}: look whether the column of pictures is filled',
  heldEans:
    'the file would leave {count} of {of} offers that have EANs without them, more than {limit:share}: look whether the column of EANs is filled',
  heldQuantities:
    'the file would leave {count} of {of} offers that have quantities without them, more than {limit:share}: look whether the column of quantities is filled',
  // failed, or the file ended the process that read it
  failed: 'it failed because of: {why:part}',
  failedTimes: 'it failed {times} times, the last time because of: {why:part}',
  internal: 'an internal error',
  storeSilent: 'the file store does not answer: {detail:words}',
  fileGone:
    'its file is not in the file store: it was removed, or processes do not share DATA_DIR or a bucket; send or fetch it again',
  partWritten: '{sentence:sentence}; what was written before stays',
  supplierGone: 'the supplier was deleted meanwhile',
  readerEnded:
    'the process that read the file by this mapping ended with it: check the file and the mapping, or split the file',
  readerMemory:
    'reading the file by this mapping takes more than {megabytes} MB of memory: split it, or simplify the mapping',
  readerTime: 'reading the file by this mapping takes longer than {seconds} s: split it, or simplify the mapping',
  asideInterrupted:
    'set aside: {times} times the process that imported it ended before a page of it was written; check the file and its mapping, or split the file, and send or fetch it again',
  asideEndless:
    'set aside: it was begun {times} times, and never came to its end; check the file and its mapping, or split the file, and send or fetch it again',
  asideUnwritten:
    'set aside: it was begun {times} times, and no page of it was written; check the file and its mapping, or split the file, and send or fetch it again',
  budget:
    'the account’s {budget:part} does not suffice: {used} of {limit} are used, and {wanted} more would be needed; delete some, or ask the operator of the service to raise it',
  budgetBytes:
    'the account’s {budget:part} does not suffice: {used} of {limit} bytes are used, and {wanted} more would be needed; delete some, or ask the operator of the service to raise it',
} as const
