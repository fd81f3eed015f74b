// The kinds of channels for notices, besides e-mail. Imports nothing: the panel makes its form of this table, too.

interface Declared {
  /** A proper name: not translated. */
  title: string
  /** What its URL is, for the API's document. */
  description: string
  /** The placeholder of the field for its URL, while this kind is chosen. */
  placeholder: string
  /** Whether knowing the URL is enough to write there: then it is not shown again. */
  isUrlSecret: boolean
  /** Whether requests are signed, with a secret that is shown once. */
  isSigned: boolean
}

export const NOTICE_CHANNEL_KINDS = {
  slack: {
    title: 'Slack, Mattermost, Discord',
    description: 'an incoming webhook of Slack, or of Mattermost or Discord (with /slack at its end)',
    placeholder: 'https://hooks.slack.com/services/…',
    isUrlSecret: true,
    isSigned: false,
  },
  webhook: {
    title: 'Webhook',
    description: 'signed JSON to a receiver of your own',
    placeholder: 'https://shop.example/notices',
    isUrlSecret: false,
    isSigned: true,
  },
} as const satisfies Readonly<Record<string, Declared>>

export type NoticeChannelKind = keyof typeof NOTICE_CHANNEL_KINDS
