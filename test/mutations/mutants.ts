import { COMPILED_MUTANTS } from './compiled-mutants.ts'
import { BUDGET_MUTANTS } from './budget-mutants.ts'
import { DATABASE_MUTANTS } from './database-mutants.ts'
import { DETECTION_MUTANTS } from './detection-mutants.ts'
import { DELIVERY_MUTANTS } from './delivery-mutants.ts'
import { IMAGE_MUTANTS } from './image-mutants.ts'
import { IMPORT_MUTANTS } from './import-mutants.ts'
import { EXPECTED_MUTANTS } from './expected-mutants.ts'
import { FILE_MUTANTS } from './file-mutants.ts'
import { GAP_MUTANTS } from './gap-mutants.ts'
import { GROUP_MUTANTS } from './group-mutants.ts'
import { HTTP_MUTANTS } from './http-mutants.ts'
import { FIELD_MUTANTS } from './field-mutants.ts'
import type { Edit, Mutant } from './mutant.ts'
import { NODE_MUTANTS } from './node-mutants.ts'
import { PANEL_MUTANTS } from './panel-mutants.ts'
import { PICTURE_MUTANTS } from './picture-mutants.ts'
import { PAYLOAD_MUTANTS } from './payload-mutants.ts'
import { SHELVING_PROCESS_MUTANTS } from './shelving-process-mutants.ts'
import { SOURCE_MUTANTS } from './source-mutants.ts'
import { SEARCH_MUTANTS } from './search-mutants.ts'
import { PREVIEW_MUTANTS } from './preview-mutants.ts'
import { SWEEP_MUTANTS } from './sweep-mutants.ts'
import { WEIGHT_MUTANTS } from './weight-mutants.ts'
import { OFFER_AND_PRICE_MUTANTS } from './offer-and-price-mutants.ts'

const GUARDS = 'test/mutations/guards.pg.test.ts'
const NUMBERING = 'test/feed/numbering.pg.test.ts'

const READ_BATCH = 'src/shelf/read-batch.ts'
const COUNTER = 'src/shelf/payloads/change-counter.sql.ts'

/** Takes numbers from a sequence: unique and ascending, but without waiting for the commit of the one before. */
const NUMBERS_FROM_A_SEQUENCE: readonly Edit[] = [
  {
    file: COUNTER,
    from: `last_at = greatest(last_at, date_trunc('second', statement_timestamp()))
    where account_id = \${accountId} returning last_id as last\``,
    to: `last_at = last_at
    where account_id = \${accountId} and false returning last_id as last\``,
  },
  {
    file: COUNTER,
    from: `from (select account_id,
        (select last_id - \${taken} from change_counter where account_id = \${accountId}) as base,
        (select last_at from change_counter where account_id = \${accountId}) as last_at
      from account_inputs where account_id = \${accountId} offset 0) counter,`,
    to: `from (select \${accountId}::bigint as account_id, nextval('product_block_number') * 10000 as base,
        date_trunc('second', clock_timestamp()) as last_at) counter,`,
  },
  {
    file: 'src/feed/changes.sql.ts',
    from: 'select head.last_id as "lastId", head.last_at as "lastAt", exists (',
    to: 'select (select last_value * 10000 + 9999 from product_block_number) as "lastId", clock_timestamp() as "lastAt", exists (',
  },
]

export const MUTANTS: readonly Mutant[] = [
  ...COMPILED_MUTANTS,
  ...SHELVING_PROCESS_MUTANTS,
  ...DATABASE_MUTANTS,
  ...FIELD_MUTANTS,
  ...DETECTION_MUTANTS,
  ...GROUP_MUTANTS,
  ...BUDGET_MUTANTS,
  ...DELIVERY_MUTANTS,
  ...SWEEP_MUTANTS,
  ...WEIGHT_MUTANTS,
  ...PAYLOAD_MUTANTS,
  ...NODE_MUTANTS,
  ...SOURCE_MUTANTS,
  ...PANEL_MUTANTS,
  ...IMAGE_MUTANTS,
  ...PICTURE_MUTANTS,
  ...IMPORT_MUTANTS,
  ...FILE_MUTANTS,
  ...EXPECTED_MUTANTS,
  ...GAP_MUTANTS,
  ...SEARCH_MUTANTS,
  {
    name: 'numbers-from-a-sequence',
    edits: NUMBERS_FROM_A_SEQUENCE,
    file: NUMBERING,
    test: 'a reader between two writers, one of which has numbered its changes and not committed, misses no change of either',
  },
  {
    name: 'numbers-from-a-sequence-at-random',
    edits: NUMBERS_FROM_A_SEQUENCE,
    file: NUMBERING,
    test: 'with random writers, pauses, rollbacks, window sizes and restarts',
  },
  {
    name: 'time-follows-the-clock',
    edits: [
      {
        file: COUNTER,
        from: `last_at = greatest(last_at, date_trunc('second', statement_timestamp()))
    where account_id = \${accountId} returning last_id as last\``,
        to: `last_at = date_trunc('second', statement_timestamp())
    where account_id = \${accountId} returning last_id as last\``,
      },
    ],
    file: NUMBERING,
    test: 'positions ascend when the clock steps back an hour between two writes',
  },
  {
    name: 'repeatable-read',
    edits: [
      { file: 'src/db/sql.ts', from: `'isolation level read committed'`, to: `'isolation level repeatable read'` },
    ],
    file: NUMBERING,
    test: 'a writer that waited for the counter gets the next numbers at its first attempt, also where the default isolation is read committed',
  },
  {
    name: 'isolation-of-the-server',
    edits: [
      { file: 'src/db/sql.ts', from: `db.begin('isolation level read committed', work)`, to: `db.begin('', work)` },
    ],
    file: NUMBERING,
    test: 'a writer that waited for the counter gets the next numbers at its first attempt, also where the default isolation is repeatable read',
  },
  {
    name: 'no-product-lock',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: ' for no key update ${skipLocked ? tx`skip locked` : tx``}`.execute()',
        to: '`.execute()',
      },
    ],
    file: GUARDS,
    test: 'the batch of a product that read its inputs later writes later',
  },
  {
    name: 'marks-upserted',
    edits: [
      {
        file: 'migrations/001-house.sql',
        from: 'primary key (account_id, product_id, mark_id)',
        to: 'primary key (account_id, product_id)',
      },
      {
        file: 'src/catalog/stale/marks.sql.ts',
        from: 'select ${accountId}, unnest(${unique}::bigint[]), ${half}::text`',
        to: 'select ${accountId}, unnest(${unique}::bigint[]), ${half}::text on conflict do nothing`',
      },
      {
        file: 'src/catalog/stale/marks.sql.ts',
        from: 'values (${accountId}, ${only}, ${half})`',
        to: 'values (${accountId}, ${only}, ${half}) on conflict do nothing`',
      },
    ],
    file: GUARDS,
    test: 'a write that was not committed when its product was shelved for an earlier mark keeps a mark',
  },
  {
    name: 'marks-deleted-after-the-inputs',
    edits: [
      {
        file: READ_BATCH,
        from: 'onlyStore === null && !isOneHalf ? await marksDelete(tx, accountId, locked) : []',
        to: '[]',
      },
      {
        file: READ_BATCH,
        from: '  return {\n    ...parts,\n    locked,\n    priced,\n    products,\n',
        to: '  if (onlyStore === null && !isOneHalf) await marksDelete(tx, accountId, locked)\n  return {\n    ...parts,\n    locked,\n    priced,\n    products,\n',
      },
    ],
    file: GUARDS,
    test: 'what is written while a batch is reading its inputs is shelved after it',
  },
  {
    name: 'one-store-takes-all-marks',
    edits: [
      {
        file: READ_BATCH,
        from: 'onlyStore === null && !isOneHalf ? await marksDelete(',
        to: 'locked.length > 0 ? await marksDelete(',
      },
    ],
    file: GUARDS,
    test: 'a sweep of one store leaves the marks of what it shelved for the other stores',
  },
  {
    name: 'equal-payloads-written',
    edits: [
      {
        file: 'src/shelf/payloads/diff.ts',
        from: 'stored.contentTag !== fresh.halves.contentTag',
        to: 'true',
      },
    ],
    file: GUARDS,
    test: 'shelving again with nothing changed writes no row',
  },
  {
    name: 'payload-before-change',
    edits: [
      {
        file: 'src/shelf/payloads/write-payloads.ts',
        from: '      const numbers = changesWrite(tx, accountId, numbered, left)',
        to: `      await tx.unsafe('commit and chain')\n      const numbers = changesWrite(tx, accountId, numbered, left)`,
      },
    ],
    file: GUARDS,
    test: 'a payload is not committed before its change',
  },
  {
    name: 'creators-do-not-take-turns',
    edits: [
      {
        file: 'src/catalog/products/offers/offers.ts',
        from: '  await productCreatorsLock(tx, accountId)\n',
        to: '  void productCreatorsLock\n',
      },
    ],
    file: GUARDS,
    test: 'two suppliers that bring one new EAN at once make one product of it',
  },
  {
    name: 'deleting-does-not-take-turns',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: '  await productCreatorsLock(tx, accountId)\n  const ids = [...productIds]\n',
        to: '  const ids = [...productIds]\n',
      },
    ],
    file: GUARDS,
    test: 'a new offer never lands on a product that is deleted at the same time (delete first)',
  },
  {
    name: 'deleting-does-not-wait',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: `    order by product_id for update\``,
        to: `    order by product_id\``,
      },
    ],
    file: GUARDS,
    test: 'what the owner says of a product that is deleted meanwhile goes with it or is refused (write first)',
  },
  {
    name: 'writing-does-not-hold-the-product',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: ' and deleted_at is null\n    order by product_id for key share`',
        to: ' and deleted_at is null\n    order by product_id`',
      },
    ],
    file: GUARDS,
    test: 'what the owner says of a product that is deleted meanwhile goes with it or is refused (delete first)',
  },
  {
    name: 'a-price-sweep-takes-all-marks',
    edits: [
      {
        file: READ_BATCH,
        from: 'onlyStore === null && !isOneHalf ? await marksDelete(',
        to: 'onlyStore === null ? await marksDelete(',
      },
    ],
    file: GUARDS,
    test: 'a sweep of prices leaves the marks of what it shelved for the content',
  },
  {
    name: 'a-deletion-does-not-wait-for-shelvers',
    edits: [
      { file: 'src/operations/deletion/step.ts', from: '  await productsLockForUpdate(tx, accountId, ids)\n', to: '' },
    ],
    file: 'test/operations/deletion.full.pg.test.ts',
    test: 'a batch that knew the store when it was deleted, and commits after it, leaves nothing of it behind',
  },
  {
    name: 'an-offer-of-a-supplier-that-is-deleted',
    edits: [
      {
        file: 'src/catalog/settings/suppliers/suppliers.sql.ts',
        from: 'and supplier_id = ${supplierId} and deleted_at is null for share of s`',
        to: 'and supplier_id = ${supplierId} and deleted_at is null`',
      },
    ],
    file: 'test/operations/deletion.full.pg.test.ts',
    test: 'whoever writes an offer when its supplier is deleted is waited for; whoever comes later is refused',
  },
  {
    name: 'a-chunk-that-stays',
    edits: [
      {
        file: 'src/operations/step.ts',
        from: "      faultPoint('operation:before-commit')",
        to: "      await tx.unsafe('commit and chain')\n      faultPoint('operation:before-commit')",
      },
    ],
    file: 'test/operations/kill.full.pg.test.ts',
    test: 'killed at operation:before-commit#1 and run again',
  },
  {
    name: 'a-price-sweep-forgets-exclusions',
    edits: [{ file: 'src/shelf/payloads/price-halves.ts', from: ' || stored.exclusion !== entry.exclusion)', to: ')' }],
    file: 'test/shelf/price-sweep.pg.test.ts',
    test: 'prices that exclude a product, or no longer do, change its content too',
  },
  {
    name: 'version-not-raised',
    edits: [
      {
        file: 'src/catalog/stale/sweeps.sql.ts',
        from: 'set version = version + ${by} where',
        to: 'set version = version where',
      },
    ],
    file: GUARDS,
    test: 'what all products share is read again once it was written',
  },
  {
    name: 'a-new-group-takes-held-prices-away',
    edits: [
      {
        file: 'src/shelf/payloads/price-guard.ts',
        from: '(isAccidentallyFree(fresh) ? usualPrice(stored, defaultGroupId) : undefined)',
        to: '(isAccidentallyFree(fresh) && stored.length < 0 ? usualPrice(stored, defaultGroupId) : undefined)',
      },
    ],
    file: 'test/shelf/guard.pg.test.ts',
    test: 'a new group takes no prices away: where it would have none, it is held at the default group’s price until that is confirmed',
  },
  {
    name: 'jumps-are-shown',
    edits: [
      {
        file: 'src/shelf/payloads/price-guard.ts',
        from: 'if (isJudged || !isHeldAt(',
        to: 'if (!isJudged || !isHeldAt(',
      },
    ],
    file: 'test/shelf/guard.pg.test.ts',
    test: 'exactly the factor passes; beyond it the old price stays and is reported, while the stock still changes',
  },
  {
    name: 'a-day-without-its-sweep',
    edits: [{ file: 'src/catalog/settings/days.ts', from: 'if (turns || isNewer)', to: 'if (isNewer)' }],
    file: 'test/shelf/time.pg.test.ts',
    test: 'a rule applies from its first day to its last, both included, without a write',
  },
  {
    name: 'a-position-moves-too-early',
    edits: [
      {
        file: 'src/webhooks/deliver/window.ts',
        from: 'positionAfter: isLast ? position : null,',
        to: 'positionAfter: position,',
      },
    ],
    file: 'test/webhooks/owner-requests.pg.test.ts',
    test: 'the position moves with the last acknowledgement of a plan',
  },
  {
    name: 'a-result-without-its-lease',
    edits: [
      {
        file: 'src/webhooks/deliver/settle.ts',
        from: 'row.leaseId === result.leaseId',
        to: 'true',
      },
    ],
    file: 'test/webhooks/schedule.pg.test.ts',
    test: 'a result that comes after the lease ran out and another took over changes nothing',
  },
  {
    name: 'an-edit-does-not-raise-the-generation',
    edits: [
      {
        file: 'src/webhooks/endpoints/endpoints.ts',
        from: 'generation: endpoint.generation + 1',
        to: 'generation: endpoint.generation',
      },
    ],
    file: 'test/webhooks/owner-requests.pg.test.ts',
    test: 'edit while a delivery is in flight',
  },
  {
    name: 'ids-are-assigned-twice-after-a-restore',
    edits: [
      {
        file: 'src/shelf/fence-restore.ts',
        from: '      await productIdBlocksAbandon(tx, accountId)\n',
        to: '      if (accountId < 0) await productIdBlocksAbandon(tx, accountId)\n',
      },
    ],
    file: 'test/database/restore.pg.test.ts',
    test: 'after a restore no id of the lost time is assigned again',
  },
  {
    name: 'an-edit-without-its-lock',
    edits: [
      {
        file: 'src/serve/account/products/products.ts',
        from: 'const locking = productLock(tx, accountId, productId)',
        to: 'const locking = Promise.resolve(true)',
      },
    ],
    file: 'test/api/product-writes.pg.test.ts',
    test: 'two clients, one product: If-Match prevents the lost update',
  },
  {
    name: 'a-remembered-answer-is-not-given',
    edits: [
      {
        file: 'src/writes/writes.ts',
        from: 'if (known !== undefined) {',
        to: 'if (known?.status === 1) {',
      },
    ],
    file: 'test/api/product-writes.pg.test.ts',
    test: 'the same request with the same key is made once, also when both come at the same time',
  },
  {
    name: 'own-stock-in-any-order',
    edits: [
      {
        file: 'src/catalog/products/stock/own-stock.sql.ts',
        from: `cost)}::numeric[]) given
    order by 2`,
        to: 'cost)}::numeric[]) given',
      },
    ],
    file: 'test/catalog/writers.pg.test.ts',
    test: 'own stock of the same products in any order: every write succeeds at its first try',
  },
  {
    name: 'a-sweep-of-the-whole-goes-by-marks',
    edits: [{ file: READ_BATCH, from: 'options.half === undefined', to: 'true' }],
    file: 'test/shelf/marks.pg.test.ts',
    test: 'a sweep over whole products resolves a product as a whole even if it has only price marks',
  },
  {
    name: 'a-bulk-does-not-hold-its-products',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: ' and deleted_at is null\n    order by product_id for no key update`',
        to: ' and deleted_at is null\n    order by product_id for key share`',
      },
    ],
    file: 'test/api/write-turns.full.pg.test.ts',
    test: 'a patch of the quantity keeps the cost that a bulk is just writing',
  },
  {
    name: 'a-rule-is-edited-without-the-settings-lock',
    edits: [
      {
        file: 'src/catalog/settings/rules/pricing-rules.ts',
        from: '  await settingsLock(tx, accountId)\n  const old = await pricingRuleLock(',
        to: '  const old = await pricingRuleLock(',
      },
    ],
    file: 'test/catalog/locks.full.pg.test.ts',
    test: 'one pricing rule edited from the command line and over HTTP at once',
  },
  {
    name: 'a-limit-judged-without-the-settings-lock',
    edits: [
      {
        file: 'src/catalog/settings/stores/groups.ts',
        from: '  tax: GroupTaxInput = {},\n): Promise<Written<number>> {\n  await settingsLock(tx, accountId)\n',
        to: '  tax: GroupTaxInput = {},\n): Promise<Written<number>> {\n',
      },
    ],
    file: 'test/catalog/locks.full.pg.test.ts',
    test: 'of two that are created at once, one fits into room for one: customer groups',
  },
  ...OFFER_AND_PRICE_MUTANTS,
  ...HTTP_MUTANTS,
  ...PREVIEW_MUTANTS,
]
