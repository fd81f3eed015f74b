import type { Command } from 'commander'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { noticesList, type NoticeRow } from '../../notices/notices.sql.ts'
import { addressShown, isAbout } from '../../notices/notice-text.ts'
import { withAccountOptions } from './accounts.ts'
import { withRuntime } from '../console/run.ts'
import { wholeNumber, type Common } from '../console/write.ts'

export function noticesCommand(program: Command): void {
  withAccountOptions(
    program
      .command('notices')
      .description(
        'list notices to owners about their endpoints, pictures and sources, newest first, and whether they were mailed',
      ),
  )
    .option('--limit <number>', 'maximum number of notices', (text) => wholeNumber('--limit', text), 20)
    .option('--before <notice>', 'only notices older than this one', (text) => wholeNumber('--before', text))
    .action((options: Common & { limit: number; before?: number }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, before } = options
        const limit = Math.min(Math.max(1, options.limit), LIMITS.noticesPageMax)
        const notices = await noticesList(runtime.db, account, { before, limit })
        printer.result({ notices }, notices.length === 0 ? 'no notices' : notices.map(described).join('\n'))
      }),
    )
}

function described(row: NoticeRow): string {
  return [
    row.noticeId,
    formatTimestamp(row.createdAt),
    subjectOf(row),
    row.kind,
    row.endpointId !== null ? addressShown(row.facts.url) : isAbout('source', row) ? (row.facts.failure ?? '-') : '-',
    mailed(row),
  ].join('\t')
}

function subjectOf(row: NoticeRow): string {
  if (row.endpointId !== null) return `endpoint ${row.endpointId}`
  if (isAbout('rates', row)) return 'exchange rates'
  return isAbout('source', row) ? `source ${row.facts.supplier}/${row.facts.source}` : 'pictures'
}

function mailed({ mail, mailError, mailNextAt, mailTries }: NoticeRow): string {
  const why = mailError === null ? '' : `: ${mailError}`
  if (mail === 'sent') return mailError === null ? 'mailed' : `mailed in part${why}`
  if (mail === 'kept') return `not mailed${why}`
  return mailTries === 0 || mailNextAt === null
    ? 'to be mailed'
    : `to be mailed again ${formatTimestamp(mailNextAt)}${why}`
}
