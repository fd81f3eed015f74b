import {
  LIST_PRICE_LIST_ENTRIES,
  PATCH_PRICE_LIST_ENTRIES,
  PUT_PRICE_LIST_FILE,
} from '../../../../contract/routes/price-lists.ts'
import {
  entriesCount,
  entriesPage,
  type ListedProduct,
} from '../../../catalog/products/prices/price-list-entries.sql.ts'
import { noList } from '../../../catalog/settings/prices/price-lists.ts'
import { priceListsList } from '../../../catalog/settings/prices/price-lists.sql.ts'
import type { Written } from '../../../catalog/stale/written.ts'
import { readPriceFile } from '../../../operations/price-list/file.ts'
import { readEntryRows } from '../../../operations/price-list/rows.ts'
import { writePriceList, type EntriesWritten } from '../../../operations/price-list/write.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { compiledAccounts } from '../../../shelf/inputs/compiled-inputs.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite, waitFor, type Outcome } from '../../writing/answer-write.ts'
import { addBodyReader, requireUtf8 } from '../../writing/body.ts'
import { requireMatch } from '../../writing/preconditions.ts'
import { answerData } from '../answer-read.ts'
import { toMembersDeep } from '../member-names.ts'

/** /v1/account/price-lists/{key}/entries, and /file, which writes the entries of a file and, unless `keep` is given, removes all others. */
export const priceListHandlers: Handlers = (app, context) => {
  const accounts = compiledAccounts(context.db)
  /** Counts the rows towards the rate limit. The request itself has counted as the first. */
  const counted = <R extends { rows: readonly unknown[] }>(accountId: number, read: R): R => {
    if (read.rows.length > 1) context.rates.takeRows(accountId, read.rows.length - 1)
    return read
  }
  handle(app, LIST_PRICE_LIST_ENTRIES, async (call) => {
    const { accountId } = call.caller
    const { key } = call.params
    const { per_page: perPage, after = '0.0' } = call.query
    if (!(await priceListsList(context.db, accountId)).some((list) => list.key === key)) throw noList(key)
    const [productId = 0, groupId = 0] = after.split('.').map(Number)
    const [rows, total] = await Promise.all([
      entriesPage(context.db, accountId, key, { productId, groupId }, perPage + 1),
      entriesCount(context.db, accountId, key),
    ])
    const page = rows.slice(0, perPage)
    const last = rows.length > perPage ? page.at(-1) : undefined
    return answerData(call, page.map(entryMembers), {
      per_page: perPage,
      total,
      next_after: last === undefined ? null : `${last.productId}.${last.groupId}`,
    })
  })
  handle(app, PATCH_PRICE_LIST_ENTRIES, ({ params, query, body, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      // entries have no ETag, because a list has hundreds of thousands of them
      requireMatch(request, null)
      return outcomeOf(
        query.dry_run,
        await writePriceList(
          tx,
          accounts,
          accountId,
          params.key,
          async ({ currency }) => counted(accountId, await readEntryRows(body.entries, currency)),
          { isWhole: false, isDryRun: query.dry_run, isConfirmed: query.confirm },
        ),
      )
    }),
  )
  void app.register((files, _options, done) => {
    files.decorateRequest('sentFile', null)
    files.removeAllContentTypeParsers()
    addBodyReader(files, /^/, () => {
      throw new ShelfwireError('unsupported-media-type', 'send the file itself, with the type text/csv')
    })
    addBodyReader(files, /^(?:text\/csv|text\/plain|application\/octet-stream)(?:;|$)/i, (request, bytes) => {
      requireUtf8(request)
      request.sentFile = bytes
    })
    handle(files, PUT_PRICE_LIST_FILE, ({ params, query, request, reply }) => {
      const bytes = request.sentFile ?? Buffer.alloc(0)
      return answerWrite(context, request, reply, async (tx, accountId) => {
        requireMatch(request, null)
        return outcomeOf(
          query.dry_run,
          await writePriceList(
            tx,
            accounts,
            accountId,
            params.key,
            async ({ currency }, groups) =>
              counted(accountId, await readPriceFile(bytes, currency, groups, query.decimal)),
            { isWhole: !query.keep, isDryRun: query.dry_run, isConfirmed: query.confirm },
          ),
        )
      })
    })
    done()
  })
}

const entryMembers = ({ productId, sku, groupId, amount }: ListedProduct) => ({
  product_id: productId,
  sku,
  group_id: groupId === 0 ? null : groupId,
  price: amount,
})

function outcomeOf(isDryRun: boolean, written: Written<EntriesWritten>): Outcome {
  const { preview, ...counts } = written.value
  return {
    ...waitFor(written),
    status: 200,
    isDryRun,
    data: { ...counts, dry_run: isDryRun, preview: toMembersDeep(preview) },
  }
}
