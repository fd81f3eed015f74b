import { queryOptions } from '@tanstack/react-query'
import { exchange } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { isMapped } from '../../api/sources.ts'
import type { Doc } from './mapping.ts'

/** A source of the supplier, as far as its files are concerned. */
export interface SourceRow {
  name: string
  kind: string
  mapping: Doc
  mode: 'full' | 'delta'
  is_active: boolean
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
 * Keeps a mapping under a source's name: an existing one is changed, a new one is for files that are sent. That one is not active: it is
 * never fetched, and must not stand in the way of an active source with everything. One that waited for its mapping is switched on.
 * @param known the existing one; null: a new one
 * @returns on: it is fetched from now on; blocked: another active source with everything stands in its way; kept: as it was
 */
export async function saveMapping(
  accountId: number,
  code: string,
  name: string,
  { mapping, mode }: { mapping: Doc; mode: 'full' | 'delta' },
  known: SourceRow | null,
): Promise<'on' | 'blocked' | 'kept'> {
  if (known === null) {
    const body = { name, kind: 'upload', mapping, mode, is_active: false }
    await exchange(`POST ${PATH}`, { accountId, params: { code }, body })
    return 'kept'
  }
  const change = (body: object) => exchange(`PATCH ${PATH}/{name}`, { accountId, params: { code, name }, body })
  const wasWaiting = known.kind !== 'upload' && !known.is_active && !isMapped(known) && isMapped({ mapping })
  try {
    await change({ mapping, mode, ...(wasWaiting ? { is_active: true } : {}) })
    return wasWaiting ? 'on' : 'kept'
  } catch (error) {
    if (!wasWaiting || !(error instanceof Problem) || error.code !== 'conflict') throw error
    await change({ mapping, mode })
    return 'blocked'
  }
}
