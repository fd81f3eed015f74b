import type { NoticeChannelKind } from '../../../contract/notice-channel-kinds.ts'
import type { Channel } from './channel.ts'
import { SLACK } from './slack/slack.ts'
import { WEBHOOK } from './webhook/webhook.ts'

/** Every kind of channel that an account can set. E-mail (mail/) needs no setting. */
export const CHANNELS: Readonly<Record<NoticeChannelKind, Channel>> = { slack: SLACK, webhook: WEBHOOK }
