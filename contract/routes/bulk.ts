import Type from 'typebox'
import { BulkAnswer, Operation } from '../operation-schemas.ts'
import { NAME_FIELDS, OVERRIDE_FIELDS } from '../product-fields.ts'
import { writeRoute } from '../route.ts'

// Bulk writes: many rows in one request.

const BulkBody = Type.Object(
  {
    rows: Type.Array(Type.Unknown(), {
      description: 'Up to 100,000; a request of up to 1,000 is answered with a result per row.',
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
    description: `${rows} Valid rows are written and invalid ones reported. Up to 1,000 rows are answered at once, one result each in order; more are stored durably and answered with 202 and an operation. Also as application/x-ndjson, a row per line.`,
    query: {
      atomic: flag('Write all rows or none; up to 1,000.'),
      dry_run: flag('Validate exactly like the write, and write nothing.'),
    },
    body: { noun: 'bulk', schema: BulkBody, bytesMax: 67_108_864, line: Type.Unknown({ description: 'A row.' }) },
    answer: { whole: BulkAnswer },
    returns: 'What became of each row, in order.',
    queued: Operation,
    statuses: [200, 202],
  })

const EXPECTED =
  'With `expected`, the value as it was read, a row whose value is another one by now fails, and nothing is overwritten.'

/** The bulk routes, by kind of rows. */
export const BULK_ROUTES = {
  offers: bulk(
    'offers',
    `Rows {supplier, sku, eans, cost, currency, quantity, texts, ${NAME_FIELDS.join(', ')}, attributes, images}: absent is unchanged, null clears.`,
  ),
  prices: bulk(
    'prices',
    'Rows {supplier, sku, cost, currency, quantity} of offers that exist: nothing else of them changes.',
  ),
  stock: bulk(
    'stock',
    `Rows {product_id or sku or ean, quantity, cost, expected}: own stock; a quantity of null removes it, an absent cost is unchanged. ${EXPECTED} It is {quantity, cost}, or null where there is no own stock.`,
  ),
  overrides: bulk(
    'overrides',
    `Rows {product_id or sku or ean, field, locale, key, value, expected}: field is ${OVERRIDE_FIELDS.join(', ')} or attribute (with key); a value of null shows the suppliers’ again, false hides an attribute. ${EXPECTED} It is null where there is no override.`,
  ),
  exclusions: bulk(
    'exclusions',
    `Rows {product_id or sku or ean, store, reason, expected}: excludes products by hand from a store, or from every store where store is null or absent; a reason of null takes it back. ${EXPECTED} It is null where there is no reason.`,
  ),
} as const
