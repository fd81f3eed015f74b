import { asProblem } from '../../api/problem.ts'
import { changeSource, createSource, isMapped, type Source } from '../../api/sources.ts'
import type { Doc } from './mapping.ts'

/**
 * Saves a mapping under a source's name. An existing source is changed. A new one is for uploaded files and not active: it is never
 * fetched, and must not block another active source with full files. A source that waited for its mapping is switched on.
 * @param known the existing source; null: a new one
 * @returns on: it is fetched from now on; blocked: another active source with full files prevents that; kept: its state has not changed
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
