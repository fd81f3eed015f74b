import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { formatted, Id, Ids, must, Null, orNull, Text } from './values.ts'

/** Price lists. Their entries have routes of their own (routes/price-lists.ts). */
export const PRICE_LISTS = {
  path: 'price-lists',
  noun: 'price list',
  key: { name: 'key', isText: true, description: 'The price list’s key.' },
  fields: {
    key: Type.String({ description: '1 to 63 of a-z, 0-9 and -. Never changes.' }),
    name: Text,
    currency: Type.String({
      description: 'ISO 4217. Never changes. The list says something in stores that sell in it, and nothing in others.',
    }),
    store_ids: Ids('In which stores; null: in every one that sells in its currency.'),
    group_id: Type.Union([Id, Null], {
      description: 'Whose prices its entries are where they name no customer group; null: every group’s.',
      ...must('must be an ID: a whole number above 0'),
    }),
    valid_from: orNull(
      Type.String({ description: 'The first day, such as 2026-01-01; null: it has begun.', ...formatted('date') }),
      'must be a string',
    ),
    valid_to: orNull(
      Type.String({
        description: 'The last day, in the account’s time zone; null: it does not end.',
        ...formatted('date'),
      }),
      'must be a string',
    ),
    priority: Type.Integer({ description: 'Of two lists the lower wins, then the newer; 100 by default.' }),
    is_active: Type.Boolean({ description: 'Whether its prices are shown while it is valid.' }),
  },
  required: ['key', 'name', 'currency'],
  fixed: ['key', 'currency'],
  given: {},
  schema: 'PriceListResource',
  deletion:
    'Its entries are deleted with it, and rules price its products again: what moves by more than price_jump_factor is held. A list that is set inactive or ends by its last day holds nothing.',
} as const satisfies AccountResource
