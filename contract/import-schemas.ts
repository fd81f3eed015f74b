import Type from 'typebox'
import { IMPORT_STATES, IMPORT_TRIGGERS } from './import-states.ts'
import { OneOf } from './one-of.ts'
import { closed, Id, must, Null, optional, Text } from './values.ts'

// Imports of suppliers' files: the files, and the runs that import them.

const Timestamp = Type.String({ format: 'date-time', description: 'UTC, to the second.' })
const OrNull = <T extends Type.TSchema>(schema: T, description: string) => Type.Union([schema, Null], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** A mapping document. docs/mapping.md describes it, and /mapping.schema.json is its schema. */
export const MappingDocument = Type.Record(Text, Type.Unknown(), {
  $id: 'MappingDocument',
  description:
    'A mapping, or {"preset": name} with what differs from a ready one. /mapping.schema.json is its JSON Schema.',
})

const LeftOutKind = OneOf(['condition', 'part', 'sum', 'repeated_header', 'note'], {
  description:
    '`condition`: it meets a condition of the mapping’s `skip`; `part`: it is a part of another row; the others are about no article: a footer with a sum, the names of the columns again, a note.',
})
const Warnings = Type.Array(Text, { description: 'What is odd about the file as a whole.' })
const Remarks = Type.Array(
  Type.Object({
    text: Type.String({ description: 'The warning.' }),
    code: OrNull(
      Text,
      'Stays the same from release to release, and more come; null for a warning of a run of an earlier release that is worded otherwise now, and for one of which there is too much: what is behind 100 warnings, or 20,000 characters.',
    ),
    parameters: Type.Record(Text, Type.Union([Type.Integer(), Text, Type.Array(Text)]), {
      description: 'What is in the sentence by name, such as names of columns, numbers of rows and examples.',
    }),
  }),
  { description: 'The same as `warnings`, for those who say it in their own words.' },
)

/** A mapping that is proposed for a file, with reasons and remarks. */
export const DetectedFile = Type.Object(
  {
    preset: OrNull(Text, 'A ready mapping that fits; null where none does.'),
    mapping: Type.Ref('MappingDocument'),
    reasons: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Member of the mapping, levels joined by dots; empty: the file as a whole.' }),
        reason: Text,
      }),
      { description: 'Why each line of the mapping is what it is.' },
    ),
    prices: Type.Array(
      Type.Object({
        column: Text,
        kind: OneOf(['purchase', 'selling'], {
          description: 'purchase: what the merchant pays; selling: what customers of the shop pay.',
        }),
        vat: OneOf(['included', 'excluded', 'unknown'], { description: 'Whether VAT is in it.' }),
      }),
      { description: 'Columns of prices whose names say what they are.' },
    ),
    warnings: Warnings,
    remarks: Remarks,
    form: Type.Object(
      {
        format: Text,
        encoding: OrNull(Text, 'Of a text; null for a workbook.'),
        delimiter: OrNull(Text, 'Of a table that is a text; null for others.'),
        header_line: OrNull(Type.Integer(), 'The line with the names of the columns; null where there is none.'),
        rows: Count('How many rows were looked at.'),
      },
      { description: 'How the file is written.' },
    ),
  },
  { $id: 'DetectedFile' },
)

const PreviewedRow = Type.Object(
  {
    line: Type.Integer({ description: 'Line where the row begins, from 1; in JSON its number in the list.' }),
    row: OrNull(
      Type.Record(Text, Type.Unknown()),
      'The row as it was read, by column or path; null where it cannot be read, or is a part of others.',
    ),
    offer: OrNull(
      Type.Record(Text, Type.Unknown()),
      'What an import makes of it: members of an offer; those that are missing leave what an offer has. null: refused or left out.',
    ),
    errors: Type.Array(Type.Ref('Fault'), { description: 'Why it is refused, by field; empty where it is not.' }),
    dropped: Type.Array(Type.Ref('Fault'), {
      description:
        'Values of optional fields that cannot be read: the row is imported, and the offer keeps what it has there.',
    }),
    is_left_out: Type.Boolean({
      description: 'The mapping leaves it out, it is a part of another row, or it is about no article.',
    }),
    condition: OrNull(
      Type.Record(Text, Type.Unknown()),
      'The condition of the mapping’s `skip` that it meets; null where it is not left out, or for another reason.',
    ),
    left_out_kind: OrNull(LeftOutKind, 'Why it is left out; null where it is not.'),
  },
  { $id: 'PreviewedRow' },
)

/** The first rows of a file, with the offers that a mapping makes of them. */
export const PreviewedFile = Type.Object(
  {
    rows: Type.Array(PreviewedRow, { description: 'The first rows; fewer where they are long.' }),
    warnings: Warnings,
    remarks: Remarks,
  },
  { $id: 'PreviewedFile' },
)

const RUN_FIELDS = {
  id: Id,
  supplier: OrNull(Text, 'The supplier’s code; null: it was deleted.'),
  source: OrNull(Text, 'Name of the source that the file came from; null: none.'),
  trigger: OneOf(IMPORT_TRIGGERS, { description: 'What asked for it.' }),
  mode: OneOf(['full', 'delta'], {
    description: 'full: offers that the file does not have get quantity 0; delta: they stay as they are.',
  }),
  dry_run: Type.Boolean({ description: 'It writes nothing, and counts what it would.' }),
  confirmed: Type.Boolean({ description: 'It is imported although it exceeds thresholds.' }),
  state: OneOf(IMPORT_STATES, {
    description:
      'waiting, fetching, reading, writing, resolving (all is written, and payloads follow); ended: succeeded, unchanged (the file is the last one), held (it exceeds thresholds: nothing was written, and it can be confirmed), refused (the file or its mapping cannot be used: nothing was written), failed, canceled.',
  }),
  next_step: OrNull(Text, 'What to do now, in words; null: nothing.'),
  file: OrNull(
    Type.Object({
      name: Text,
      bytes: Count('Its size as it was sent.'),
      sha256: Type.String({ description: 'Of the bytes as they were sent, in hexadecimal.' }),
      is_kept: Type.Boolean({ description: 'Whether it can be downloaded; files are kept for 7 days.' }),
    }),
    'The file; null while it is not here, and for a run that undoes another.',
  ),
  total: OrNull(Count('Offers to write.'), 'Offers to write; null while they are not known.'),
  written: Count('Of these, written so far.'),
  rows: Count('Rows read so far.'),
  created: Count('New offers.'),
  changed: Count('Changed offers.'),
  unchanged: Count('Offers that stay as they are.'),
  zeroed: Count('Offers that the file does not have any more: their quantity is 0.'),
  stale: Count('Offers that keep what they had because a row that may be about them cannot be read.'),
  skipped: Count(
    'Rows that the mapping leaves out, that are parts of others, or that are about no article: sums, repeated headers, notes.',
  ),
  refused: Count('Rows that cannot be used; of a run that undoes another, offers that were changed since.'),
  products: Count('Products that it concerns.'),
  warnings: Warnings,
  remarks: Remarks,
  excesses: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'The threshold.' }),
      count: Type.Number({ description: 'How many exceed it.' }),
      of: Type.Number({ description: 'Of how many.' }),
      limit: Type.Number({ description: 'The share or number that is allowed.' }),
      text: Type.String({ description: 'The same in words.' }),
    }),
    { description: 'Thresholds that the file exceeds.' },
  ),
  problem: OrNull(
    Type.Object({
      code: Type.String({ description: 'As in problems of the API.' }),
      detail: Text,
      errors: Type.Array(Type.Ref('Fault')),
    }),
    'Why it did not succeed, or why it waits; null: neither.',
  ),
  undoes: OrNull(Id, 'The run that it undoes; null: none.'),
  undone_by: OrNull(Id, 'The run that undoes it; null: none.'),
  created_at: Timestamp,
  started_at: OrNull(Timestamp, 'null: not yet.'),
  ended_at: OrNull(Timestamp, 'null: not yet.'),
}

const RowExamples = Type.Array(
  Type.Object({
    line: Type.Integer({ description: 'Line where the row begins.' }),
    cells: Type.Array(Text, { description: 'What its first cells have, or the offer’s key and titles; cut.' }),
  }),
)

/** A run in a list. */
export const ImportRun = Type.Object(RUN_FIELDS, { $id: 'ImportRun' })

const RefusalGroups = (description: string) =>
  Type.Array(
    Type.Object({
      field: Type.String({ description: 'Field of the offer; empty: the row as a whole.' }),
      columns: Type.Array(Text, { description: 'The columns or paths that it is made of.' }),
      reason: Text,
      count: Count('How many rows.'),
      examples: Type.Array(
        Type.Object({
          line: OrNull(Type.Integer(), 'Line where the row begins.'),
          sku: OrNull(Text, 'Its key, where it could be read.'),
          value: OrNull(Text, 'What could not be read.'),
        }),
      ),
    }),
    { description },
  )

/** One run, with its mapping, refusals and rows that were left out. */
export const ImportRunDetails = Type.Object(
  {
    ...RUN_FIELDS,
    mapping: OrNull(Type.Ref('MappingDocument'), 'As it was given; null for a run that undoes another.'),
    refusals: RefusalGroups('Refused rows by field and reason, the most frequent first; …/refusals has every row.'),
    dropped: RefusalGroups(
      'Values of optional fields that could not be read, by field and reason, the most frequent first. Their rows are imported, and offers keep what they had there.',
    ),
    left_out: Type.Array(
      Type.Object({
        kind: LeftOutKind,
        condition: OrNull(
          Type.Record(Text, Type.Unknown()),
          'The condition of the mapping’s `skip` that they meet; null for other kinds.',
        ),
        count: Count('How many rows.'),
        examples: RowExamples,
      }),
      { description: 'Rows that are left out, by what leaves them out, the most frequent first.' },
    ),
    without_cost: OrNull(
      Type.Object({
        columns: Type.Array(Text, { description: 'The columns or paths of the cost.' }),
        count: Count('How many rows.'),
        examples: RowExamples,
      }),
      'Rows that are offers although their cost is empty: headings, perhaps. null: there are none.',
    ),
  },
  { $id: 'ImportRunDetails' },
)

/** The body of a repeated run: what it does differently from the run whose file it imports again. */
export const repeatBody = Type.Object(
  optional({
    mapping: Type.Record(Text, Type.Unknown(), {
      description: 'A mapping, or {"preset": name} with what differs from a ready one; that of the run, unless set.',
      ...must('must be an object: a mapping, or {"preset": name}'),
    }),
    mode: OneOf(['full', 'delta'], { description: 'That of the run, unless set.', ...must('must be full or delta') }),
    dry_run: Type.Boolean({ description: 'Check, count and compare, write nothing.' }),
    confirm: Type.Boolean({ description: 'Import the file although it exceeds thresholds.' }),
  }),
  closed,
)

/** The change of one offer by a run. */
export const ImportChange = Type.Object(
  {
    sku: Type.String({ description: 'The supplier’s key of the article.' }),
    kind: OneOf(['created', 'changed', 'zeroed', 'left'], {
      description:
        'What the run did to the offer; left: the undoing of a run left it, because it says something else since, or is deleted.',
    }),
    product_id: OrNull(Id, 'The product that has the offer now; null: none has.'),
    before: OrNull(
      Type.Record(Text, Type.Unknown()),
      'What the run changed of the offer, as it was before; null: there was none.',
    ),
    after: OrNull(
      Type.Record(Text, Type.Unknown()),
      'Of a dry run: the same of the offer as it would be, of content only what differs; long texts are cut in both. null of other runs.',
    ),
  },
  { $id: 'ImportChange' },
)

const Figures = Type.Object({
  cost: OrNull(Text, 'Decimal.'),
  currency: Text,
  quantity: Type.Integer(),
})

/** An offer that undoing a run would leave unchanged. */
export const UndoLeft = Type.Object(
  {
    sku: Type.String({ description: 'The supplier’s key of the article.' }),
    kind: OneOf(['created', 'changed', 'zeroed'], { description: 'What the run did to the offer.' }),
    reason: OneOf(['changed', 'deleted'], {
      description:
        'changed: it says something else than the run left it with; restore_changed takes it back all the same. deleted: it was deleted since, and stays so.',
    }),
    changed_by: OrNull(Id, 'The newest later run that changed it; null: it was written by hand or through the API.'),
    before: OrNull(Figures, 'What it had before the run; null: there was none, and it would be deleted.'),
    now: OrNull(Figures, 'As it is now; null: it is deleted.'),
  },
  { $id: 'UndoLeft' },
)
