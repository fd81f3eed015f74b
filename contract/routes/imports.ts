import Type from 'typebox'
import { READY_MAPPING_NAMES } from '../file-formats.ts'
import {
  DetectedFile,
  ImportChange,
  ImportRun,
  ImportRunDetails,
  MappingDocument,
  PreviewedFile,
  repeatBody,
  UndoLeft,
} from '../import-schemas.ts'
import { IMPORT_STATES } from '../import-states.ts'
import { AfterSku, Clamped, Comparable, PathId, PathKey, PerPage } from '../parameters.ts'
import { COMPARED_FIELDS, type ComparedField } from '../product-fields.ts'
import { downloadRoute, fileRoute, listMeta, operatorRoute, readRoute, writeRoute } from '../route.ts'
import { Id } from '../values.ts'

// Suppliers' files: examining and uploading them, and the runs that import them.

const ofSupplier = '/v1/account/suppliers/{code}/imports'
const runs = '/v1/account/imports'
const code = PathKey('The supplier’s code.')
const one = { params: { id: PathId('Import run ID.') }, tag: 'imports' } as const

const Preset = Type.Optional(
  Type.String({
    maxLength: 100,
    description: `A ready mapping: one of ${READY_MAPPING_NAMES.join(', ')}. One of your own is the part \`mapping\` of a form.`,
    'x-also': ['preset'],
  }),
)
const Source = Type.Optional(
  Type.String({ maxLength: 100, description: 'Name of a source of the supplier, whose mapping and mode are taken.' }),
)
const ImageBaseUrl = Type.Optional(
  Type.String({ maxLength: 2_048, description: 'Base URL of relative image paths, beside a ready mapping.' }),
)
const Locale = Type.Optional(
  Type.String({ maxLength: 100, description: 'Locale of titles and descriptions, beside a ready mapping.' }),
)
const MAPPED = { source: Source, mapping: Preset, image_base_url: ImageBaseUrl, locale: Locale }

function mappedOnce(given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {}
  if (given['source'] !== undefined)
    for (const name of ['mapping', 'image_base_url', 'locale', 'mode'])
      if (given[name] !== undefined) faults[name] = 'cannot be combined with source, which has its own'
  if (given['mapping'] === undefined && given['source'] === undefined)
    for (const name of ['image_base_url', 'locale'])
      if (given[name] !== undefined)
        faults[name] = 'goes with the parameter mapping; a mapping of your own has it itself'
  return faults
}

const sourceOfSupplier = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  given['source'] !== undefined && given['supplier'] === undefined
    ? { source: 'goes with the parameter supplier, whose source it is' }
    : {}

const binary = (description: string) => Type.String({ format: 'binary', description })
const form = (withMapping: boolean) =>
  Type.Object(
    {
      ...(withMapping ? { mapping: Type.Optional(MappingDocument) } : {}),
      file: binary('The file, as the last part.'),
    },
    { additionalProperties: false },
  )
/** The same as LIMITS.importFileBytesMax. */
const FILE_BYTES_MAX = 4_294_967_296
const upload = (withMapping: boolean) => ({
  bytesMax: FILE_BYTES_MAX,
  isStreamed: true as const,
  content: {
    '*/*': binary('The file itself, of any type: its format is known by its content.'),
    'multipart/form-data': form(withMapping),
  },
})

export const DETECT_FILE = fileRoute({
  id: 'detectFile',
  path: `${ofSupplier}/detect`,
  tag: 'imports',
  summary: 'Propose a mapping for a file',
  description:
    'Looks at the first rows, and proposes how the file is to be read, with a reason for each line. The first 8 MB of a large file are enough. Nothing is kept.',
  params: { code },
  upload: upload(false),
  answer: DetectedFile,
  returns: 'The proposal.',
  problems: ['unknown-supplier', 'source-unreadable'],
})

export const PREVIEW_FILE = fileRoute({
  id: 'previewFile',
  path: `${ofSupplier}/preview`,
  tag: 'imports',
  summary: 'Preview offers of a file',
  description:
    'Reads the first rows exactly as an import does, and shows what it makes of them. A mapping of your own is the first part, `mapping`, of a form. Nothing is kept.',
  params: { code },
  query: {
    ...MAPPED,
    rows: Clamped(1, 100, 10, 'How many rows to show'),
  },
  conflicts: mappedOnce,
  upload: upload(true),
  answer: PreviewedFile,
  returns: 'The first rows beside their offers.',
  problems: ['unknown-supplier', 'unknown-reference', 'source-unreadable'],
})

export const UPLOAD_FILE = writeRoute({
  id: 'uploadFile',
  method: 'post',
  path: ofSupplier,
  tag: 'imports',
  summary: 'Import a supplier’s file',
  description:
    'Send the file itself as the body, of any format and type, also in gzip or zip; or a form with the parts `mapping` (JSON) and `file`, in this order. The mapping is a ready one, that of a source, or the form’s. When the whole file has arrived, a run is created, which imports it: read the run until it has ended. A body that is cut off leaves nothing. At most 4 GiB, 4 files of an account at once.',
  params: { code },
  query: {
    ...MAPPED,
    mode: Type.Optional(
      Type.Unsafe<'full' | 'delta'>({
        type: 'string',
        enum: ['full', 'delta'],
        description: 'full, unless set: offers that the file does not have get quantity 0; delta: they stay.',
      }),
    ),
    dry_run: Type.Boolean({ default: false, description: 'Check and count, write nothing.' }),
    confirm: Type.Boolean({ default: false, description: 'Import the file although it exceeds thresholds.' }),
    file_name: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'What to call the file where the run is shown; of a form, that of its part.',
        'x-also': ['filename', 'name'],
      }),
    ),
  },
  conflicts: mappedOnce,
  upload: upload(true),
  answer: { data: ImportRun },
  returns: 'The run, which waits for its turn; Location is its path.',
  problems: ['unknown-supplier', 'unknown-reference'],
  statuses: [202],
})

export const LIST_IMPORTS = readRoute({
  id: 'listImports',
  path: runs,
  tag: 'imports',
  summary: 'List import runs',
  description: 'Newest first; those that ended are kept for 30 days.',
  query: {
    per_page: PerPage,
    before: Type.Optional(
      Type.Integer({ minimum: 1, format: 'int64', description: 'meta.next_before of the page before.' }),
    ),
    supplier: Comparable('Only runs of the supplier with this code.'),
    source: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only runs of the source with this name; goes with supplier.' }),
    ),
    state: Type.Optional(
      Type.Unsafe<(typeof IMPORT_STATES)[number]>({
        type: 'string',
        enum: [...IMPORT_STATES],
        description: 'Only runs in this state.',
      }),
    ),
  },
  conflicts: sourceOfSupplier,
  answer: { list: ImportRun, meta: listMeta({ before: Id }) },
  returns: 'A page of runs.',
  problems: ['unknown-supplier', 'unknown-reference'],
})

export const GET_IMPORT = readRoute({
  ...one,
  id: 'getImport',
  path: `${runs}/{id}`,
  summary: 'Read an import run',
  description: 'State, progress and counts, and refused rows by field and reason.',
  answer: { data: ImportRunDetails },
  returns: 'The run as it is now.',
  problems: ['unknown-run'],
})

export const LIST_IMPORT_CHANGES = readRoute({
  ...one,
  id: 'listImportChanges',
  path: `${runs}/{id}/changes`,
  summary: 'List what an import run changed',
  description:
    'By the supplier’s key ascending, with what the run changed of each offer as it was before. Of a dry run, what it would change: up to 10,000 new, changed and missing offers each, kept until the supplier’s next dry run.',
  query: {
    per_page: Clamped(1, 1_000, 50, 'Page size'),
    after: AfterSku,
    kind: Type.Optional(
      Type.Unsafe<'created' | 'changed' | 'zeroed' | 'left'>({
        type: 'string',
        enum: ['created', 'changed', 'zeroed', 'left'],
        description: 'Only changes of this kind.',
      }),
    ),
    sku: Comparable('Only keys that begin with it.', 1_000),
    field: Type.Optional(
      Type.Unsafe<ComparedField>({
        type: 'string',
        enum: [...COMPARED_FIELDS],
        description: 'Of a dry run: only offers in which it would be another one.',
      }),
    ),
  },
  answer: { list: ImportChange, meta: listMeta({ after: Type.String() }) },
  returns: 'A page of changed offers.',
  problems: ['unknown-run'],
})

export const GET_IMPORT_REFUSALS = downloadRoute({
  ...one,
  id: 'getImportRefusals',
  path: `${runs}/{id}/refusals`,
  summary: 'Download every refused row',
  description:
    'One row for each fault: line, key of the article, field and reason; also the offers that keep what they had. CSV, or JSON lines.',
  query: {
    format: Type.Optional(
      Type.Unsafe<'csv' | 'ndjson'>({
        type: 'string',
        enum: ['csv', 'ndjson'],
        description: 'Of the answer; without it Accept decides, and CSV is the default.',
      }),
    ),
  },
  returns: 'All rows; empty where none was refused.',
  content: {
    'text/csv': Type.String({ description: 'Columns line, sku, field, reason.' }),
    'application/x-ndjson': Type.String({ description: 'Lines of {"line", "sku", "errors": [{"name", "reason"}]}.' }),
  },
  problems: ['unknown-run', 'unknown-reference'],
})

export const GET_IMPORT_FILE = downloadRoute({
  ...one,
  id: 'getImportFile',
  path: `${runs}/{id}/file`,
  summary: 'Download the file of an import run',
  description: 'The file as it was sent or fetched; it is kept for 7 days.',
  returns: 'The file, byte by byte as it came.',
  content: { 'application/octet-stream': binary('The file.') },
  problems: ['unknown-run', 'unknown-reference'],
})

const changing = { ...one, method: 'post', answer: { data: ImportRun }, statuses: [200] } as const

export const CONFIRM_IMPORT = writeRoute({
  ...changing,
  id: 'confirmImport',
  path: `${runs}/{id}/confirm`,
  summary: 'Confirm a held import run',
  description: 'Imports the file although it exceeds thresholds, unless a newer one has been imported.',
  returns: 'The run, which waits for its turn again.',
  problems: ['unknown-run'],
})

export const CANCEL_IMPORT = writeRoute({
  ...changing,
  id: 'cancelImport',
  path: `${runs}/{id}/cancel`,
  summary: 'Cancel an import run',
  description: 'What is written stays; the rest is not written. A run that has ended stays as it is.',
  returns: 'The run as it is now.',
  problems: ['unknown-run'],
})

const count = (description: string) => Type.Integer({ description })

export const PREVIEW_UNDO = readRoute({
  ...one,
  id: 'previewUndo',
  path: `${runs}/{id}/undo`,
  summary: 'Preview the undoing of an import run',
  description:
    'Which offers it would leave as they are, by the supplier’s key ascending, and why; meta counts the others. One answer looks at up to 10,000 changes of the run: go on with meta.next_after until it is null, and add up.',
  query: {
    per_page: Clamped(1, 1_000, 200, 'Page size'),
    after: AfterSku,
  },
  answer: {
    list: UndoLeft,
    meta: listMeta(
      { after: Type.String() },
      {
        checked: count('Changes of the run that this answer is about.'),
        restored: count('Of these, offers that would get back what they had.'),
        deleted: count('Of these, offers that the run created, which would be deleted.'),
        as_before: count('Of these, offers that have again what they had.'),
        left: count('Of these, offers that would stay as they are: those in data.'),
      },
    ),
  },
  returns: 'Offers that would be left.',
  problems: ['unknown-run', 'conflict'],
})

export const UNDO_IMPORT = writeRoute({
  ...changing,
  id: 'undoImport',
  path: `${runs}/{id}/undo`,
  summary: 'Undo an import run',
  description:
    'Undoes the last full run of a supplier: its offers become what they were before, except those that were changed since. A GET before lists what would be left.',
  query: {
    restore_changed: Type.Boolean({
      default: false,
      description: 'Also give back what offers had that were changed since; those that were deleted since stay so.',
    }),
  },
  returns: 'The run that undoes it; Location is its path.',
  problems: ['unknown-run'],
  statuses: [202],
})

export const REPEAT_IMPORT = writeRoute({
  ...changing,
  id: 'repeatImport',
  path: `${runs}/{id}/repeat`,
  summary: 'Import the file of a run again',
  description:
    'The file that is kept of a run is imported by another one, with another mapping where one is given: after a dry run, it need not be sent again.',
  body: { noun: 'repetition', schema: repeatBody },
  returns: 'The new run, which waits for its turn; Location is its path.',
  problems: ['unknown-run', 'unknown-supplier'],
  statuses: [202],
})

/** Outside /v1 and without a token: editors load it from the `$schema` of a mapping. */
export const MAPPING_SCHEMA = operatorRoute({
  id: 'mappingSchema',
  path: '/mapping.schema.json',
  summary: 'The JSON Schema of mapping files',
})

export const IMPORT_ROUTES = [
  DETECT_FILE,
  PREVIEW_FILE,
  UPLOAD_FILE,
  LIST_IMPORTS,
  GET_IMPORT,
  GET_IMPORT_REFUSALS,
  GET_IMPORT_FILE,
  LIST_IMPORT_CHANGES,
  CONFIRM_IMPORT,
  CANCEL_IMPORT,
  PREVIEW_UNDO,
  UNDO_IMPORT,
  REPEAT_IMPORT,
  MAPPING_SCHEMA,
] as const
