// The kinds of notice channels besides e-mail. The panel builds its form from this table at run time, so it imports
// nothing.

interface Declared {
  /** A proper name, which is not translated. */
  title: string
  /** What the URL of the channel is, for the API's document. */
  description: string
  /** The placeholder of the URL field in the panel. */
  placeholder: string
  /** Whether anybody who knows the URL can post there. Such a URL is not shown again. */
  isUrlSecret: boolean
  /** Whether requests are signed, with a secret that is shown once, at creation. */
  isSigned: boolean
}

export const NOTICE_CHANNEL_KINDS = {
  slack: {
    title: 'Slack, Mattermost, Discord',
    description: 'an incoming webhook of Slack, Mattermost or Discord (for Discord, a URL that ends in /slack)',
    placeholder: 'https://hooks.slack.com/services/…',
    isUrlSecret: true,
    isSigned: false,
  },
  webhook: {
    title: 'Webhook',
    description: 'signed JSON, sent to a receiver of your own',
    placeholder: 'https://shop.example/notices',
    isUrlSecret: false,
    isSigned: true,
  },
} as const satisfies Readonly<Record<string, Declared>>

export type NoticeChannelKind = keyof typeof NOTICE_CHANNEL_KINDS
