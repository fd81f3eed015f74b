import recorded from './examples.json' with { type: 'json' }

/** A request and its answers, as the document shows them. */
export interface Example {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number | boolean>>
  body?: unknown
  /** Status -> media type and body. */
  answers: Readonly<Record<string, { type: string; body: unknown }>>
}

/**
 * By operationId. Recorded from a running service by `npm run examples`; test/api/examples.pg.test.ts makes the same
 * requests again and compares the answers.
 */
export const EXAMPLES: Readonly<Record<string, Example | undefined>> = recorded
