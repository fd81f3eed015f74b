import Type from 'typebox'
import { Explanation, ProductFields } from './explanation.ts'
import { MappingDocument } from './import-schemas.ts'
import { Id, Null, Text } from './values.ts'

// Bulks, operations, price history.

const Timestamp = Type.String({ format: 'date-time', description: 'Time in UTC, to the second.' })
const OrNull = (schema: Type.TSchema, description: string) => Type.Union([schema, Null], { description })

export const Fault = Type.Object(
  { name: Type.String({ description: 'Path of the invalid member, with levels joined by dots.' }), reason: Text },
  { $id: 'Fault' },
)

/** The result of one row of a bulk. */
export const BulkResult = Type.Object(
  {
    row: Type.Integer({ minimum: 0, description: 'Number of the row in the request, from 0.' }),
    status: Type.Union([
      Type.Literal('created'),
      Type.Literal('changed'),
      Type.Literal('unchanged'),
      Type.Literal('failed'),
    ]),
    product_id: Type.Optional(Id),
    errors: Type.Optional(Type.Array(Type.Ref('Fault'))),
  },
  { $id: 'BulkResult' },
)

export const BulkAnswer = Type.Object(
  {
    data: Type.Array(Type.Ref('BulkResult'), { description: 'One result per row, in the order of the request.' }),
    meta: Type.Object({
      created: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      failed: Type.Integer(),
      dry_run: Type.Boolean(),
    }),
  },
  { $id: 'BulkAnswer' },
)

export const Operation = Type.Object(
  {
    id: Id,
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
    dry_run: Type.Boolean(),
    total: OrNull(
      Type.Integer({ minimum: 0 }),
      'Total number of rows (for a bulk) or products (for other kinds); null if unknown.',
    ),
    done: Type.Integer({ minimum: 0 }),
    changed: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0, description: 'Number of refused rows; GET …/errors lists them.' }),
    message: OrNull(Text, 'Why the operation failed; null if it did not.'),
    created_at: Timestamp,
    started_at: OrNull(Timestamp, 'When the operation started; null if it has not.'),
    ended_at: OrNull(Timestamp, 'When the operation ended; null if it has not.'),
  },
  { $id: 'Operation' },
)

/** A row that an operation refused. */
export const OperationError = Type.Object(
  {
    row: Type.Integer({ minimum: 0, description: 'Number of the row in the request, from 0.' }),
    errors: Type.Array(Type.Ref('Fault')),
  },
  { $id: 'OperationError' },
)

const Lowest = Type.Object({ price: Text, currency: Text, from: Timestamp })

/** Prices of a product in a store for a customer group, with the lowest ones of 30 days. */
export const PriceHistory = Type.Object(
  {
    product_id: Id,
    store: Text,
    customer_group_id: Id,
    entries: Type.Array(
      Type.Object({
        from: Timestamp,
        to: OrNull(Timestamp, 'When the price ended; null if it still applies.'),
        price: OrNull(Text, 'Price as an exact decimal; null if the product was not listed or had no price.'),
        currency: OrNull(Text, 'Currency of the price (ISO 4217); null if the price is null.'),
      }),
      { description: 'Prices with their periods, newest first.' },
    ),
    lowest_30_days: OrNull(
      Lowest,
      'Lowest price at any time in the last 30 days, including the current price; null if there was none.',
    ),
    lowest_before: OrNull(
      Lowest,
      'Lowest price at any time in the 30 days before the current price began, which a shop shows next to a reduced price; null if there was none, or if there is no price now.',
    ),
  },
  { $id: 'PriceHistory' },
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
