// Behaviour on which clients rely, as functions that run against the fake or the service.

/** An answer, with the text, ETag and cursor that later requests use. */
export interface Asked {
  status: number
  etag: string
  /** The cursor of the feed or the export, as query parameters. */
  cursor: string
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface Sent {
  method?: string
  headers?: Record<string, string>
  /** The body, sent as it is. */
  body?: string
}

export type Ask = (path: string, init?: Sent) => Promise<Asked>

export interface Known {
  /** Ids of the stores' products, ascending. */
  ids: readonly number[]
  /** A group of variants. */
  groupId: number
  ean: string
  slug: string
  tokens: { withoutCosts: string; withoutAccount: string; unknown: string }
}

export type Behaviour = readonly [name: string, run: (ask: Ask, known: Known) => Promise<unknown>]

/** A behaviour that consists of one or more GET requests. */
export const asks = (name: string, ...paths: readonly (string | ((known: Known) => string))[]): Behaviour => [
  name,
  async (ask, known) => {
    for (const path of paths) await ask(typeof path === 'string' ? path : path(known))
  },
]
export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
