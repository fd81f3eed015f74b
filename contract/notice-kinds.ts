import Type, { type Static } from 'typebox'
import { Id, Null, Text } from './values.ts'

// The kinds of notices. An entry here is all that the service needs to know of a kind, apart from its text
// (src/notices/notice-text.ts).

const TextOrNull = Type.Union([Text, Null])

const EndpointFacts = Type.Object({
  url: Text,
  failures: Type.Integer({ description: 'Number of consecutive failures.' }),
  last: Type.String({ description: 'HTTP status of the last attempt, or the kind of failure if there was no answer.' }),
  paused_until: TextOrNull,
  pending_since: TextOrNull,
})
const SpaceFacts = Type.Object({
  used_bytes: Type.Integer({ description: 'Space used by the pictures of all accounts, in bytes.' }),
})
const FailingPicturesFacts = Type.Object({
  host: Text,
  pictures: Type.Integer(),
  failed_since: Text,
  adopts: Type.Boolean({
    description: 'Whether the service’s copies become the account’s own if the source stays unreachable.',
  }),
})
const SourceFacts = Type.Object({
  source_id: Id,
  source: Text,
  supplier: Type.String({ description: 'Code of the supplier.' }),
  run_id: Type.Union([Id, Null]),
  state: Type.String({ description: 'State in which the source’s last run ended.' }),
  failure: Type.Union([Text, Null], {
    description: 'Why the last run imported nothing; null if the source works again.',
  }),
  failed_since: TextOrNull,
})
const RatesFacts = Type.Object({
  day: Type.String({ description: 'Day of the European Central Bank’s rates, such as 2026-11-27.' }),
  own: Type.String({ description: 'Currency of the account (ISO 4217).' }),
  rates: Type.Array(
    Type.Object({
      currency: Text,
      rate: Type.String({ description: 'Exchange rate that applies.' }),
      held_rate: Type.String({ description: 'Rate of the European Central Bank, which is held.' }),
    }),
  ),
})

/** The subjects of notices. */
export type NoticeThing = 'endpoint' | 'pictures' | 'source' | 'rates'

interface Declared {
  /** Notices about an endpoint refer to it outside of their facts, and are deleted with it. */
  about: NoticeThing
  severity: 'good' | 'warning' | 'bad'
  /** Who gets the notice. */
  told: 'owners'
  /**
   * How repeats are suppressed. Of the notices of a topic, one that `begins` it is written unless the newest one begins
   * it too, and one that `ends` it only after one that begins it. null: the caller writes it only when it is new.
   */
  fold: { topic: string; role: 'begins' | 'ends' } | null
  facts: Type.TObject
}

export const NOTICES = {
  failing: { about: 'endpoint', severity: 'warning', told: 'owners', fold: null, facts: EndpointFacts },
  paused: { about: 'endpoint', severity: 'bad', told: 'owners', fold: null, facts: EndpointFacts },
  recovered: { about: 'endpoint', severity: 'good', told: 'owners', fold: null, facts: EndpointFacts },
  images_full: {
    about: 'pictures',
    severity: 'warning',
    told: 'owners',
    fold: { topic: 'space', role: 'begins' },
    facts: SpaceFacts,
  },
  images_resumed: {
    about: 'pictures',
    severity: 'good',
    told: 'owners',
    fold: { topic: 'space', role: 'ends' },
    facts: SpaceFacts,
  },
  images_failing: { about: 'pictures', severity: 'warning', told: 'owners', fold: null, facts: FailingPicturesFacts },
  source_failing: { about: 'source', severity: 'bad', told: 'owners', fold: null, facts: SourceFacts },
  source_held: { about: 'source', severity: 'warning', told: 'owners', fold: null, facts: SourceFacts },
  source_recovered: { about: 'source', severity: 'good', told: 'owners', fold: null, facts: SourceFacts },
  rates_held: { about: 'rates', severity: 'warning', told: 'owners', fold: null, facts: RatesFacts },
} as const satisfies Readonly<Record<string, Declared>>

type Notices = typeof NOTICES
export type NoticeKind = keyof Notices
/** In the order of the table. The panel has the words of each at `notices.kinds.<kind>`. */
export const NOTICE_KINDS = Object.keys(NOTICES) as [NoticeKind, ...NoticeKind[]]
export const NOTICE_SEVERITIES = ['good', 'warning', 'bad'] as const

export type NoticeFacts<K extends NoticeKind> = Static<Notices[K]['facts']>
/** The kinds about one subject. */
export type NoticeKindsAbout<A extends Declared['about']> = {
  [K in NoticeKind]: Notices[K]['about'] extends A ? K : never
}[NoticeKind]

/** A kind with its facts. `endpointId` is set for a notice about an endpoint, and null for all others. */
export type NoticeSubject = {
  [K in NoticeKind]: {
    endpointId: K extends NoticeKindsAbout<'endpoint'> ? number : null
    kind: K
    facts: NoticeFacts<K>
  }
}[NoticeKind]

export type NoticeSubjectAbout<A extends Declared['about']> = Extract<NoticeSubject, { kind: NoticeKindsAbout<A> }>
