import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { formatted, Id, Ids, must, NameOf, Null, orNull } from './values.ts'

/** Price lists. Their entries have routes of their own (routes/price-lists.ts). */
export const PRICE_LISTS = {
  path: 'price-lists',
  noun: 'price list',
  key: { name: 'key', isText: true, description: 'The price list’s key.' },
  fields: {
    key: Type.String({ description: 'Key of the price list: 1 to 63 of a-z, 0-9 and -. Never changes.' }),
    name: NameOf('price list'),
    currency: Type.String({
      description:
        'Currency of the prices (ISO 4217). Never changes. The list has no effect in stores that sell in another currency.',
    }),
    store_ids: Ids('IDs of the stores that the list applies to; null: all stores that sell in its currency.'),
    group_id: Type.Union([Id, Null], {
      description: 'ID of the customer group of entries that name none; null: such entries are for every group.',
      ...must('must be an ID: a whole number above 0'),
    }),
    valid_from: orNull(
      Type.String({
        description:
          'First day on which the list is valid, such as 2026-01-01, in the account’s time zone; null: no first day.',
        ...formatted('date'),
      }),
      'must be a string',
    ),
    valid_to: orNull(
      Type.String({
        description: 'Last day on which the list is valid, in the account’s time zone; null: no last day.',
        ...formatted('date'),
      }),
      'must be a string',
    ),
    priority: Type.Integer({
      description:
        'Priority: if two lists have a price, the list with the lower number wins, then the newer list. 100 by default.',
    }),
    is_active: Type.Boolean({ description: 'Whether the list’s prices are used while it is valid.' }),
  },
  required: ['key', 'name', 'currency'],
  fixed: ['key', 'currency'],
  given: {},
  schema: 'PriceListResource',
  deletion:
    'Deletes the list with its entries; rules price its products again. Prices that then change by more than price_jump_factor are held; if a list is set inactive or ends on its last day, no price is held.',
} as const satisfies AccountResource
