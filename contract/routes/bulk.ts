import Type from 'typebox'
import { BulkAnswer, Operation } from '../operation-schemas.ts'
import { NAME_FIELDS, OVERRIDE_FIELDS } from '../product-fields.ts'
import { writeRoute } from '../route.ts'

// Bulk writes: many rows in one request.

const BulkBody = Type.Object(
  {
    rows: Type.Array(Type.Unknown(), {
      description: 'Up to 100,000 rows. Requests with up to 1,000 rows are answered with a result per row.',
    }),
  },
  { additionalProperties: false },
)

const flag = (description: string) => Type.Boolean({ default: false, description })

const bulk = <const Kind extends string>(kind: Kind, rows: string) =>
  writeRoute({
    id: `bulk${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    method: 'post',
    path: `/v1/account/bulk/${kind}`,
    tag: 'bulk',
    summary: `Write many ${kind}`,
    description: `${rows} Valid rows are written, invalid ones are reported. Up to 1,000 rows are written at once and answered with one result per row, in order; more rows are stored durably and answered with 202 and an operation. The body can also be application/x-ndjson, with one row per line.`,
    query: {
      atomic: flag('Whether to write either all rows or none; only with up to 1,000 rows.'),
      dry_run: flag('Whether to validate the rows only, exactly like the write, and write nothing.'),
    },
    body: { noun: 'bulk', schema: BulkBody, bytesMax: 67_108_864, line: Type.Unknown({ description: 'One row.' }) },
    answer: { whole: BulkAnswer },
    returns: 'The result of each row, in order.',
    queued: Operation,
    statuses: [200, 202],
  })

const EXPECTED =
  '`expected` is the value as it was read: the row fails, and overwrites nothing, if the value has changed since.'

/** The bulk routes, by kind of rows. */
export const BULK_ROUTES = {
  offers: bulk(
    'offers',
    `Rows {supplier, sku, eans, cost, currency, quantity, texts, ${NAME_FIELDS.join(', ')}, attributes, images}. Members that are left out stay unchanged, null removes a value.`,
  ),
  prices: bulk(
    'prices',
    'Rows {supplier, sku, cost, currency, quantity} of existing offers. Other members of the offers stay unchanged.',
  ),
  stock: bulk(
    'stock',
    `Rows {product_id or sku or ean, quantity, cost, expected} of own stock. A quantity of null removes the own stock; a cost that is left out stays unchanged. ${EXPECTED} Its form is {quantity, cost}, or null if there was no own stock.`,
  ),
  overrides: bulk(
    'overrides',
    `Rows {product_id or sku or ean, field, locale, key, value, expected}. field is ${OVERRIDE_FIELDS.join(', ')} or attribute (with key). A value of null removes the override, so that the suppliers’ value is shown again; false hides an attribute. ${EXPECTED} It is null if there was no override.`,
  ),
  exclusions: bulk(
    'exclusions',
    `Rows {product_id or sku or ean, store, reason, expected}. Each row excludes a product from a store, or from all stores if store is null or left out; a reason of null removes the exclusion. ${EXPECTED} It is null if there was no reason.`,
  ),
} as const
