import { asProblem } from '../../api/problem.ts'
import { changeSource, createSource, isMapped, type Source } from '../../api/sources.ts'
import type { Doc } from './mapping.ts'

/**
 * Keeps a mapping under a source's name: an existing one is changed, a new one is for files that are sent. That one is not active: it is
 * never fetched, and must not keep another source with everything from being active. One that waited for its mapping is switched on.
 * @param known the existing one; null: a new one
 * @returns on: it is fetched from now on; blocked: another active source with everything keeps it from that; kept: as it was
 */
export async function saveMapping(
  accountId: number,
  code: string,
  name: string,
  { mapping, mode }: { mapping: Doc; mode: Source['mode'] },
  known: Source | null,
): Promise<'on' | 'blocked' | 'kept'> {
  const of = { accountId, code }
  if (known === null) {
    await createSource(of, { name, kind: 'upload', mapping, mode, is_active: false })
    return 'kept'
  }
  const wasWaiting = known.kind !== 'upload' && !known.is_active && !isMapped(known) && isMapped({ mapping })
  try {
    await changeSource(of, name, { mapping, mode, ...(wasWaiting ? { is_active: true } : {}) })
    return wasWaiting ? 'on' : 'kept'
  } catch (error) {
    if (!wasWaiting || asProblem(error).code !== 'conflict') throw error
    await changeSource(of, name, { mapping, mode })
    return 'blocked'
  }
}
