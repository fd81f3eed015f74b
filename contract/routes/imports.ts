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
    description: `Name of a ready mapping: one of ${READY_MAPPING_NAMES.join(', ')}. To use a mapping of your own, send a form with the part \`mapping\`.`,
    'x-also': ['preset'],
  }),
)
const Source = Type.Optional(
  Type.String({ maxLength: 100, description: 'Name of a source of the supplier whose mapping and mode are used.' }),
)
const ImageBaseUrl = Type.Optional(
  Type.String({ maxLength: 2_048, description: 'Base URL of relative image paths, together with a ready mapping.' }),
)
const Locale = Type.Optional(
  Type.String({ maxLength: 100, description: 'Locale of titles and descriptions, together with a ready mapping.' }),
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
      file: binary('The file; it must be the last part.'),
    },
    { additionalProperties: false },
  )
/** The same as LIMITS.importFileBytesMax. */
const FILE_BYTES_MAX = 4_294_967_296
const upload = (withMapping: boolean) => ({
  bytesMax: FILE_BYTES_MAX,
  isStreamed: true as const,
  content: {
    '*/*': binary('The file itself, of any media type: the format is detected from the content.'),
    'multipart/form-data': form(withMapping),
  },
})

export const DETECT_FILE = fileRoute({
  id: 'detectFile',
  path: `${ofSupplier}/detect`,
  tag: 'imports',
  summary: 'Propose a mapping for a file',
  description:
    'Examines the first rows and proposes a mapping, with a reason for each of its members. The first 8 MB of a large file are enough. Nothing is stored.',
  params: { code },
  upload: upload(false),
  answer: DetectedFile,
  returns: 'The proposed mapping.',
  problems: ['unknown-supplier', 'source-unreadable'],
})

export const PREVIEW_FILE = fileRoute({
  id: 'previewFile',
  path: `${ofSupplier}/preview`,
  tag: 'imports',
  summary: 'Preview offers of a file',
  description:
    'Reads the first rows exactly as an import does, and shows the resulting offers. To use a mapping of your own, send a form with `mapping` as its first part. Nothing is stored.',
  params: { code },
  query: {
    ...MAPPED,
    rows: Clamped(1, 100, 10, 'Number of rows to show'),
  },
  conflicts: mappedOnce,
  upload: upload(true),
  answer: PreviewedFile,
  returns: 'The first rows with their offers.',
  problems: ['unknown-supplier', 'unknown-reference', 'source-unreadable'],
})

export const UPLOAD_FILE = writeRoute({
  id: 'uploadFile',
  method: 'post',
  path: ofSupplier,
  tag: 'imports',
  summary: 'Import a supplier’s file',
  description:
    'Send the file itself as the body, in any supported format and with any media type, also compressed with gzip or zip; or send a form with the parts `mapping` (JSON) and `file`, in this order. The mapping is a ready one, that of a source, or the one in the form. When the whole file has arrived, a run is created that imports it: read the run until it has ended. If the upload is interrupted, nothing is stored. Files have at most 4 GiB, and an account can upload 4 at the same time.',
  params: { code },
  query: {
    ...MAPPED,
    mode: Type.Optional(
      Type.Unsafe<'full' | 'delta'>({
        type: 'string',
        enum: ['full', 'delta'],
        description:
          'full (default): offers that are missing from the file get quantity 0; delta: they stay as they are.',
      }),
    ),
    dry_run: Type.Boolean({ default: false, description: 'Whether to check and count only, and write nothing.' }),
    confirm: Type.Boolean({
      default: false,
      description: 'Whether to import the file although it exceeds thresholds.',
    }),
    file_name: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'Name under which the run shows the file; by default, in a form, the file name of its part.',
        'x-also': ['filename', 'name'],
      }),
    ),
  },
  conflicts: mappedOnce,
  upload: upload(true),
  answer: { data: ImportRun },
  returns: 'The run, which is queued; the header Location has its path.',
  problems: ['unknown-supplier', 'unknown-reference'],
  statuses: [202],
})

export const LIST_IMPORTS = readRoute({
  id: 'listImports',
  path: runs,
  tag: 'imports',
  summary: 'List import runs',
  description: 'Import runs, the newest first; runs are kept for 30 days after they have ended.',
  query: {
    per_page: PerPage,
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        format: 'int64',
        description: 'Value of meta.next_before of the previous page; by default the first page.',
      }),
    ),
    supplier: Comparable('Only runs of the supplier with this code.'),
    source: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only runs of the source with this name; requires supplier.' }),
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
  description: 'State, progress and counts of the run, and refused rows by field and reason.',
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
    'Offers that the run changed, by key ascending, with the previous values of what changed. For a dry run, what it would change: up to 10,000 each of new, changed and missing offers, kept until the supplier’s next dry run.',
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
    sku: Comparable('Only offers whose key begins with this text.', 1_000),
    field: Type.Optional(
      Type.Unsafe<ComparedField>({
        type: 'string',
        enum: [...COMPARED_FIELDS],
        description: 'For a dry run: only offers of which this field would change.',
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
    'Every refused row, one line per fault: line number, key of the article, field and reason. Offers that keep their old values because of such rows are included. As CSV or JSON lines.',
  query: {
    format: Type.Optional(
      Type.Unsafe<'csv' | 'ndjson'>({
        type: 'string',
        enum: ['csv', 'ndjson'],
        description: 'Format of the answer; by default the one that the header Accept names, else CSV.',
      }),
    ),
  },
  returns: 'All refused rows; empty if there are none.',
  content: {
    'text/csv': Type.String({ description: 'CSV with the columns line, sku, field, reason.' }),
    'application/x-ndjson': Type.String({ description: 'Lines of {"line", "sku", "errors": [{"name", "reason"}]}.' }),
  },
  problems: ['unknown-run', 'unknown-reference'],
})

export const GET_IMPORT_FILE = downloadRoute({
  ...one,
  id: 'getImportFile',
  path: `${runs}/{id}/file`,
  summary: 'Download the file of an import run',
  description: 'The file as it was sent or fetched. Files are kept for 7 days.',
  returns: 'The file, unchanged.',
  content: { 'application/octet-stream': binary('The file.') },
  problems: ['unknown-run', 'unknown-reference'],
})

const changing = { ...one, method: 'post', answer: { data: ImportRun }, statuses: [200] } as const

export const CONFIRM_IMPORT = writeRoute({
  ...changing,
  id: 'confirmImport',
  path: `${runs}/{id}/confirm`,
  summary: 'Confirm a held import run',
  description: 'Imports the file although it exceeds thresholds, unless a newer file has been imported.',
  returns: 'The run, which is queued again.',
  problems: ['unknown-run'],
})

export const CANCEL_IMPORT = writeRoute({
  ...changing,
  id: 'cancelImport',
  path: `${runs}/{id}/cancel`,
  summary: 'Cancel an import run',
  description: 'Rows that are already written stay; the others are not written. A run that has ended is not changed.',
  returns: 'The run as it is now.',
  problems: ['unknown-run'],
})

const count = (description: string) => Type.Integer({ description })

export const PREVIEW_UNDO = readRoute({
  ...one,
  id: 'previewUndo',
  path: `${runs}/{id}/undo`,
  summary: 'Preview undoing an import run',
  description:
    'Offers that undoing the run would leave as they are, with the reason, by key ascending; meta has the numbers of the others. One answer covers up to 10,000 changes of the run: continue with meta.next_after until it is null, and add up the numbers.',
  query: {
    per_page: Clamped(1, 1_000, 200, 'Page size'),
    after: AfterSku,
  },
  answer: {
    list: UndoLeft,
    meta: listMeta(
      { after: Type.String() },
      {
        checked: count('Number of changes of the run that this answer covers.'),
        restored: count('Number of offers, of those checked, that would get their previous values back.'),
        deleted: count('Number of offers, of those checked, that the run created and that would be deleted.'),
        as_before: count('Number of offers, of those checked, that already have their previous values again.'),
        left: count('Number of offers, of those checked, that would stay as they are: those in data.'),
      },
    ),
  },
  returns: 'A page of offers that would stay as they are.',
  problems: ['unknown-run', 'conflict'],
})

export const UNDO_IMPORT = writeRoute({
  ...changing,
  id: 'undoImport',
  path: `${runs}/{id}/undo`,
  summary: 'Undo an import run',
  description:
    'Undoes the last full run of a supplier: its offers get their previous values back, except offers that were changed since. Use GET first to list those.',
  query: {
    restore_changed: Type.Boolean({
      default: false,
      description:
        'Whether to restore also offers that were changed since the run. Offers that were deleted since stay deleted.',
    }),
  },
  returns: 'The new run, which undoes this one; the header Location has its path.',
  problems: ['unknown-run'],
  statuses: [202],
})

export const REPEAT_IMPORT = writeRoute({
  ...changing,
  id: 'repeatImport',
  path: `${runs}/{id}/repeat`,
  summary: 'Import the file of a run again',
  description:
    'Imports the stored file of a run in a new run, with another mapping if the body has one. So a file need not be sent again after a dry run.',
  body: { noun: 'repetition', schema: repeatBody },
  returns: 'The new run, which is queued; the header Location has its path.',
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
