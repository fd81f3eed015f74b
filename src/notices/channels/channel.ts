import type { NoticeMessage } from '../message.ts'

/** What a channel is sent with; sealed where it is stored. */
export interface ChannelSettings {
  url: string
  /** What requests are signed with, where the channel's kind is signed (contract/notice-channel-kinds.ts). */
  secret: string | null
}

/** `again`: it is tried again later. `refused`: trying it again would not help, and it is given up. */
export type Verdict = 'sent' | 'again' | 'refused'

/** How notices go through one kind of channel: as a POST to its URL. Pure. */
export interface Channel {
  request(
    message: NoticeMessage,
    settings: ChannelSettings,
    at: Date,
  ): { headers: Record<string, string>; body: string }
  /** Statuses after which trying again would not help; the others beyond 2xx and 3xx are tried again. */
  refusals: readonly number[]
}
