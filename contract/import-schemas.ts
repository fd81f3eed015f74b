import Type from 'typebox'
import { FILE_FORMATS } from './file-formats.ts'
import { IMPORT_STATES, IMPORT_TRIGGERS } from './import-states.ts'
import { OneOf } from './one-of.ts'
import { closed, CurrencyOf, described, GivenId, Id, must, nullable, optional, SupplierSku, Text } from './values.ts'

// Imports of suppliers' files: the files, and the runs that import them.

const Timestamp = Type.String({ format: 'date-time', description: 'UTC, to the second.' })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** A mapping document. docs/mapping.md describes it, and /mapping.schema.json is its schema. */
export const MappingDocument = Type.Record(Text, Type.Unknown(), {
  $id: 'MappingDocument',
  description:
    'A mapping, or {"preset": name} for a ready mapping, with the members that differ from it. /mapping.schema.json is its JSON Schema.',
})

const LeftOutKind = OneOf(['condition', 'part', 'sum', 'repeated_header', 'note'], {
  description:
    'Why the row is left out. `condition`: it meets a condition of the mapping’s `skip`; `part`: it is a part of another row. The others are no articles: `sum`: a footer with a sum; `repeated_header`: the names of the columns again; `note`: a note.',
})
const Warnings = Type.Array(Text, { description: 'Warnings about the file as a whole, in English.' })
const Remarks = Type.Array(
  Type.Object({
    text: Type.String({ description: 'The warning.' }),
    code: nullable(
      Text,
      'Code of the warning, which stays the same in later releases; new codes may be added. null for warnings that an earlier release worded differently, and for warnings after the first 100 or the first 20,000 characters.',
    ),
    parameters: Type.Record(Text, Type.Union([Type.Integer(), Text, Type.Array(Text)]), {
      description: 'Values in the text, by name: names of columns, numbers of rows, examples and the like.',
    }),
  }),
  {
    description:
      'The same warnings as `warnings`, with codes and values, for clients that write or translate the texts themselves.',
  },
)

/** A mapping that is proposed for a file, with reasons and remarks. */
export const DetectedFile = Type.Object(
  {
    preset: nullable(Text, 'Name of the ready mapping that fits the file; null if none fits.'),
    mapping: Type.Ref('MappingDocument'),
    reasons: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'Member of the mapping, with levels joined by dots; empty for the file as a whole.',
        }),
        reason: described(Text, 'Why the member has its value, in English.'),
      }),
      { description: 'Reasons for the members of the mapping.' },
    ),
    prices: Type.Array(
      Type.Object({
        column: described(Text, 'Name of the column.'),
        kind: OneOf(['purchase', 'selling'], {
          description: 'Kind of price. purchase: what the merchant pays; selling: what customers of the shop pay.',
        }),
        vat: OneOf(['included', 'excluded', 'unknown'], { description: 'Whether the price includes VAT.' }),
      }),
      { description: 'Price columns whose kind can be seen from their names.' },
    ),
    warnings: Warnings,
    remarks: Remarks,
    form: Type.Object(
      {
        format: described(Text, `Format of the file: one of ${FILE_FORMATS.join(', ')}.`),
        encoding: nullable(Text, 'Character encoding of the file; null for a workbook.'),
        delimiter: nullable(Text, 'Delimiter between the columns of a text table; null for other formats.'),
        header_line: nullable(Type.Integer(), 'Number of the line with the column names; null if there is none.'),
        rows: Count('Number of rows that were examined.'),
      },
      { description: 'Format of the file, as detected.' },
    ),
  },
  { $id: 'DetectedFile', description: 'A mapping that is proposed for a file, with the reasons for it.' },
)

const PreviewedRow = Type.Object(
  {
    line: Type.Integer({
      description: 'Number of the line where the row begins, from 1; in JSON, position of the row in the list.',
    }),
    row: nullable(
      Type.Record(Text, Type.Unknown()),
      'Values of the row as read, by column or path; null if the row cannot be read or is a part of another row.',
    ),
    offer: nullable(
      Type.Record(Text, Type.Unknown()),
      'Members of the offer that an import would write. Members that are missing stay as they are in an existing offer. null: the row is refused or left out.',
    ),
    errors: Type.Array(Type.Ref('Fault'), {
      description: 'Reasons why the row is refused, by field; empty if it is not refused.',
    }),
    dropped: Type.Array(Type.Ref('Fault'), {
      description:
        'Values of optional fields that cannot be read. The row is imported all the same, and the offer keeps its present values of these fields.',
    }),
    is_left_out: Type.Boolean({
      description:
        'Whether the row is left out: because of the mapping’s `skip`, because it is a part of another row, or because it is no article.',
    }),
    condition: nullable(
      Type.Record(Text, Type.Unknown()),
      'Condition of the mapping’s `skip` that the row meets; null if the row is not left out, or is left out for another reason.',
    ),
    left_out_kind: nullable(LeftOutKind, 'Why the row is left out; null if it is not.'),
  },
  { $id: 'PreviewedRow', description: 'A row of a file, with the offer that a mapping makes of it.' },
)

/** The first rows of a file, with the offers that a mapping makes of them. */
export const PreviewedFile = Type.Object(
  {
    rows: Type.Array(PreviewedRow, { description: 'First rows of the file; fewer if rows are long.' }),
    warnings: Warnings,
    remarks: Remarks,
  },
  { $id: 'PreviewedFile', description: 'The first rows of a file, with the offers that a mapping makes of them.' },
)

const RUN_FIELDS = {
  id: GivenId('run'),
  supplier: nullable(Text, 'Code of the supplier; null if the supplier was deleted.'),
  source: nullable(Text, 'Name of the source of the file; null if it came from none.'),
  trigger: OneOf(IMPORT_TRIGGERS, { description: 'What started the run.' }),
  mode: OneOf(['full', 'delta'], {
    description: 'full: offers that are missing from the file get quantity 0; delta: they stay as they are.',
  }),
  dry_run: Type.Boolean({ description: 'Whether the run writes nothing and only counts what it would write.' }),
  confirmed: Type.Boolean({ description: 'Whether the file is imported although it exceeds thresholds.' }),
  state: OneOf(IMPORT_STATES, {
    description:
      'State of the run. In progress: waiting, fetching, reading, writing, resolving (offers are written, products are being updated). Ended: succeeded, unchanged (the file is the one that was imported last), held (the file exceeds thresholds: nothing was written, and the run can be confirmed), refused (the file or its mapping cannot be used: nothing was written), failed, canceled.',
  }),
  next_step: nullable(Text, 'What you should do now, in English; null: nothing.'),
  file: nullable(
    Type.Object({
      name: described(Text, 'Name of the file, as it was sent or fetched.'),
      bytes: Count('Size of the file as it was sent, in bytes.'),
      sha256: Type.String({ description: 'SHA-256 of the file as it was sent, in hexadecimal.' }),
      is_kept: Type.Boolean({ description: 'Whether the file can be downloaded; files are kept for 7 days.' }),
    }),
    'The file; null until it has been fetched, and for a run that undoes another one.',
  ),
  total: nullable(Count('Number of offers to write.'), 'Number of offers to write; null until it is known.'),
  written: Count('Number of offers written so far, of `total`.'),
  rows: Count('Number of rows read so far.'),
  created: Count('Number of new offers.'),
  changed: Count('Number of changed offers.'),
  unchanged: Count('Number of offers that stay as they are.'),
  zeroed: Count('Number of offers that are no longer in the file, and get quantity 0.'),
  stale: Count(
    'Number of offers that keep their old values, because a row that is or may be about them cannot be read.',
  ),
  skipped: Count(
    'Number of rows that are left out: because of the mapping’s `skip`, as parts of other rows, or because they are no articles (sums, repeated headers, notes).',
  ),
  refused: Count(
    'Number of rows that cannot be used; for a run that undoes another one, number of offers that were changed since.',
  ),
  products: Count('Number of products that the run affects.'),
  warnings: Warnings,
  remarks: Remarks,
  excesses: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'Kind of threshold, such as zeroed or prices_jump.' }),
      count: Type.Number({
        description: 'Number of offers, rows, columns or characters that count towards the threshold.',
      }),
      of: Type.Number({ description: 'Total number from which the share is computed.' }),
      limit: Type.Number({ description: 'Largest share or number that is allowed.' }),
      text: Type.String({ description: 'The excess and what to do about it, in English.' }),
    }),
    { description: 'Thresholds of the supplier that the file exceeds.' },
  ),
  problem: nullable(
    Type.Object({
      code: Type.String({ description: 'Code of the problem, as in problems of the API.' }),
      detail: described(Text, 'What is wrong, in English.'),
      errors: Type.Array(Type.Ref('Fault'), { description: 'Members at fault; empty if it is about none.' }),
    }),
    'Why the run did not succeed, or why it waits; null if neither applies.',
  ),
  undoes: nullable(Id, 'ID of the run that this run undoes; null: none.'),
  undone_by: nullable(Id, 'ID of the run that undoes this run; null: none.'),
  created_at: Timestamp,
  started_at: nullable(Timestamp, 'When the run started; null if it has not.'),
  ended_at: nullable(Timestamp, 'When the run ended; null if it has not.'),
}

const RowExamples = Type.Array(
  Type.Object({
    line: Type.Integer({ description: 'Number of the line where the row begins.' }),
    cells: Type.Array(Text, {
      description: 'First cells of the row, or key and titles of the offer; long values are shortened.',
    }),
  }),
  { description: 'Some of these rows, as examples.' },
)

/** A run in a list. */
export const ImportRun = Type.Object(RUN_FIELDS, {
  $id: 'ImportRun',
  description: 'A run that imports a file of a supplier.',
})

const RefusalGroups = (description: string) =>
  Type.Array(
    Type.Object({
      field: Type.String({ description: 'Field of the offer; empty for the row as a whole.' }),
      columns: Type.Array(Text, { description: 'Columns or paths from which the field is read.' }),
      reason: described(Text, 'What is wrong with the values, in English.'),
      count: Count('Number of rows.'),
      examples: Type.Array(
        Type.Object({
          line: nullable(Type.Integer(), 'Number of the line where the row begins; null if it is not known.'),
          sku: nullable(Text, 'Key of the article; null if it could not be read.'),
          value: nullable(Text, 'Value that could not be read; null if there is none.'),
        }),
        { description: 'Some of these rows, as examples.' },
      ),
    }),
    { description },
  )

/** One run, with its mapping, refusals and rows that were left out. */
export const ImportRunDetails = Type.Object(
  {
    ...RUN_FIELDS,
    mapping: nullable(
      Type.Ref('MappingDocument'),
      'Mapping of the run as it was given; null for a run that undoes another one.',
    ),
    refusals: RefusalGroups('Refused rows by field and reason, the most frequent first. GET …/refusals has every row.'),
    dropped: RefusalGroups(
      'Values of optional fields that could not be read, by field and reason, the most frequent first. Their rows are imported, and the offers keep their old values of these fields.',
    ),
    left_out: Type.Array(
      Type.Object({
        kind: LeftOutKind,
        condition: nullable(
          Type.Record(Text, Type.Unknown()),
          'Condition of the mapping’s `skip` that the rows meet; null for other kinds.',
        ),
        count: Count('Number of rows.'),
        examples: RowExamples,
      }),
      { description: 'Rows that are left out, by kind and condition, the most frequent first.' },
    ),
    without_cost: nullable(
      Type.Object({
        columns: Type.Array(Text, { description: 'Columns or paths from which the cost is read.' }),
        count: Count('Number of rows.'),
        examples: RowExamples,
      }),
      'Rows that are imported as offers although their cost is empty; they may be headings. null: there are none.',
    ),
  },
  {
    $id: 'ImportRunDetails',
    description:
      'A run that imports a file of a supplier, with its mapping and the rows that were refused or left out.',
  },
)

/** The body of a repeated run: what it does differently from the run whose file it imports again. */
export const repeatBody = Type.Object(
  optional({
    mapping: Type.Record(Text, Type.Unknown(), {
      description:
        'A mapping, or {"preset": name} for a ready mapping, with the members that differ from it; by default the mapping of the run.',
      ...must('must be an object: a mapping, or {"preset": name}'),
    }),
    mode: OneOf(['full', 'delta'], {
      description: 'Mode of the new run; by default the mode of the run.',
      ...must('must be full or delta'),
    }),
    dry_run: Type.Boolean({ description: 'Whether to check, count and compare only, and write nothing.' }),
    confirm: Type.Boolean({ description: 'Whether to import the file although it exceeds thresholds.' }),
  }),
  closed,
)

/** The change of one offer by a run. */
export const ImportChange = Type.Object(
  {
    sku: SupplierSku,
    kind: OneOf(['created', 'changed', 'zeroed', 'left'], {
      description:
        'What the run did to the offer. left: the run undoes another one, and left the offer unchanged, because the offer was changed or deleted since.',
    }),
    product_id: nullable(Id, 'ID of the product to which the offer belongs now; null: none.'),
    before: nullable(
      Type.Record(Text, Type.Unknown()),
      'Values that the run changed, as they were before; null if there was no offer.',
    ),
    after: nullable(
      Type.Record(Text, Type.Unknown()),
      'Values as a dry run would write them; of texts and other content, only those that differ. null for other runs. Long texts are shortened in `before` and `after`.',
    ),
  },
  { $id: 'ImportChange', description: 'The change of one offer by a run.' },
)

const Figures = Type.Object({
  cost: nullable(Text, 'Cost, a decimal; null: not known.'),
  currency: CurrencyOf('cost'),
  quantity: Type.Integer({ description: 'Number of pieces in stock.' }),
})

/** An offer that undoing a run would leave unchanged. */
export const UndoLeft = Type.Object(
  {
    sku: SupplierSku,
    kind: OneOf(['created', 'changed', 'zeroed'], {
      description:
        'What the run did to the offer. zeroed: its quantity was set to 0, because it was missing from the file.',
    }),
    reason: OneOf(['changed', 'deleted'], {
      description:
        'Why the offer would stay as it is. changed: it was changed after the run; restore_changed restores it all the same. deleted: it was deleted after the run, and stays deleted.',
    }),
    changed_by: nullable(
      Id,
      'ID of the latest run that changed the offer since; null if it was changed by hand or through the API.',
    ),
    before: nullable(Figures, 'Values before the run; null if there was no offer, so that it would be deleted.'),
    now: nullable(Figures, 'Values now; null if the offer is deleted.'),
  },
  { $id: 'UndoLeft', description: 'An offer that undoing a run would leave as it is.' },
)
