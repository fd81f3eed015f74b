import type { NoticeKind } from '../../../contract/notice-kinds.ts'

/** The facts of a notice as its sentences show them: numbers, times and amounts are formatted for the language. */
export interface NoticeFacts {
  /** The address of an endpoint or of a picture server, cut to fit into a subject. */
  short: string
  failures: string
  pausedAfter: string
  /** null: the time is not known. */
  pausedUntil: string | null
  cooldownMinutes: string
  host: string
  pictures: number
  /** Whether our copies of pictures become the account's own. */
  adopts: boolean
  source: string
  supplier: string
  currencies: string
}

/** The sentences of a notice around its lines of facts. */
export interface NoticeTexts {
  subject: string
  /** Before the lines. */
  opening: string
  /** Paragraphs after them. */
  rest: (string | { command: Command })[]
}

/** Commands, which are a paragraph of their own. */
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
  kinds: { readonly [Kind in NoticeKind]: (facts: NoticeFacts) => NoticeTexts }
  test: { subject: string; text: (channel: string, accountId: number) => string }
  openInPanel: string
}
