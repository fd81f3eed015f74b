import type { NoticeChannelKind } from '../../../contract/notice-channel-kinds.ts'
import type { Channel } from './channel.ts'
import { SLACK } from './slack/slack.ts'
import { WEBHOOK } from './webhook/webhook.ts'

/** Every kind of channel of an account's own; e-mail (mail/) is there without being set. */
export const CHANNELS: Readonly<Record<NoticeChannelKind, Channel>> = { slack: SLACK, webhook: WEBHOOK }
