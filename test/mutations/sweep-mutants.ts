import type { Mutant } from './mutant.ts'

// Protections of sweeps and of the account's day, which is written like them.

const DAYS = 'src/catalog/settings/days.sql.ts'
const CONTENT_SWEEPS = 'test/shelf/content-sweep.pg.test.ts'
const SWEEPS = 'test/shelf/sweep-turns.full.pg.test.ts'

export const SWEEP_MUTANTS: readonly Mutant[] = [
  {
    name: 'newer-sweeps-go-first',
    edits: [
      {
        file: 'src/catalog/stale/sweeps.sql.ts',
        from: 'order by sweep_id, end_product_id limit 1',
        to: 'order by next_product_id limit 1',
      },
    ],
    file: SWEEPS,
    test: 'with a new sweep before every batch no product waits longer than one walk, and few sweeps are open',
  },
  {
    name: 'who-waits-for-a-merged-sweep-waits-for-nothing',
    edits: [
      { file: 'src/catalog/stale/merge-sweeps.ts', from: '=> a.sweepId - b.sweepId', to: '=> b.sweepId - a.sweepId' },
    ],
    file: SWEEPS,
    test: 'with a new sweep before every batch no product waits longer than one walk, and few sweeps are open',
  },
  {
    name: 'a-batch-in-flight-counts-for-newer-sweeps',
    edits: [
      {
        file: 'src/catalog/stale/sweeps.sql.ts',
        from: '    order by sweep_id, end_product_id for update skip locked`',
        to: '    order by sweep_id, end_product_id`',
      },
    ],
    file: SWEEPS,
    test: 'a sweep that is made while a worker shelves a batch of an older one goes over the products of that batch, too',
  },
  {
    name: 'a-merged-sweep-forgets-the-content',
    edits: [
      {
        file: 'src/catalog/stale/merge-sweeps.ts',
        from: 'const half = older.half === sweep.half ? older.half : null',
        to: 'const half = older.half',
      },
    ],
    file: SWEEPS,
    test: 'a sweep of prices that a sweep of whole products has been merged with goes over whole products',
  },
  {
    name: 'a-sweep-of-contents-takes-all-marks',
    edits: [
      {
        file: 'src/shelf/read-batch.ts',
        from: 'onlyPrices || isContentAlone',
        to: 'onlyPrices',
      },
    ],
    file: CONTENT_SWEEPS,
    test: 'what waits in marks stays there: prices, products that are new, taken out, listed again and excluded',
  },
  {
    name: 'a-sweep-of-contents-forgets-what-excludes',
    edits: [
      {
        file: 'src/shelf/payloads/content-halves.ts',
        from: 'storedIn(storeId)?.exclusion, basis)',
        to: 'storedIn(storeId) && null, basis)',
      },
    ],
    file: CONTENT_SWEEPS,
    test: 'a pattern of SKUs and a definition of attributes rewrite content halves and no price half',
  },
  {
    name: 'a-corrected-time-zone-keeps-the-day',
    edits: [
      {
        file: DAYS,
        from: 'at time zone ${before}) at time zone a.time_zone)::date as day',
        to: "at time zone ${before}, known.day + interval '1 day') at time zone a.time_zone)::date as day",
      },
    ],
    file: 'test/api/time-zone.pg.test.ts',
    test: 'products are priced by the rules of the day that it is in the account’s time zone',
  },
  {
    name: 'an-edited-time-zone-goes-by-the-clock-alone',
    edits: [
      {
        file: DAYS,
        from: 'greatest(clock_timestamp(), known.day::timestamp at time zone ${before})',
        to: 'greatest(clock_timestamp(), clock_timestamp() at time zone ${before} at time zone ${before})',
      },
    ],
    file: 'test/shelf/time.pg.test.ts',
    test: 'a time zone that is edited while the clock has stepped back takes the day from the time that it had reached',
  },
  {
    name: 'the-clock-goes-by-the-old-time-zone',
    edits: [
      {
        file: DAYS,
        from: '  await tx`select from account_inputs where account_id = ${accountId} for no key update`\n',
        to: '',
      },
      {
        file: DAYS,
        from: 'where i.account_id = ${accountId}`.catch(explainTimeZone)\n  return row',
        to: 'where i.account_id = ${accountId} for no key update of i`.catch(explainTimeZone)\n  return row',
      },
    ],
    file: 'test/shelf/time.pg.test.ts',
    test: 'a clock that has waited for an edit of the time zone goes by the new one',
  },
  {
    name: 'what-comes-meanwhile-counts-as-shelved',
    edits: [
      {
        file: 'src/shelf/joined-writes.ts',
        from: 'for (const write of batch)\n        if (!skipped.includes(write.productId)) write.resolve(marked.get(write.productId) ?? [])',
        to: 'for (const write of [...batch, ...(this.#accounts.get(accountId)?.waiting.splice(0) ?? [])]) write.resolve(marked.get(write.productId) ?? [])',
      },
    ],
    file: 'test/shelf/concurrency.pg.test.ts',
    test: 'small writes that wait at the same time are shelved together, and each can be read when it is answered',
  },
  {
    name: 'a-failed-batch-fails-all-its-writers',
    edits: [
      {
        file: 'src/shelf/joined-writes.ts',
        from: 'if (batch.length > 1 && !this.#options.failsAll(error)) await apart(batch)',
        to: 'if (batch.length > 99 && !this.#options.failsAll(error)) await apart(batch)',
      },
    ],
    file: 'src/shelf/joined-writes.test.ts',
    test: 'what one product fails by is told to its writer alone',
  },
  {
    name: 'a-locked-product-keeps-other-writers',
    edits: [
      {
        file: 'src/shelf/read-batch.ts',
        from: 'productIds, productIds.length > 1)',
        to: 'productIds, productIds.length > 99)',
      },
    ],
    file: 'test/shelf/concurrency.pg.test.ts',
    test: 'a product that somebody has locked keeps no writers of others, which wait at the same time',
  },
]
