import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { COPY_FAILING_MS_MAX } from '../mirror/state.ts'
import { urlHashOf } from '../register/url-hash.ts'
import { must } from '../../platform/must.ts'
import {
  copiesAdopt,
  copyExists,
  failingCopies,
  failingCopiesCount,
  type Adopted,
  type FailingCopy,
} from './adoption.sql.ts'

/** Copies that one request adopts. */
const ADOPTED_AT_ONCE_MAX = 10_000
/** The number of products that the findings name for a picture. */
const PRODUCTS_NAMED = 20

/** Copies that are adopted: one by the URL that products name it by, or of those that fail a supplier's or all. */
export type Adoption = { url: string } | { supplierId: number } | 'all'

/**
 * Makes copies the account's own: they are never fetched again, and do not die. Payloads stay as they are.
 * @returns how many, at most ADOPTED_AT_ONCE_MAX, and whether there may be more.
 * @throws ShelfwireError invalid-input for a picture that the account has no copy of.
 */
export async function adoptCopies(
  tx: Tx,
  accountId: number,
  adoption: Adoption,
): Promise<{ adopted: number; isMore: boolean }> {
  const which: Adopted =
    typeof adoption === 'object' && 'url' in adoption
      ? { urlHash: urlHashOf(must(adoption.url.split('#', 1)[0])) }
      : adoption
  const most = ADOPTED_AT_ONCE_MAX
  const adopted = await copiesAdopt(tx, accountId, which, LIMITS.imageToldAfterHours, most)
  if (
    adopted === 0 &&
    typeof which === 'object' &&
    'urlHash' in which &&
    !(await copyExists(tx, accountId, which.urlHash))
  )
    throw new ShelfwireError('invalid-input', 'there is no copy of this picture that could be adopted', {
      faults: [
        {
          name: 'image',
          reason: 'must be the URL of a picture that was copied, as an offer or a product names it',
        },
      ],
    })
  return { adopted, isMore: adopted === most }
}

/** A copy that will be left out unless its source comes back or it is adopted. */
export interface EndangeredCopy extends FailingCopy {
  /** The earliest moment at which it may be left out. */
  keptUntil: Date
}

/** Copies whose looks have failed since the day before yesterday or longer; the first LIMITS.findingsMax. */
export async function endangeredCopies(reader: Reader, accountId: number): Promise<EndangeredCopy[]> {
  const copies = await failingCopies(reader, accountId, LIMITS.imageToldAfterHours, LIMITS.findingsMax, PRODUCTS_NAMED)
  return copies.map((copy) => ({
    ...copy,
    keptUntil: new Date((copy.lookedAt ?? copy.failedSince).getTime() + COPY_FAILING_MS_MAX - copy.failingMs),
  }))
}

/** The reasons of looks that failed, the most frequent first. */
export const reasonsByCount = (reasons: FailingCopy['reasons']): string[] =>
  Object.entries(reasons)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([reason]) => reason)

/** How many of them there are, counted up to LIMITS.findingsMax and one more. */
export const endangeredCopiesCount = (reader: Reader, accountId: number): Promise<number> =>
  failingCopiesCount(reader, accountId, LIMITS.imageToldAfterHours, LIMITS.findingsMax + 1)
