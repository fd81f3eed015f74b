import type { NoticeChannelKind } from '../../../contract/notice-channel-kinds.ts'
import { answerText } from '../../outbound/answer-text.ts'
import type { Exchange, Outbound } from '../../outbound/client.ts'
import { retryAfterMs } from '../../outbound/retry-after.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { NoticeMessage } from '../message.ts'
import type { Channel, ChannelSettings, Verdict } from './channel.ts'
import { CHANNELS } from './channels.ts'

/** The result of sending a message once. */
export interface Sent {
  verdict: Verdict
  /** Status of the answer; null: no answer. */
  status: number | null
  /** Beginning of the answer, or the reason why there was none, on one line. */
  detail: string
  /** Retry-After of the answer in ms; null: it has none. */
  waitMs: number | null
}

/** Sends a message once, by the rules for all outgoing requests. Never throws. */
export async function sendOne(
  outbound: Pick<Outbound, 'send'>,
  kind: NoticeChannelKind,
  settings: ChannelSettings,
  message: NoticeMessage,
  options: { at: Date; key: string; signal?: AbortSignal },
): Promise<Sent> {
  const channel = CHANNELS[kind]
  const exchange = await outbound.send({
    method: 'POST',
    url: settings.url,
    ...channel.request(message, settings, options.at),
    connectTimeoutMs: LIMITS.noticeConnectTimeoutMs,
    totalTimeoutMs: LIMITS.noticeTotalTimeoutMs,
    readBytesMax: LIMITS.noticeAnswerReadBytesMax,
    key: options.key,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  return judged(exchange, channel, options.at)
}

/** The verdict for a status. A redirect is not followed, and another try would be redirected, too. */
export function verdictOf(channel: Channel, status: number): Verdict {
  if (status >= 200 && status <= 299) return 'sent'
  return (status >= 300 && status <= 399) || channel.refusals.includes(status) ? 'refused' : 'again'
}

function judged(exchange: Exchange, channel: Channel, at: Date): Sent {
  if (exchange.kind === 'failed') return { verdict: 'again', status: null, detail: exchange.detail, waitMs: null }
  const { status, body, retryAfter } = exchange
  return {
    verdict: verdictOf(channel, status),
    status,
    detail: answerText(new TextDecoder().decode(body), LIMITS.noticeErrorLengthMax),
    waitMs: retryAfterMs(status, retryAfter, at, LIMITS.webhookRetryAfterMs),
  }
}

/** The reason of a failure, for owners. */
export const failureOf = ({ status, detail }: Pick<Sent, 'status' | 'detail'>): string =>
  status === null ? detail : `status ${status}${detail === '' ? '' : `: ${detail}`}`
