import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { NOTICE_CHANNEL_KINDS, type NoticeChannelKind } from './notice-channel-kinds.ts'
import { NOTICE_KINDS } from './notice-kinds.ts'
import { OneOf } from './one-of.ts'
import { described, Flag, GivenId, must, NameOf, Null, orNull, Text } from './values.ts'

// Notice channels: where notices to an account's owners are sent besides e-mail.

const KINDS = Object.keys(NOTICE_CHANNEL_KINDS) as [NoticeChannelKind, ...NoticeChannelKind[]]
const kindsWhose = (trait: 'isUrlSecret' | 'isSigned') =>
  KINDS.filter((kind) => NOTICE_CHANNEL_KINDS[kind][trait]).join(' and ')
const Time = (description: string) => orNull(Type.String({ format: 'date-time', description }), 'must be a string')

export const NOTICE_CHANNELS = {
  path: 'notice-channels',
  noun: 'notice channel',
  key: { name: 'id', isText: false, description: 'ID of the notice channel.' },
  fields: {
    name: NameOf('notice channel'),
    kind: OneOf(KINDS, {
      description: `Kind of the channel. ${KINDS.map((kind) => `${kind}: ${NOTICE_CHANNEL_KINDS[kind].description}`).join('; ')}. Never changes.`,
      ...must(`must be one of ${KINDS.join(', ')}`),
    }),
    url: Type.String({
      description: `URL to which notices are sent by POST. Stored encrypted. Answers show it without its query, or without its path if it is a secret (${kindsWhose('isUrlSecret')}); sending the shown URL back keeps the stored one.`,
    }),
    notice_kinds: Type.Union([Type.Array(OneOf(NOTICE_KINDS, {}), { minItems: 1 }), Null], {
      description: 'Kinds of notices that are sent; null: all, including kinds that later releases add.',
      ...must(`must be a list of ${NOTICE_KINDS.join(', ')}, or null for all`),
    }),
    is_paused: Type.Boolean({
      description: 'Whether the channel is paused: nothing is sent meanwhile, nor made up for later.',
    }),
  },
  secrets: ['url'],
  required: ['name', 'kind', 'url'],
  fixed: ['kind'],
  given: { id: GivenId('notice channel') },
  state: {
    status: Type.Object(
      {
        waiting: Type.Integer({ minimum: 0, description: 'Number of notices that are still to be sent.' }),
        next_attempt_at: Time('When the next attempt to send a waiting notice is made; null if none is waiting.'),
        last_sent_at: Time('When a notice was last accepted by the receiver; null if none was.'),
        failed_at: Time('When the last attempt failed; null if it did not fail.'),
        failure: Type.Union([Text, Null], { description: 'Why the last attempt failed; null if it did not fail.' }),
      },
      { description: 'State of the channel.' },
    ),
  },
  schema: 'NoticeChannelResource',
  once: {
    secret: Type.Optional(
      Type.String({
        description: `Secret with which requests to a ${kindsWhose('isSigned')} channel are signed. Shown once; absent if the answer is repeated under an Idempotency-Key.`,
      }),
    ),
  },
  deletion: 'Nothing more is sent to the channel; waiting notices are discarded.',
} as const satisfies AccountResource

/** The answer of a receiver to a test notice. */
export const NoticeChannelTest = Type.Object(
  {
    is_ok: described(Flag, 'Whether the receiver accepted the notice.'),
    status: Type.Union([Type.Integer(), Null], {
      description: 'HTTP status of the receiver’s answer; null if there was no answer.',
    }),
    detail: Type.String({ description: 'Beginning of the receiver’s answer, or why there was none.' }),
  },
  { $id: 'NoticeChannelTest', description: 'Answer of a notice channel’s receiver to a test notice.' },
)
