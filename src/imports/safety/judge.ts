import { LIMITS } from '../../platform/limits.ts'

// Decides whether a file may be imported without confirmation. Judged once, after the whole file was read and before anything is written.
// docs/decisions/032-an-import-judges-the-whole-file-first.md says why.

/** The counts from reading a file. */
export interface RunCounts {
  /** `full`: offers that the file does not name are set to 0. */
  mode: 'full' | 'delta'
  /** Without rows that the mapping leaves out. */
  rows: number
  accepted: number
  refused: number
  /** Refused rows without a readable key: in a full file they may be about any missing offer. */
  withoutKey: number
  /** The first refused row with its reason, for the message. */
  firstRefused: string | null
  /** Known offers in stock, and how many of them the import would set to 0; both 0 in a delta file. */
  inStock: number
  zeroed: number
  /** Known offers with a cost for which the file states a cost, and how many of them would have no cost, or 0. */
  priced: number
  pricesLost: number
  pricesZero: number
  /** How many of these costs rise or fall by more than the supplier's factor. */
  pricesJumped: number
  /** Known offers with a cost and a quantity for which the file states both, and how many of them have the two exchanged in the file. */
  paired: number
  swapped: number
  /** For each field: known offers that have it and that the file states, and how many of them the file would empty. */
  emptied: Readonly<Record<Emptied, { known: number; count: number }>>
  /** Set if the file is UTF-8 but was read in another encoding, which the mapping or the file states. */
  misread: { encoding: string; characters: number; broken: number; right: string; wrong: string } | null
  /** Columns or paths that the mapping names for key, quantity or cost and that no row has. */
  missing: readonly { field: string; column: string }[]
}

/** Shares between 0 and 1 above which a file is held back. */
export interface Thresholds {
  zeroedShareMax: number
  refusedShareMax: number
  pricesLostShareMax: number
  pricesZeroShareMax: number
  pricesJumpShareMax: number
  /** The factor by which a cost must rise or fall to count as a jump. */
  pricesJumpFactor: number
  emptiedShareMax: number
  swappedShareMax: number
}

/** The fields that a file may empty. */
export const EMPTIED = ['titles', 'images', 'eans', 'quantities'] as const
export type Emptied = (typeof EMPTIED)[number]

export const EXCESS_KINDS = [
  'encoding',
  'empty',
  'missing_columns',
  'refused',
  'zeroed',
  'prices_lost',
  'prices_zero',
  'prices_jump',
  'swapped',
  'titles_emptied',
  'images_emptied',
  'eans_emptied',
  'quantities_emptied',
] as const

/** A reason to hold an import back. */
export interface Excess {
  kind: (typeof EXCESS_KINDS)[number]
  /** How many of how many; `limit` is the accepted share. */
  count: number
  of: number
  limit: number
  /** The finding and what to do about it, for the merchant. */
  text: string
}

/** All reasons to hold back an import until somebody has looked at it. */
export function reasonsToHold(counts: RunCounts, thresholds: Thresholds): Excess[] {
  const isEmpty = counts.mode === 'full' && counts.accepted === 0
  return [
    ...misreadText(counts),
    ...missingColumns(counts),
    // without a valid row it is clear that rows are refused and that everything would be set to 0
    ...(isEmpty ? [empty(counts)] : [...refusedRows(counts, thresholds), ...zeroedOffers(counts, thresholds)]),
    ...lostPrices(counts, thresholds),
    ...zeroPrices(counts, thresholds),
    ...jumpedPrices(counts, thresholds),
    ...swappedOffers(counts, thresholds),
    ...EMPTIED.flatMap((what) => emptiedOffers(what, counts, thresholds)),
  ]
}

function empty({ rows, refused, firstRefused, inStock }: RunCounts): Excess {
  const why = firstRefused === null ? '' : ` (the first of ${refused} refused rows: ${firstRefused})`
  return {
    kind: 'empty',
    count: 0,
    of: rows,
    limit: 0,
    text: `a full file without a valid offer would set all ${inStock} offers in stock to 0${why}. Look whether the supplier sent the right file, or correct the mapping`,
  }
}

function misreadText({ misread }: RunCounts): Excess[] {
  if (misread === null) return []
  const { encoding, characters: count, broken, right, wrong } = misread
  const but = broken === 0 ? '' : ` but for ${broken} damaged bytes`
  const first = broken === 0 ? 'Set' : 'Ask the supplier for a file that is not damaged, and set'
  const text = `the file is UTF-8${but}, and is read as ${encoding}, which the mapping or the file itself states: ${count} of its characters would come out wrong, such as "${wrong}" for "${right}". ${first} "encoding": "utf-8" in the mapping`
  return [{ kind: 'encoding', count, of: count, limit: 0, text }]
}

function missingColumns({ missing, rows }: RunCounts): Excess[] {
  if (missing.length === 0) return []
  const list = missing.map(({ field, column }) => `${JSON.stringify(column)} (${field})`).join(', ')
  return [
    {
      kind: 'missing_columns',
      count: missing.length,
      of: rows,
      limit: 0,
      text: `no row has ${list}, which the mapping names: correct its spelling, or ask the supplier what has changed; {"column": …, "optional": true} says that it may be missing`,
    },
  ]
}

function refusedRows(counts: RunCounts, { refusedShareMax }: Thresholds): Excess[] {
  const { rows, refused, firstRefused, withoutKey, mode } = counts
  if (refused < LIMITS.importRefusedMin || !isMore(refused, rows, refusedShareMax)) return []
  const keyless =
    mode === 'full' && withoutKey > 0
      ? `; ${withoutKey} of them ${withoutKey === 1 ? 'has' : 'have'} no readable key, and once it is confirmed, offers that the file does not name are set to 0`
      : ''
  return [
    {
      kind: 'refused',
      count: refused,
      of: rows,
      limit: refusedShareMax,
      text: `${refused} of ${rows} rows cannot be read, more than ${percent(refusedShareMax)} (the first: ${firstRefused ?? 'unknown'}): correct the mapping, leave out what is no article with "skip", or have the supplier correct the file${keyless}`,
    },
  ]
}

function zeroedOffers({ mode, inStock, zeroed }: RunCounts, { zeroedShareMax }: Thresholds): Excess[] {
  if (mode === 'delta' || !isMore(zeroed, inStock, zeroedShareMax)) return []
  return [
    {
      kind: 'zeroed',
      count: zeroed,
      of: inStock,
      limit: zeroedShareMax,
      text: `the file would set ${zeroed} of ${inStock} offers in stock to 0, more than ${percent(zeroedShareMax)}: look whether it is complete; a file of changes alone is imported as delta`,
    },
  ]
}

function lostPrices({ priced, pricesLost }: RunCounts, { pricesLostShareMax }: Thresholds): Excess[] {
  if (!isMore(pricesLost, priced, pricesLostShareMax)) return []
  return [
    {
      kind: 'prices_lost',
      count: pricesLost,
      of: priced,
      limit: pricesLostShareMax,
      text: `the file would leave ${pricesLost} of ${priced} offers without a cost, more than ${percent(pricesLostShareMax)}: look whether its column of costs is filled`,
    },
  ]
}

function zeroPrices({ priced, pricesZero }: RunCounts, { pricesZeroShareMax }: Thresholds): Excess[] {
  if (pricesZero < LIMITS.importPricesZeroMin || !isMore(pricesZero, priced, pricesZeroShareMax)) return []
  return [
    {
      kind: 'prices_zero',
      count: pricesZero,
      of: priced,
      limit: pricesZeroShareMax,
      text: `the file would set the cost of ${pricesZero} of ${priced} offers to 0, more than ${percent(pricesZeroShareMax)}: look whether the supplier writes 0 for a cost that it does not tell`,
    },
  ]
}

function jumpedPrices({ priced, pricesJumped }: RunCounts, thresholds: Thresholds): Excess[] {
  const { pricesJumpShareMax: limit, pricesJumpFactor } = thresholds
  if (pricesJumped < LIMITS.importJumpsMin || !isMore(pricesJumped, priced, limit)) return []
  return [
    {
      kind: 'prices_jump',
      count: pricesJumped,
      of: priced,
      limit,
      text: `the file would change the cost of ${pricesJumped} of ${priced} offers by more than ${pricesJumpFactor} times, up or down, more than ${percent(limit)}: look whether its costs have another decimal sign, currency, unit or column than before`,
    },
  ]
}

function swappedOffers({ paired, swapped }: RunCounts, { swappedShareMax: limit }: Thresholds): Excess[] {
  if (swapped < LIMITS.importSwappedMin || !isMore(swapped, paired, limit)) return []
  return [
    {
      kind: 'swapped',
      count: swapped,
      of: paired,
      limit,
      text: `the file has the known quantity as the cost and the known cost as the quantity of ${swapped} of ${paired} offers, more than ${percent(limit)}: look whether the columns of costs and quantities have changed places`,
    },
  ]
}

const EMPTIED_WORDS: Readonly<Record<Emptied, string>> = {
  titles: 'titles',
  images: 'pictures',
  eans: 'EANs',
  quantities: 'quantities',
}

function emptiedOffers(what: Emptied, { emptied }: RunCounts, { emptiedShareMax: limit }: Thresholds): Excess[] {
  const { known, count } = emptied[what]
  if (count < LIMITS.importEmptiedMin || !isMore(count, known, limit)) return []
  const words = EMPTIED_WORDS[what]
  return [
    {
      kind: `${what}_emptied`,
      count,
      of: known,
      limit,
      text: `the file would leave ${count} of ${known} offers that have ${words} without them, more than ${percent(limit)}: look whether the column of ${words} is filled`,
    },
  ]
}

/** Shares have 4 decimals. They are compared as integers: 29 of 100 must not be more than 0.29. */
const SHARE_UNITS = 10_000

/** Whether `count` exceeds a share of `of`; never if `of` is 0. */
function isMore(count: number, of: number, share: number): boolean {
  return count > 0 && of > 0 && count * SHARE_UNITS > of * Math.round(share * SHARE_UNITS)
}

const percent = (share: number) => (share === 0.5 ? 'half' : `${Number((share * 100).toFixed(2))} %`)
