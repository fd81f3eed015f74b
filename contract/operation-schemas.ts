import Type from 'typebox'
import { Explanation } from './explanation.ts'
import { ProductFields } from './field-sources.ts'
import { MappingDocument } from './import-schemas.ts'
import { CurrencyOf, CustomerGroupId, described, GivenId, nullable, ProductId, SlugOfStore, Text } from './values.ts'

// Bulks, operations, price history.

const Timestamp = Type.String({ format: 'date-time', description: 'Time in UTC, to the second.' })

export const Fault = Type.Object(
  {
    name: Type.String({ description: 'Path of the invalid member, with levels joined by dots.' }),
    reason: described(Text, 'What is wrong with it, in English.'),
  },
  { $id: 'Fault', description: 'A fault of a member.' },
)

/** The result of one row of a bulk. */
export const BulkResult = Type.Object(
  {
    row: Type.Integer({ minimum: 0, description: 'Number of the row in the request, from 0.' }),
    status: Type.Union(
      [Type.Literal('created'), Type.Literal('changed'), Type.Literal('unchanged'), Type.Literal('failed')],
      {
        description:
          'Result of the row. created, changed: it was written; unchanged: it states what was stored already; failed: it was refused. In a dry run: what the row would do.',
      },
    ),
    product_id: Type.Optional(
      described(ProductId, 'ID of the product. Left out if the row failed before its product was found.'),
    ),
    errors: Type.Optional(
      Type.Array(Type.Ref('Fault'), { description: 'Faults of the row. Left out if it did not fail.' }),
    ),
  },
  { $id: 'BulkResult', description: 'The result of one row of a bulk.' },
)

export const BulkAnswer = Type.Object(
  {
    data: Type.Array(Type.Ref('BulkResult'), { description: 'One result per row, in the order of the request.' }),
    meta: Type.Object(
      {
        created: Type.Integer({ description: 'Number of rows with the status created.' }),
        changed: Type.Integer({ description: 'Number of rows with the status changed.' }),
        unchanged: Type.Integer({ description: 'Number of rows with the status unchanged.' }),
        failed: Type.Integer({ description: 'Number of rows with the status failed.' }),
        dry_run: Type.Boolean({ description: 'Whether this was a dry run, which writes nothing.' }),
      },
      { description: 'Numbers of rows by their status.' },
    ),
  },
  { $id: 'BulkAnswer', description: 'The results of a bulk that was executed at once.' },
)

export const Operation = Type.Object(
  {
    id: GivenId('operation'),
    kind: Type.Union(
      [
        'bulk_offers',
        'bulk_prices',
        'bulk_stock',
        'bulk_overrides',
        'bulk_exclusions',
        'resolve',
        'delete_store',
        'delete_supplier',
        'preview',
      ].map((kind) => Type.Literal(kind)),
      {
        description:
          'Kind of the operation. preview: the panel computes what a change of rules would do, and writes nothing.',
      },
    ),
    state: Type.Union(
      ['queued', 'running', 'resolving', 'succeeded', 'failed', 'canceled'].map((state) => Type.Literal(state)),
      {
        description:
          'State of the operation. resolving: everything is written, and the finished products are being updated; succeeded: the updated products can be read.',
      },
    ),
    dry_run: Type.Boolean({ description: 'Whether the operation checks its rows only, and writes nothing.' }),
    total: nullable(
      Type.Integer({ minimum: 0 }),
      'Total number of rows (for a bulk) or products (for other kinds); null if unknown.',
    ),
    done: Type.Integer({ minimum: 0, description: 'Number of rows or products that are processed, of `total`.' }),
    changed: Type.Integer({
      minimum: 0,
      description: 'Number of processed rows or products that were changed, or would be in a preview or dry run.',
    }),
    unchanged: Type.Integer({
      minimum: 0,
      description: 'Number of processed rows or products that stay as they are.',
    }),
    failed: Type.Integer({ minimum: 0, description: 'Number of refused rows; GET …/errors lists them.' }),
    message: nullable(Text, 'Why the operation failed; null if it did not.'),
    created_at: Timestamp,
    started_at: nullable(Timestamp, 'When the operation started; null if it has not.'),
    ended_at: nullable(Timestamp, 'When the operation ended; null if it has not.'),
  },
  { $id: 'Operation', description: 'Work that continues after the answer to its request.' },
)

/** A row that an operation refused. */
export const OperationError = Type.Object(
  {
    row: Type.Integer({ minimum: 0, description: 'Number of the row in the request, from 0.' }),
    errors: Type.Array(Type.Ref('Fault'), { description: 'Faults of the row.' }),
  },
  { $id: 'OperationError', description: 'A row that an operation refused.' },
)

const Lowest = Type.Object({
  price: described(Text, 'Lowest price, as an exact decimal.'),
  currency: CurrencyOf('price'),
  from: described(Timestamp, 'Time from which the price applied. UTC, to the second.'),
})

/** Prices of a product in a store for a customer group, with the lowest ones of 30 days. */
export const PriceHistory = Type.Object(
  {
    product_id: ProductId,
    store: SlugOfStore,
    customer_group_id: CustomerGroupId,
    entries: Type.Array(
      Type.Object({
        from: described(Timestamp, 'Time from which the price applied. UTC, to the second.'),
        to: nullable(Timestamp, 'When the price ended; null if it still applies.'),
        price: nullable(Text, 'Price as an exact decimal; null if the product was not listed or had no price.'),
        currency: nullable(Text, 'Currency of the price (ISO 4217); null if the price is null.'),
      }),
      { description: 'Prices with their periods, newest first.' },
    ),
    lowest_30_days: nullable(
      Lowest,
      'Lowest price at any time in the last 30 days, including the current price; null if there was none.',
    ),
    lowest_before: nullable(
      Lowest,
      'Lowest price at any time in the 30 days before the current price began, which a shop shows next to a reduced price; null if there was none, or if there is no price now.',
    ),
  },
  {
    $id: 'PriceHistory',
    description: 'Prices of a product in a store for a customer group, over the last 400 days.',
  },
)

export const OPERATION_SCHEMAS = {
  Fault,
  BulkResult,
  BulkAnswer,
  Operation,
  OperationError,
  PriceHistory,
  ProductFields,
  Explanation,
  MappingDocument,
} as const
