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

/** The most copies that one request adopts. */
const ADOPTED_AT_ONCE_MAX = 10_000
/** How many products the findings name for a picture. */
const PRODUCTS_NAMED = 20

/** The copies to adopt: one by the URL that products name; or the failing copies of a supplier's pictures, or of all. */
export type Adoption = { url: string } | { supplierId: number } | 'all'

/**
 * Makes copies the account's own: they are never fetched again, and never become dead. Payloads do not change.
 * @returns how many, at most ADOPTED_AT_ONCE_MAX, and whether there may be more.
 * @throws ShelfwireError invalid-input for a picture of which the account has no copy.
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

/** A copy that will be left out of payloads unless its source recovers or it is adopted. */
export interface EndangeredCopy extends FailingCopy {
  /** The earliest time at which it may be left out. */
  keptUntil: Date
}

/** Copies whose looks have failed for LIMITS.imageToldAfterHours or longer; the first LIMITS.findingsMax. */
export async function endangeredCopies(reader: Reader, accountId: number): Promise<EndangeredCopy[]> {
  const copies = await failingCopies(reader, accountId, LIMITS.imageToldAfterHours, LIMITS.findingsMax, PRODUCTS_NAMED)
  return copies.map((copy) => ({
    ...copy,
    keptUntil: new Date((copy.lookedAt ?? copy.failedSince).getTime() + COPY_FAILING_MS_MAX - copy.failingMs),
  }))
}

/** The reasons of failed looks, the most frequent first. */
export const reasonsByCount = (reasons: FailingCopy['reasons']): string[] =>
  Object.entries(reasons)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([reason]) => reason)

/** How many endangered copies there are, counted up to LIMITS.findingsMax + 1. */
export const endangeredCopiesCount = (reader: Reader, accountId: number): Promise<number> =>
  failingCopiesCount(reader, accountId, LIMITS.imageToldAfterHours, LIMITS.findingsMax + 1)
