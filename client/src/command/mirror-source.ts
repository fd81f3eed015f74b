import type { Store } from '../answers.ts'
import type { VerifiableTarget } from '../verify/held.ts'
import { EXIT, Failure } from './failure.ts'

// A mirror on this machine, and the service and account that it copies: two accounts, or production and staging, must not be mixed in one.

/** Which store of which service a mirror copies. */
export interface Source {
  store: string
  url: string
  /** Unique among all stores of the service, whichever account they belong to. */
  storeId: number
}

export interface OpenedMirror {
  /** The file or directory, as the user wrote it. */
  place: string
  target: VerifiableTarget
  /** The stores of which the mirror has data. */
  stores(): Promise<string[]>
  sources(): Promise<Source[]>
  note(sources: readonly Source[]): Promise<void>
  close(): Promise<void>
}

/**
 * read: the mirror must exist; another process may be writing it. write: it is made where it is missing, and a directory is locked for this
 * process. repair: it must exist, a directory is locked, and lines of its files that cannot be read are dropped when a file is written again.
 */
export type Purpose = 'read' | 'write' | 'repair'

export const noMirror = (place: string) =>
  new Failure(EXIT.mirror, 'no-mirror', `${place} is no mirror: is the path right? \`mirror\` makes one`)

/**
 * Checks that what the mirror has of these stores was read from them, and not from stores of the same name elsewhere.
 * @param hasMoved the service has another address than when the mirror was made, so the address is not compared
 * @throws Failure
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
