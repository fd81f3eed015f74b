import type { NoticeMessage } from '../message.ts'

/** The settings that a channel is sent with; they are stored sealed. */
export interface ChannelSettings {
  url: string
  /** The key that signs requests, if the channel's kind is signed (contract/notice-channel-kinds.ts). */
  secret: string | null
}

/** `again`: will be tried again. `refused`: another try would not help, so it is given up. */
export type Verdict = 'sent' | 'again' | 'refused'

/** How notices are sent through one kind of channel: as a POST to its URL. Pure. */
export interface Channel {
  request(
    message: NoticeMessage,
    settings: ChannelSettings,
    at: Date,
  ): { headers: Record<string, string>; body: string }
  /** Statuses after which another try would not help. Other statuses from 400 on are tried again. */
  refusals: readonly number[]
}
