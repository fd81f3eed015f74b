import { useQueries } from '@tanstack/react-query'
import { reading } from './read.ts'
import type { Answer } from './client.ts'

const ROUTE = 'GET /panel/api/accounts/{account_id}/product-names'
/** The most products of one request. */
const ASKED_MAX = 200

export type NamedProduct = Answer<typeof ROUTE>['data'][number]

/** Names of products of which a page knows only the IDs; undefined until they are read, and for deleted products. */
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
