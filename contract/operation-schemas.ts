import Type from 'typebox'
import { Explanation, ProductFields } from './explanation.ts'
import { MappingDocument } from './import-schemas.ts'
import { Id, Null, Text } from './values.ts'

// Bulks, operations, price history.

const Timestamp = Type.String({ format: 'date-time', description: 'UTC, to the second.' })
const OrNull = (schema: Type.TSchema, description: string) => Type.Union([schema, Null], { description })

export const Fault = Type.Object(
  { name: Type.String({ description: 'Path of the member at fault, levels joined by dots.' }), reason: Text },
  { $id: 'Fault' },
)

/** The result of one row of a bulk. */
export const BulkResult = Type.Object(
  {
    row: Type.Integer({ minimum: 0, description: 'Counted from 0, as sent.' }),
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
    data: Type.Array(Type.Ref('BulkResult'), { description: 'One per row, in order.' }),
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
      { description: 'preview: the panel looks at what a change of rules would do; it writes nothing.' },
    ),
    state: Type.Union(
      ['queued', 'running', 'resolving', 'succeeded', 'failed', 'canceled'].map((state) => Type.Literal(state)),
      {
        description:
          'resolving: all is written, and payloads are being brought up to date; succeeded: they can be read.',
      },
    ),
    dry_run: Type.Boolean(),
    total: OrNull(Type.Integer({ minimum: 0 }), 'Rows of a bulk, otherwise products; null: not known.'),
    done: Type.Integer({ minimum: 0 }),
    changed: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0, description: 'Rows that were refused; errors lists them.' }),
    message: OrNull(Text, 'Why it failed.'),
    created_at: Timestamp,
    started_at: OrNull(Timestamp, 'null: not yet.'),
    ended_at: OrNull(Timestamp, 'null: not yet.'),
  },
  { $id: 'Operation' },
)

/** A row that an operation refused. */
export const OperationError = Type.Object(
  { row: Type.Integer({ minimum: 0, description: 'Counted from 0, as sent.' }), errors: Type.Array(Type.Ref('Fault')) },
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
        to: OrNull(Timestamp, 'null: until now.'),
        price: OrNull(Text, 'Exact decimal; null: not listed, or without a price.'),
        currency: OrNull(Text, 'null with a price of null.'),
      }),
      { description: 'Newest first.' },
    ),
    lowest_30_days: OrNull(
      Lowest,
      'The lowest price at any time of the last 30 days, the present one included; null: there was none.',
    ),
    lowest_before: OrNull(
      Lowest,
      'The lowest price at any time of the 30 days before the present price began: what a shop shows beside a reduction. null: there was none, or there is no price now.',
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
