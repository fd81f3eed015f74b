/**
 * The groups of routes, in the order of the document: the finished catalog, then the account's settings, then its
 * operation.
 */
export const TAGS = [
  [
    'finished catalog',
    'What stores read, with any token: stores, finished products, prices and stock, and the change feed.',
  ],
  ['account', 'Settings of the account itself.'],
  ['stores', 'The shops of the account, each with its language and currency.'],
  ['groups', 'Customer groups; each has a price in every product.'],
  ['rates', 'Exchange rates from the account’s currency.'],
  ['tax-classes', 'Tax classes with their rates by country and day.'],
  ['price-lists', 'Price lists of your own: prices per product and customer group.'],
  ['categories', 'The account’s own categories, and the suppliers’ paths that map to them.'],
  ['attributes', 'Labels, units, positions and translations of attributes.'],
  ['variant-groups', 'Groups of variants by hand, which take precedence over what suppliers state.'],
  ['suppliers', 'Who the account buys from.'],
  ['sources', 'Where the files of suppliers come from, how they are read and when they are fetched.'],
  ['source-orders', 'Which suppliers are asked first for a field of a product.'],
  ['pricing-rules', 'How costs become prices.'],
  ['exclusion-rules', 'What is listed, but not for sale.'],
  ['assortment-rules', 'What a store lists.'],
  ['channels', 'Files of a store’s catalog at secret addresses, for price comparisons and marketplaces.'],
  ['notice-channels', 'Where notices to the account’s owners are sent, besides by e-mail.'],
  ['products', 'What the account sets on single products, and why the finished product is what it is.'],
  ['stock', 'What the account has in its own warehouse.'],
  ['offers', 'What suppliers offer, article by article.'],
  ['imports', 'Suppliers’ files, and the runs that import them.'],
  ['images', 'Pictures of the account’s own.'],
  ['bulk', 'Many rows in one request.'],
  ['operations', 'Work that outlives its request.'],
  ['findings', 'What the account’s owner should look at.'],
  [
    'operator-accounts',
    'For the operator of the service alone, with its own token: accounts, their limits and their owners. Where the service has no such token, there is nothing at these addresses.',
  ],
  ['operator', 'Outside /v1, without a token: health, and files at secret addresses.'],
] as const satisfies readonly (readonly [name: string, description: string])[]

export type Tag = (typeof TAGS)[number][0]
