import { useQueries } from '@tanstack/react-query'
import { reading } from './read.ts'
import type { Answer } from './client.ts'

const ROUTE = 'GET /panel/api/accounts/{account_id}/product-names'
/** Products of one request, as the service takes them. */
const ASKED_MAX = 200

export type NamedProduct = Answer<typeof ROUTE>['data'][number]

/** What products are called that a page knows by their IDs alone; undefined until it is known, and for those that are gone. */
export function useProductNames(accountId: number, ids: readonly number[]): (id: number) => NamedProduct | undefined {
  const asked = [...new Set(ids)].toSorted((a, b) => a - b)
  const parts = Array.from({ length: Math.ceil(asked.length / ASKED_MAX) }, (_, i) =>
    asked.slice(i * ASKED_MAX, (i + 1) * ASKED_MAX),
  )
  const answers = useQueries({
    queries: parts.map((part) => reading(ROUTE, { params: { account_id: accountId }, query: { ids: part } })),
  })
  const known = new Map(answers.flatMap(({ data }) => data?.data.map((row) => [row.product_id, row] as const) ?? []))
  return (id) => known.get(id)
}
