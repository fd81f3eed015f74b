import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { NOTICE_CHANNEL_KINDS, type NoticeChannelKind } from './notice-channel-kinds.ts'
import { NOTICE_KINDS } from './notice-kinds.ts'
import { OneOf } from './one-of.ts'
import { Flag, Id, must, Null, orNull, Text } from './values.ts'

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
    name: Text,
    kind: OneOf(KINDS, {
      description: `${KINDS.map((kind) => `${kind}: ${NOTICE_CHANNEL_KINDS[kind].description}`).join('; ')}. Never changes.`,
      ...must(`must be one of ${KINDS.join(', ')}`),
    }),
    url: Type.String({
      description: `Where notices are sent, by POST. Stored encrypted. Shown without its query, or, where it is a secret as with ${kindsWhose('isUrlSecret')}, without its path; what is shown, sent back, keeps what is stored.`,
    }),
    notice_kinds: Type.Union([Type.Array(OneOf(NOTICE_KINDS, {}), { minItems: 1 }), Null], {
      description: 'Which notices; null: all, also kinds that are new in a later release.',
      ...must(`must be a list of ${NOTICE_KINDS.join(', ')}, or null for all`),
    }),
    is_paused: Type.Boolean({
      description: 'While it is paused nothing is sent, and what would have been is not sent later.',
    }),
  },
  secrets: ['url'],
  required: ['name', 'kind', 'url'],
  fixed: ['kind'],
  given: { id: Id },
  state: {
    status: Type.Object({
      waiting: Type.Integer({ minimum: 0, description: 'Notices that are still to be sent.' }),
      next_attempt_at: Time('When the first of them is sent, or sent again; null: nothing waits.'),
      last_sent_at: Time('When a notice was last accepted; null: none was.'),
      failed_at: Time('When the last attempt failed; null: it did not.'),
      failure: Type.Union([Text, Null], { description: 'Why the last attempt failed; null: it did not.' }),
    }),
  },
  schema: 'NoticeChannelResource',
  once: {
    secret: Type.Optional(
      Type.String({
        description: `Of a ${kindsWhose('isSigned')} channel: what its requests are signed with. Shown once, and absent where the answer is repeated under an Idempotency-Key.`,
      }),
    ),
  },
  deletion: 'Nothing more is sent there, also not what waits.',
} as const satisfies AccountResource

/** The answer of a receiver to a test notice. */
export const NoticeChannelTest = Type.Object(
  {
    is_ok: Flag,
    status: Type.Union([Type.Integer(), Null], { description: 'Of its answer; null: none came.' }),
    detail: Type.String({ description: 'The beginning of its answer, or why none came.' }),
  },
  { $id: 'NoticeChannelTest' },
)
