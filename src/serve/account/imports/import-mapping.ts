import type { QueryOf } from '../../../../contract/route.ts'
import type { PREVIEW_FILE } from '../../../../contract/routes/imports.ts'
import type { SupplierRow } from '../../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Reader } from '../../../db/sql.ts'
import { sourceNamed, sourceNamesOf } from '../../../imports/sources/sources.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import type { SentFile } from '../../writing/sent-form.ts'
import { readMappingDocument } from '../../../supplier-files/mapping-document.ts'
import type { Mapping } from '../../../supplier-files/mapping/mapping.ts'
import { PRESETS } from '../../../supplier-files/presets/presets.ts'

/** A mapping: the document as it was given, and its parsed form. */
export interface GivenMapping {
  document: unknown
  mapping: Mapping
}

/** The mapping that the query of a request names, looked up before the file is received. */
export interface OfQuery {
  /** Undefined where the query names none: the form must have one. */
  given: GivenMapping | undefined
  /** The mode of the named source; undefined where none is named. */
  mode: 'full' | 'delta' | undefined
}

type MappingQuery = Pick<QueryOf<typeof PREVIEW_FILE>, 'source' | 'mapping' | 'image_base_url' | 'locale'>

/**
 * The mapping that the query names: a preset, or that of a source.
 * @throws ShelfwireError invalid-parameters for a mapping that is unknown or lacks settings; unknown-reference for an unknown source
 */
export async function mappingOfQuery(
  reader: Reader,
  accountId: number,
  { supplierId, code }: Pick<SupplierRow, 'supplierId' | 'code'>,
  query: MappingQuery,
): Promise<OfQuery> {
  if (query.source === undefined) return { given: presetOfQuery(query), mode: undefined }
  const source = await sourceNamed(reader, accountId, supplierId, query.source)
  if (source === undefined) {
    const known = (await sourceNamesOf(reader, accountId, supplierId)).map(({ name }) => name).join(', ')
    throw new ShelfwireError(
      'unknown-reference',
      `supplier ${code} has no source "${query.source}"; its sources: ${known === '' ? 'none' : known}`,
    )
  }
  const { mapping: document, mode } = source
  return { given: { document, mapping: readMappingDocument(document, 'stored') }, mode }
}

function presetOfQuery(query: MappingQuery): GivenMapping | undefined {
  const { mapping: preset, image_base_url: imageBaseUrl, locale } = query
  if (preset === undefined) return undefined
  if (!Object.hasOwn(PRESETS, preset))
    throw invalid('mapping', `must be one of ${Object.keys(PRESETS).join(', ')}; one of your own is a part of a form`)
  const document = {
    preset,
    ...(imageBaseUrl === undefined ? {} : { imageBaseUrl }),
    ...(locale === undefined ? {} : { locale }),
  }
  try {
    return { document, mapping: readMappingDocument(document) }
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    const [{ name, reason } = { name: 'mapping', reason: error.message }] = error.faults
    throw invalid(name === 'imageBaseUrl' ? 'image_base_url' : name, reason)
  }
}

/**
 * The mapping of a file, from the query or from the form.
 * @throws ShelfwireError invalid-input where neither or both have one, and for a mapping that is not valid
 */
export function mappingOf({ given: ofQuery }: OfQuery, { mapping: sent, isForm }: SentFile): GivenMapping {
  if (ofQuery !== undefined && sent !== undefined)
    throw refused('is given twice: by a parameter and as a part of the form')
  if (ofQuery !== undefined) return ofQuery
  if (sent === undefined && isForm)
    throw refused('must be a part of the form before the part file, or be named by the parameter mapping or source')
  if (sent === undefined)
    throw refused(
      `is required: name a source by the parameter source or a ready mapping by the parameter mapping (${Object.keys(PRESETS).join(', ')}), or send a form with your own as the part mapping before the part file`,
    )
  return { document: sent, mapping: readMappingDocument(sent) }
}

const invalid = (name: string, reason: string) =>
  new ShelfwireError('invalid-parameters', `${name} ${reason}`, { faults: [{ name, reason }] })

const refused = (reason: string) =>
  new ShelfwireError('invalid-input', `the mapping ${reason}`, { faults: [{ name: 'mapping', reason }] })
