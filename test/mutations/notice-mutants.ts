import type { Mutant } from './mutant.ts'

const DELIVERIES = 'src/notices/deliveries.sql.ts'
const NOTICES = 'src/notices/notices.sql.ts'
const TRIM = 'test/notices/trim.pg.test.ts'

/** Protections of notices to owners, and of what they read. */
export const NOTICE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-notice-is-sent-without-a-lease',
    edits: [
      {
        file: DELIVERIES,
        from: 'next_at = statement_timestamp() + make_interval(secs => ${LIMITS.noticeLeaseMs / 1_000})',
        to: 'next_at = statement_timestamp() + make_interval(secs => ${LIMITS.noticeLeaseMs * 0})',
      },
    ],
    file: 'test/notices/channels.full.pg.test.ts',
    test: 'two loops that race for 30 notices of three accounts send each once',
  },
  {
    name: 'one-account-keeps-all-notices',
    edits: [
      {
        file: 'src/notices/spread.ts',
        from: 'if (stopping?.aborted === true) return\n',
        to: 'if (stopping?.aborted === true) return\n    await inTransaction(db, (tx) => noticesSpread(tx, accountId))\n',
      },
    ],
    file: 'test/notices/spread.pg.test.ts',
    test: 'the notices of other accounts do not wait for those of one that fail',
  },
  {
    name: 'a-mail-is-taken-from-who-sends-it',
    edits: [
      {
        file: DELIVERIES,
        from: 'coalesce(mail_next_at <= now(), false) as "isMailed"',
        to: '(mail_next_at is not null) as "isMailed"',
      },
    ],
    file: 'test/notices/mail.full.pg.test.ts',
    test: 'a mail that it is sending is left to it until its lease ends, and none is sent twice',
  },
  {
    name: 'a-secret-address-is-shown',
    edits: [
      {
        file: 'src/notices/notice-channels.ts',
        from: '  if (NOTICE_CHANNEL_KINDS[kind].isUrlSecret) return `${new URL(url).origin}/…`\n',
        to: '',
      },
    ],
    file: 'test/notices/channels.pg.test.ts',
    test: 'a notice reaches Slack as escaped text and blocks, with a link to the panel',
  },
  {
    name: 'a-paused-channel-is-sent-to',
    edits: [
      {
        file: 'src/notices/notice-channels.ts',
        from: "  if (changes.isPaused === true && !current.isPaused)\n    await noticeChannelKeep(tx, accountId, channelId, 'the channel was paused')\n",
        to: '',
      },
    ],
    file: 'test/notices/channels.pg.test.ts',
    test: 'a channel that is paused or deleted, or that does not want the kind, gets nothing; what waited is given up',
  },
  {
    name: 'an-alert-is-in-the-language-of-whoever-comes-first',
    edits: [
      {
        file: 'src/people/mails/alerts.ts',
        from: 'Map.groupBy(recipients.values(), ({ language }) => language)',
        to: "Map.groupBy(recipients.values(), () => [...recipients.values()][0]?.language ?? 'en')",
      },
    ],
    file: 'test/panel/mail-languages.full.pg.test.ts',
    test: 'goes to each owner in the language of the account, in English to who owns accounts in several, and to nobody twice',
  },
  {
    name: 'notices-about-no-endpoint-are-kept-forever',
    edits: [
      {
        file: NOTICES,
        from: "n.account_id = ${accountId} and n.is_spread and n.mail <> 'waiting'\n",
        to: "n.account_id = ${accountId} and n.endpoint_id is not null and n.is_spread and n.mail <> 'waiting'\n",
      },
    ],
    file: TRIM,
    test: 'notices of an account without endpoints are deleted after 90 days, like those about an endpoint',
  },
  {
    name: 'a-notice-that-new-ones-are-compared-with-is-deleted',
    edits: [
      {
        file: NOTICES,
        from: 'NOTICE_KINDS.filter((kind) => NOTICES[kind].fold !== null)',
        to: 'NOTICE_KINDS.filter((kind) => NOTICES[kind] === undefined)',
      },
    ],
    file: TRIM,
    test: 'the newest notice of a kind whose repeats are left out stays, so that none is repeated',
  },
  {
    name: 'a-notice-is-deleted-before-it-is-sent',
    edits: [{ file: NOTICES, from: 'and d.next_at is not null)', to: 'and d.next_at is null and false)' }],
    file: TRIM,
    test: 'a notice that is still to be sent stays, however old it is',
  },
  {
    name: 'an-edited-channel-is-read-without-a-lock',
    edits: [
      {
        file: 'src/notices/notice-channels.ts',
        from: 'required(await noticeChannelLock(tx, accountId, channelId), accountId, channelId)',
        to: 'await found(tx, accountId, channelId)',
      },
    ],
    file: 'test/notices/edit-beside-rekey.pg.test.ts',
    test: 'an edit that waits for rekey writes back what rekey has sealed',
  },
]
