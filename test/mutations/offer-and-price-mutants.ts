import type { Mutant } from './mutant.ts'

/** Faults in offers, rows of bulks, and prices. */
export const OFFER_AND_PRICE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-page-without-its-lease',
    edits: [
      {
        file: 'src/imports/lease/import-lease.ts',
        from: 'if (await leaseRenew(tx, accountId, supplierId, holderId)) return',
        to: "if ((await leaseRenew(tx, accountId, supplierId, holderId)) || holderId !== '') return",
      },
    ],
    file: 'test/import/lease.full.pg.test.ts',
    test: 'an import that was suspended until another one took its lease writes no further page',
  },
  {
    name: 'a-deleted-offer-keeps-its-currency',
    edits: [
      {
        file: 'src/catalog/products/offers/offers.ts',
        from: 'known === undefined || known.isDropped ? empty',
        to: 'known === undefined ? empty',
      },
    ],
    file: 'test/api/offer-doors.full.pg.test.ts',
    test: 'an offer that is written again after its deletion has the price of what is written alone',
  },
  {
    name: 'null-leaves-a-currency',
    edits: [
      {
        file: 'src/operations/bulk/offer-row.ts',
        from: "return members.readOrNull('currency', readCurrency)",
        to: "return members.readOrNull('currency', readCurrency) ?? undefined",
      },
    ],
    file: 'test/api/offer-doors.full.pg.test.ts',
    test: 'bulk offers: each field stays when it is absent',
  },
  {
    name: 'a-held-price-freezes-its-cost',
    edits: [
      {
        file: 'src/resolve/prices/guard.ts',
        from: 'const shown = { ...wanted, computedPrice',
        to: 'const shown = { ...wanted, baseCost: new Exact(hold.shownPrice), computedPrice',
      },
    ],
    file: 'test/api/prices.pg.test.ts',
    test: 'a held price is held alone',
  },
  {
    name: 'a-price-of-0-is-exported',
    edits: [{ file: 'src/resolve/resolve.ts', from: 'prices.some(isAccidentallyFree) ? [] : prices', to: 'prices' }],
    file: 'test/api/prices.pg.test.ts',
    test: 'a price of 0 is no price, unless a rule states it',
  },
  {
    name: 'restricted-numbers-join',
    edits: [
      {
        file: 'src/model/gtin.ts',
        from: 'return gtin === null || restricted.test(gtin) ? null : gtin',
        to: 'return gtin',
      },
    ],
    file: 'test/api/prices.pg.test.ts',
    test: 'an EAN of a restricted range joins no offers of two suppliers',
  },
  {
    name: 'a-row-takes-what-no-earlier-row-brought',
    edits: [
      {
        file: 'src/catalog/products/offers/match.ts',
        from: 'if (row.gtins !== undefined) carriers.replace(key, productId, row.gtins)',
        to: 'void row.gtins',
      },
    ],
    file: 'test/operations/row-order.full.pg.test.ts',
    test: 'in one bulk the last row of an offer counts, and what a row brings a later one takes',
  },
  {
    name: 'a-price-row-forgets-the-one-before',
    edits: [
      {
        file: 'src/catalog/products/offers/write-offer-prices.ts',
        from: 'knownOf.set(keyOf(row), next)',
        to: 'void next',
      },
    ],
    file: 'test/operations/row-order.full.pg.test.ts',
    test: 'in one bulk the last price of an offer counts',
  },
  {
    name: 'stock-rows-are-one',
    edits: [
      {
        file: 'src/catalog/products/stock/write-own-stock.ts',
        from: 'before === undefined ? row : afterBoth(before, row)',
        to: 'row',
      },
    ],
    file: 'test/operations/row-order.full.pg.test.ts',
    test: 'in one bulk the last stock of a product counts',
  },
  {
    name: 'creators-before-offers',
    edits: [
      {
        file: 'src/catalog/products/products.sql.ts',
        from: '  const locked = new Set((await offersOfProductsLock(',
        to: '  await productCreatorsLock(tx, accountId)\n  const locked = new Set((await offersOfProductsLock(',
      },
    ],
    file: 'test/catalog/locks.full.pg.test.ts',
    test: 'a product whose offers are locked one by one is deleted without the creators’ lock',
  },
  {
    name: 'overrides-counted-under-a-shared-lock',
    edits: [
      {
        file: 'src/catalog/products/require-products.ts',
        from: 'new Set(await productsLockExclusive(',
        to: 'new Set(await productsLockShared(',
      },
    ],
    file: 'test/catalog/locks.full.pg.test.ts',
    test: 'of two that are created at once, one fits into room for one: texts of one product',
  },
]
