import type { Store } from '../answers.ts'
import type { VerifiableTarget } from '../verify/held.ts'
import { EXIT, Failure } from './failure.ts'

// A mirror on this machine, and whose it is: two accounts, or a shop and its staging, may not end up in one.

/** Where a store of a mirror comes from. */
export interface Source {
  store: string
  url: string
  /** No other store of that service has it. */
  storeId: number
}

export interface OpenedMirror {
  /** As a person named it. */
  place: string
  target: VerifiableTarget
  /** The stores that it has something of. */
  stores(): Promise<string[]>
  sources(): Promise<Source[]>
  note(sources: readonly Source[]): Promise<void>
  close(): Promise<void>
}

/**
 * read: it must be there, and another process may be writing it. write: it is made where it is missing, and a directory is this process's
 * alone. repair: like write, and lines of a directory's files that cannot be read give way.
 */
export type Purpose = 'read' | 'write' | 'repair'

export const noMirror = (place: string) =>
  new Failure(EXIT.mirror, 'no-mirror', `${place} is no mirror: is the path right? \`mirror\` makes one`)

/**
 * That a mirror is of these stores of this service, and of no other.
 * @param hasMoved the service has another address than when the mirror was made
 */
export async function checkSources(
  mirror: OpenedMirror,
  url: string,
  stores: readonly Pick<Store, 'id' | 'slug'>[],
  hasMoved: boolean,
): Promise<void> {
  const known = await mirror.sources()
  for (const { slug, id } of stores) {
    const source = known.find(({ store }) => store === slug)
    if (source === undefined) continue
    if (source.url !== url && !hasMoved)
      throw new Failure(
        EXIT.mirror,
        'other-service',
        `${mirror.place} is a mirror of ${source.url}, not of ${url}: give another place, or say --moved if the service has moved there`,
      )
    if (source.storeId !== id)
      throw new Failure(
        EXIT.mirror,
        'other-store',
        `${mirror.place} has "${slug}" of another account (store ${source.storeId}, and this token's is ${id}): give another place for this account`,
      )
  }
}
