import { forEachField, NAME_FIELDS } from '../../../../contract/product-fields.ts'
import { remarksMembers } from '../../../../contract/remarks/remarks.ts'
import { DETECT_FILE, PREVIEW_FILE } from '../../../../contract/routes/imports.ts'
import { mappingsInUse } from '../../../imports/sources/known-mappings.sql.ts'
import type { OfferRecord } from '../../../model/offer.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import type { PreviewedRow } from '../../../supplier-files/preview.ts'
import { handle } from '../../handle.ts'
import { leaving } from '../../leaving.ts'
import type { Handlers } from '../../context.ts'
import type { SentFiles } from '../../writing/sent-file.ts'
import { mappingOf, mappingOfQuery } from './import-mapping.ts'
import { LEFT_OUT_KINDS } from './import-members.ts'
import { supplierOf } from '../supplier-of.ts'

/** Detects the format of a file and previews its import; nothing of the file is kept. */
export const importPreviewHandlers =
  (files: SentFiles): Handlers =>
  (app, context) => {
    handle(app, DETECT_FILE, async ({ params, caller, request, reply }) => {
      const { supplierId } = await supplierOf(context.db, caller.accountId, params.code)
      const known = (await mappingsInUse(context.db, caller.accountId, supplierId)).map(({ mapping, ...whose }) => ({
        ...whose,
        mapping: JSON.parse(mapping) as unknown,
      }))
      return files.receive(request, reply, async ({ bytes, mapping }) => {
        if (mapping !== undefined)
          throw new ShelfwireError('invalid-input', 'a mapping is what is to be found; send the file alone', {
            faults: [{ name: 'mapping', reason: 'is not a known part' }],
          })
        const warnings: string[] = []
        const { form, ...proposal } = await context.sources.readers.detect(bytes, {
          accountId: caller.accountId,
          signal: leaving(reply),
          warn: (warning) => void warnings.push(warning),
          known,
        })
        const { headerLine, ...written } = form
        const remarks = remarksMembers(warnings)
        return { data: { ...proposal, warnings, remarks, form: { ...written, header_line: headerLine } } }
      })
    })
    handle(app, PREVIEW_FILE, async ({ params, query, caller, request, reply }) => {
      const supplier = await supplierOf(context.db, caller.accountId, params.code)
      const ofQuery = await mappingOfQuery(context.db, caller.accountId, supplier, query)
      return files.receive(request, reply, async (file) => {
        const { mapping } = mappingOf(ofQuery, file)
        const warnings: string[] = []
        const rows = await context.sources.readers.preview(file.bytes, mapping, query.rows, {
          accountId: caller.accountId,
          signal: leaving(reply),
          warn: (warning) => void warnings.push(warning),
        })
        return { data: { rows: withinLimit(rows.map(previewed)), warnings, remarks: remarksMembers(warnings) } }
      })
    })
  }

/** The first rows, as many as fit into an answer and at least one. */
function withinLimit<T>(rows: readonly T[]): T[] {
  let characters = 0
  return rows.filter((row, i) => {
    characters += JSON.stringify(row).length
    return i === 0 || characters <= LIMITS.importPreviewCharactersMax
  })
}

function previewed({ row, read }: PreviewedRow) {
  return {
    line: read.line,
    row,
    offer: 'offer' in read ? offerMembers(read.offer) : null,
    errors: 'faults' in read ? read.faults.map(({ name, reason }) => ({ name, reason })) : [],
    dropped: 'offer' in read ? (read.dropped ?? []).map(({ name, reason }) => ({ name, reason })) : [],
    is_left_out: 'skipped' in read,
    condition: 'skipped' in read ? read.condition : null,
    left_out_kind:
      'skipped' in read ? LEFT_OUT_KINDS[read.condition === null ? (read.remark ?? 'part') : 'left-out'] : null,
  }
}

/** An offer of a file with the members of the API; those that the file does not have are absent. */
function offerMembers(offer: OfferRecord) {
  return {
    sku: offer.sku,
    eans: offer.eans,
    cost: offer.cost,
    cost_tiers: offer.costTiers,
    currency: offer.currency,
    quantity: offer.quantity,
    texts: offer.texts,
    ...forEachField(NAME_FIELDS, (field) => offer[field]),
    attributes: offer.attributes,
    images: offer.images,
  }
}
