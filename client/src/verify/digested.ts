import type { Held } from './held.ts'
import { BlockDigest, blockOf, HALVES, tagsOf, type Half, type Hash } from './halves.ts'

/** The products of a block as a target has them. */
export interface OwnBlock {
  block: number
  held: Held[]
  digests: Record<Half, string>
}

/** A target's products grouped into blocks, by block ascending. @param pages by product id ascending */
export async function* blocksOf(
  pages: AsyncIterable<readonly Held[]> | Iterable<readonly Held[]>,
  hash: Hash,
): AsyncGenerator<OwnBlock> {
  let own: Held[] = []
  let block = -1
  let sums = { content: new BlockDigest(), price: new BlockDigest() }
  const finished = (): OwnBlock => ({
    block,
    held: own,
    digests: { content: sums.content.hex, price: sums.price.hex },
  })
  for await (const page of pages)
    for (const held of page) {
      if (blockOf(held.id) !== block) {
        if (own.length > 0) yield finished()
        own = []
        block = blockOf(held.id)
        sums = { content: new BlockDigest(), price: new BlockDigest() }
      }
      // awaited only where it is a promise: awaiting once for each of a million products takes as long as their hashes
      let tags = tagsOf(held.text, hash)
      if (tags instanceof Promise) tags = await tags
      // tags are not kept: they are computed again where a block differs
      own.push(held)
      for (const half of HALVES) {
        const added = sums[half].add(held.id, tags[half], hash)
        if (added !== undefined) await added
      }
    }
  if (own.length > 0) yield finished()
}
