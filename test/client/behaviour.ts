// What a client relies on, as a function of who is asked: the fake, or the service.

/** One request; the answer's text, ETag and cursor serve the next ones. */
export interface Asked {
  status: number
  etag: string
  /** Of the feed or the export, as parameters. */
  cursor: string
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface Sent {
  method?: string
  headers?: Record<string, string>
  /** As it is sent. */
  body?: string
}

export type Ask = (path: string, init?: Sent) => Promise<Asked>

export interface Known {
  /** Products of the stores, ascending. */
  ids: readonly number[]
  /** A group of variants. */
  groupId: number
  ean: string
  slug: string
  tokens: { withoutCosts: string; withoutAccount: string; unknown: string }
}

export type Behaviour = readonly [name: string, run: (ask: Ask, known: Known) => Promise<unknown>]

/** A behaviour that is one request, or several. */
export const asks = (name: string, ...paths: readonly (string | ((known: Known) => string))[]): Behaviour => [
  name,
  async (ask, known) => {
    for (const path of paths) await ask(typeof path === 'string' ? path : path(known))
  },
]
export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
