import { queryOptions } from '@tanstack/react-query'
import { exchange } from '../../api/client.ts'
import type { Doc } from './mapping.ts'

/** A source of the supplier, as far as its files are concerned. */
export interface SourceRow {
  name: string
  kind: string
  mapping: Doc
  mode: 'full' | 'delta'
}

const PATH = '/v1/account/suppliers/{code}/sources'

/** The sources of a supplier. */
export const sourcesQuery = (accountId: number, code: string) =>
  queryOptions({
    queryKey: [`GET ${PATH}`, accountId, code],
    queryFn: async ({ signal }) => {
      const answer = await exchange(`GET ${PATH}`, { accountId, params: { code }, query: { per_page: 200 }, signal })
      return (answer.body as { data: SourceRow[] }).data
    },
  })

/**
 * Keeps a mapping under a source's name: an existing one is changed, a new one is for files that are sent. It is never fetched by
 * itself, so that it does not stand in the way of a source with everything that is.
 */
export async function saveMapping(
  accountId: number,
  code: string,
  name: string,
  { mapping, mode }: { mapping: Doc; mode: 'full' | 'delta' },
  isNew: boolean,
): Promise<void> {
  if (isNew) {
    const body = { name, kind: 'upload', mapping, mode, is_active: false }
    await exchange(`POST ${PATH}`, { accountId, params: { code }, body })
  } else await exchange(`PATCH ${PATH}/{name}`, { accountId, params: { code, name }, body: { mapping, mode } })
}
