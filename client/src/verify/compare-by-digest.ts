import type { DigestBlock, Product, ProductTag } from '../answers.ts'
import { ShelfwireError } from '../error.ts'
import { differencesOf } from './compare-by-export.ts'
import type { Difference } from './differences.ts'
import { blocksOf, type OwnBlock } from './digested.ts'
import { BLOCK, blockOf, EMPTY, HALVES, openHash, tagsOf, type Half, type Tags } from './halves.ts'
import type { Damage, Held } from './held.ts'
import type { Changes, Comparing, Finding, Kind } from './comparison.ts'

/** How many products one request may name. */
const READ = 200
/** How many blocks one answer has at most: the ids of five million products. */
const PAGE = 5_000

/**
 * Compares block by block: where a digest differs, the tags of its products are read, and then the products whose tags differ.
 * @returns null where the service has no digests
 */
export async function compareByDigest(
  { shelf, target, store, detailed, onProgress, signal }: Comparing,
  changes: Changes,
): Promise<{ products: number; findings: Finding[]; damages: Damage[] } | null> {
  const theirs = await digestsOf()
  if (theirs === null) return null
  const damages: Damage[] = []
  const findings: Finding[] = []
  let compared = 0
  const unseen = new Set(theirs.keys())
  const hash = openHash()
  const computed = target.digests?.(store) ?? null
  if (computed === null)
    for await (const own of blocksOf(
      target.held(store, (damage) => void damages.push(damage)),
      hash,
    )) {
      await compareBlock(own, theirs.get(own.block))
      seen(own.block, own.held.length)
    }
  else
    for await (const { block, products, digests, held } of computed) {
      signal.throwIfAborted()
      if (!areEqual(digests, theirs.get(block)))
        for await (const own of blocksOf([held()], hash)) await compareBlock(own, theirs.get(block))
      seen(block, products)
    }
  for (const block of unseen)
    await compareBlock({ block, held: [], digests: { content: EMPTY, price: EMPTY } }, theirs.get(block))
  findings.sort((a, b) => a.id - b.id)
  return { products: [...theirs.values()].reduce((sum, { products }) => sum + products, 0), findings, damages }

  function seen(block: number, products: number): void {
    unseen.delete(block)
    compared += products
    onProgress(compared)
  }

  async function digestsOf(): Promise<Map<number, DigestBlock> | null> {
    const blocks = new Map<number, DigestBlock>()
    try {
      for (let afterBlock: number | undefined; ;) {
        const { data, meta } = await shelf.digest({ store, afterBlock, limit: PAGE, signal })
        for (const block of data) blocks.set(block.block, block)
        // a number that does not move on would never end
        if (meta.next_after_block === null || meta.next_after_block <= (afterBlock ?? -1)) return blocks
        afterBlock = meta.next_after_block
      }
    } catch (error) {
      if (error instanceof ShelfwireError && error.code === 'unknown-route') return null
      throw error
    }
  }

  async function compareBlock(own: OwnBlock, their: DigestBlock | undefined): Promise<void> {
    if (areEqual(own.digests, their)) return
    const tags = new Map<number, ProductTag>()
    // tags are newer than the digest. Products that changed in between are in `changes`, and are not compared
    const { data: tagged } = await shelf.productTags({
      store,
      afterId: Math.max(0, own.block * BLOCK - 1),
      limit: BLOCK,
      signal,
    })
    for (const product of tagged) if (blockOf(product.id) === own.block) tags.set(product.id, product)
    const mine = new Map<number, { held: Held; tags: Tags }>()
    for (const held of own.held) mine.set(held.id, { held, tags: await tagsOf(held.text, hash) })
    const suspects = [...new Set([...tags.keys(), ...mine.keys()])].filter(
      (id) => !changes.ids.has(id) && HALVES.some((half) => mine.get(id)?.tags[half] !== tags.get(id)?.[half]),
    )
    for (let i = 0; i < suspects.length; i += READ) {
      const ids = suspects.slice(i, i + READ)
      const { data } = await shelf.products.list({ store, ids, signal })
      const listed = new Map<number, Product>(data.map((product) => [product.id, product]))
      for (const id of ids) judge(id, mine.get(id)?.held, listed.get(id))
    }
  }

  function judge(id: number, held: Held | undefined, product: Product | undefined): void {
    if (product === undefined) {
      if (held !== undefined) find(id, 'superfluous', null)
    } else if (held === undefined) find(id, 'missing', null)
    else {
      // the same product in another JSON notation is no difference
      const differing = differencesOf(held, product)
      if (differing.length > 0) find(id, 'different', differing)
    }
  }

  function find(id: number, kind: Kind, differences: Difference[] | null): void {
    findings.push({ id, kind, differences: findings.length < detailed ? differences : null })
  }
}

const areEqual = (digests: Record<Half, string>, their: DigestBlock | undefined): boolean =>
  HALVES.every((half) => digests[half] === (their?.[half] ?? EMPTY))
