import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RuleChangeBody } from '../../../contract/panel/previews.ts'
import { call } from '../../api/client.ts'

const PREVIEWS = 'POST /panel/api/accounts/{account_id}/previews'

/** How long a form rests before it is previewed. */
const REST_MS = 300
const FRESH_MS = 30_000

/** The value as it was when it had rested for a moment. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** What a change would do to a sample, a moment after it was last changed; what was shown stays until newer has come. */
export function usePreview(accountId: number, change: RuleChangeBody | null) {
  const text = JSON.stringify(change)
  const rested = useRested(text)
  const query = useQuery({
    queryKey: [PREVIEWS, accountId, rested],
    queryFn: ({ signal }) =>
      call(PREVIEWS, {
        params: { account_id: accountId },
        body: JSON.parse(rested) as RuleChangeBody,
        signal,
      }),
    enabled: rested !== 'null',
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  })
  return {
    preview: query.data?.data,
    error: query.error,
    isOld: query.isFetching || rested !== text,
  }
}
