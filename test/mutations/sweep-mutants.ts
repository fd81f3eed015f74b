import type { Mutant } from './mutant.ts'

const SWEEPS = 'test/shelf/sweep-turns.pg.test.ts'

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
]
