import type { NoticeKind } from '../../../contract/notice-kinds.ts'

/** The facts of a notice as they stand in its sentences: numbers, moments and amounts are written as the language does. */
export interface NoticeFacts {
  /** The address of an endpoint, or of a server of pictures, cut where it would be too long for a subject. */
  short: string
  failures: string
  pausedAfter: string
  /** null: it is not known until when. */
  pausedUntil: string | null
  cooldownMinutes: string
  host: string
  pictures: number
  /** Whether copies become the account's own. */
  adopts: boolean
  source: string
  supplier: string
  currencies: string
}

/** What a notice says around the lines with its facts. */
export interface Said {
  subject: string
  /** Before the lines. */
  opening: string
  /** Paragraphs after them. */
  rest: (string | { command: Command })[]
}

/** Commands stand in a paragraph of their own. */
export type Command = 'resume' | 'adopt' | 'test' | 'confirm' | 'rates'

export interface NoticeWords {
  labels: Readonly<
    Record<
      | 'endpoint'
      | 'time'
      | 'lastError'
      | 'waiting'
      | 'account'
      | 'stored'
      | 'server'
      | 'pictures'
      | 'since'
      | 'source'
      | 'run'
      | 'reason'
      | 'ratesOf',
      string
    >
  >
  endpoint: (address: string, endpointId: number, accountId: number) => string
  noAddress: string
  status: (status: string) => string
  /** Why something failed, as the service says it in English; a sentence that has no words (contract/faults/) stays as it is. */
  reason: (sentence: string) => string
  changesSince: (time: string) => string
  gigabytes: (amount: string) => string
  sourceOf: (source: string, supplier: string, accountId: number) => string
  rate: (own: string, rate: string, held: string) => string
  kinds: { readonly [Kind in NoticeKind]: (facts: NoticeFacts) => Said }
  test: { subject: string; text: (channel: string, accountId: number) => string }
  openInPanel: string
}
