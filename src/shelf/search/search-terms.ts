import { slicesBySize } from '../../db/statements/statement-slices.ts'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import { isTerm, termGrams } from '../../model/search-terms.ts'
import { joinLexemes } from '../../model/search-words.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { accountsToFill, fillDelete, fillLock, fillMove, lexemesNext, termsInsert } from './search-terms.sql.ts'

// The distinct words and categories of an account, in `search_term`. Terms are never removed: a term without products finds nothing.

/** In all accounts together: about 20 MB. */
const TERMS_KEPT = 200_000
const ACCOUNTS_PER_STEP = 100
/** Products per transaction of some 50 ms. */
const PRODUCTS_PER_FILL = 1_000

/** Terms known to be stored, so that a batch sends only new ones. */
export interface KnownTerms {
  has(accountId: number, term: string): boolean
  add(accountId: number, terms: readonly string[]): void
}

export function openKnownTerms(): KnownTerms {
  const known = new Map<number, Set<string>>()
  let count = 0
  return {
    has: (accountId, term) => known.get(accountId)?.has(term) ?? false,
    add(accountId, terms) {
      if (count + terms.length > TERMS_KEPT) {
        known.clear()
        count = 0
      }
      const kept = known.get(accountId) ?? new Set()
      known.set(accountId, kept)
      count -= kept.size
      for (const term of terms) kept.add(term)
      count += kept.size
    },
  }
}

/**
 * Adds the terms of these lexemes in sorted order, so that two transactions that add the same terms cannot deadlock. Waits for
 * transactions that have inserted the same terms and not committed yet.
 */
export async function addTerms(tx: Tx, accountId: number, lexemes: Iterable<string>, known: KnownTerms): Promise<void> {
  const terms: string[] = []
  for (const lexeme of new Set(lexemes)) if (isTerm(lexeme) && !known.has(accountId, lexeme)) terms.push(lexeme)
  if (terms.length === 0) return
  const rows = terms.sort().map((term) => ({ term, grams: joinLexemes(accountId, termGrams(term)) }))
  for (const slice of slicesBySize(rows, ({ term, grams }) => term.length + grams.length)) {
    const added = new Set(await termsInsert(tx, accountId, slice))
    // a term that existed is committed; an inserted one may still be rolled back, so it does not count as known and is sent again next
    // time
    known.add(
      accountId,
      slice.flatMap(({ term }) => (added.has(term) ? [] : [term])),
    )
  }
}

const IDLE_MS = 5_000

/** Collects terms of products that were indexed before terms existed. @returns whether there may be more to do. */
export async function fillStep(db: Db, known: KnownTerms, products = PRODUCTS_PER_FILL): Promise<boolean> {
  const due = await db.nodes.scan('search fill', (accounts) => accountsToFill(db, ACCOUNTS_PER_STEP, accounts))
  let moved = 0
  for (const accountId of due.rows) {
    await db.nodes.unlessAway(accountId, async () => {
      if (await inTransaction(db, (tx) => fillNext(tx, accountId, known, products))) moved++
    })
  }
  return moved > 0
}

async function fillNext(tx: Tx, accountId: number, known: KnownTerms, products: number): Promise<boolean> {
  const place = await fillLock(tx, accountId)
  if (place === undefined) return false
  const { lastId, lexemes } = await lexemesNext(tx, accountId, place.afterId, products)
  if (lastId === null) {
    await fillDelete(tx, accountId, place.dueAt)
    return true
  }
  const account = accountId.toString(36).length
  await addTerms(
    tx,
    accountId,
    lexemes.map((lexeme) => lexeme.slice(account)),
    known,
  )
  await fillMove(tx, accountId, place.dueAt, lastId)
  return true
}

/** Starts the loop in this process. Several processes may run one each: they take different accounts. */
export function startFillingTerms(db: Db, log: Log): Loop {
  const known = openKnownTerms()
  return startLoop({
    name: 'search-terms',
    log,
    idleMs: IDLE_MS,
    step: async () => ((await fillStep(db, known)) ? 'more' : 'idle'),
  })
}
