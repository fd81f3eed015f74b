/**
 * The groups of routes, in the order of the document: the finished catalog, then the account's settings, then its
 * operation.
 */
export const TAGS = [
  [
    'finished catalog',
    'What shops read, with any token: stores, finished products, prices and stock, and the change feed.',
  ],
  ['account', 'Settings of the account itself.'],
  ['stores', 'The shops of the account, each with its language and currency.'],
  ['groups', 'Customer groups; every product has a price for each group.'],
  ['rates', 'Exchange rates from the account’s currency.'],
  ['tax-classes', 'Tax classes with their rates by country and day.'],
  ['price-lists', 'Price lists of your own: prices per product and customer group.'],
  ['categories', 'The account’s own categories, and the suppliers’ category paths that map to them.'],
  ['attributes', 'Labels, units, positions and translations of attributes.'],
  ['variant-groups', 'Variant groups made by hand, which take precedence over those that suppliers state.'],
  ['suppliers', 'Suppliers that the account buys from.'],
  ['sources', 'Where the files of suppliers come from, how they are read and when they are fetched.'],
  ['source-orders', 'The order in which suppliers are considered for a field of a product.'],
  ['pricing-rules', 'Rules that make prices from costs.'],
  ['exclusion-rules', 'Rules that exclude products: they are listed, but not for sale.'],
  ['assortment-rules', 'Rules that decide which products a store lists.'],
  ['channels', 'Files of a store’s catalog at secret addresses, for price comparisons and marketplaces.'],
  ['notice-channels', 'Where notices to the account’s owners are sent in addition to e-mail.'],
  ['products', 'What the account sets on single products, and explanations of finished products.'],
  ['stock', 'Stock in the account’s own warehouse.'],
  ['offers', 'Suppliers’ offers, article by article.'],
  ['imports', 'Suppliers’ files, and the runs that import them.'],
  ['images', 'Pictures of the account’s own.'],
  ['bulk', 'Many rows in one request.'],
  ['operations', 'Work that continues after its request was answered.'],
  ['findings', 'Problems that the account’s owner should look at.'],
  [
    'operator-accounts',
    'Only for the operator of the service, with its own token: accounts, their limits and their owners. If the service has no such token, these addresses answer 404.',
  ],
  ['operator', 'Outside /v1, without a token: health checks, and files at secret addresses.'],
] as const satisfies readonly (readonly [name: string, description: string])[]

export type Tag = (typeof TAGS)[number][0]
