import { productIdRange, productIdsAfter } from '../catalog/products/products.sql.ts'
import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import type { CompiledAccount } from '../resolve/compile.ts'
import { weightsOf } from '../shelf/inputs/product-slices.ts'
import type { Weights } from '../shelf/slices.ts'
import { must } from '../platform/must.ts'
import type { Named } from './rule-change.ts'
import { productsAt, productsNamedAt, type Wanted } from './sample.sql.ts'

/** Products that a preview examines. Equal catalogs and rules give equal samples. */
export interface Sample {
  /** Products spread evenly over the account's ids. */
  spread: readonly number[]
  /** Products that the changed rules name, spread in the same way; some may also be in `spread`. */
  named: readonly number[]
  /** Whether `spread` has every product. */
  isEverything: boolean
  /** Weights of the heavy ones; absent if they were not read. */
  weights?: Weights
}

/** Takes a sample of at most `productsMax` products; if the changed rules name any, half of it are such products. */
export async function takeSample(
  reader: Reader,
  accountId: number,
  account: CompiledAccount,
  named: Named | null,
  productsMax: number,
): Promise<Sample> {
  const [range, first] = await Promise.all([
    productIdRange(reader, accountId),
    productIdsAfter(reader, accountId, 0, productsMax + 1),
  ])
  if (first.length <= productsMax) return { spread: first, named: [], isEverything: true }
  const spreadMax = named === null ? productsMax : Math.ceil(productsMax / 2)
  const [spread, concerned] = await Promise.all([
    productsAt(reader, accountId, places(range, spreadMax)),
    named === null ? [] : namedProducts(reader, accountId, account, named, range),
  ])
  return { spread, named: thinned(concerned, productsMax - spreadMax), isEverything: false }
}

/** The sample with the weights of its products. If they are so long that reading all would take too long, it is reduced evenly. */
export async function reduceHeavySample(reader: Reader, accountId: number, sample: Sample): Promise<Sample> {
  const { spread, named } = sample
  const weights = await weightsOf(reader, accountId, [...new Set([...spread, ...named])])
  let characters = 0
  for (const weight of weights.values()) characters += weight
  const share = LIMITS.previewCharactersMax / characters
  if (characters === 0 || share >= 1) return { ...sample, weights }
  const fewer = (ids: readonly number[]) => thinned(ids, Math.max(1, Math.floor(ids.length * share)))
  return {
    spread: fewer(spread),
    named: fewer(named),
    isEverything: spread.length <= 1 && sample.isEverything,
    weights,
  }
}

async function namedProducts(
  reader: Reader,
  accountId: number,
  account: CompiledAccount,
  named: Named,
  range: Range,
): Promise<readonly number[]> {
  const own = named.productIds ?? []
  const wanted = wantedOf(account, named)
  if (wanted.manufacturers.length + wanted.categories.length + wanted.supplierIds.length === 0) return own
  const width = LIMITS.previewSearchedIds
  const found = await productsNamedAt(
    reader,
    accountId,
    places(range, Math.min(LIMITS.previewSearchedPlaces, Math.ceil((range.last - range.first + 1) / width))),
    width,
    wanted,
  )
  return [...new Set([...own, ...found])].sort((a, b) => a - b)
}

/** What to look for. As all conditions of a rule must match, the one that is likely to match the fewest products is used. */
function wantedOf(account: CompiledAccount, { manufacturers, categories, supplierIds, productIds }: Named): Wanted {
  const none: Wanted = { manufacturers: [], categories: [], supplierIds: [] }
  if (productIds !== null) return none
  if (manufacturers !== null) return { ...none, manufacturers: manufacturers.map(account.foldName) }
  if (categories !== null) return { ...none, categories: withSuppliersPaths(account, categories) }
  return { ...none, supplierIds: supplierIds ?? [] }
}

/** The categories, and suppliers' paths that the account maps to one of them or to a category below. */
function withSuppliersPaths(account: CompiledAccount, categories: readonly string[]): string[] {
  const roots = categories.map(account.foldCategory)
  const mapped = account.account.categories
    .filter(({ path }) => {
      const folded = account.foldCategory(path)
      return roots.some((root) => folded === root || folded.startsWith(`${root}/`))
    })
    .flatMap(({ supplierPaths }) => supplierPaths.map(account.foldCategory))
  return [...new Set([...roots, ...mapped])].slice(0, LIMITS.previewSearchedPathsMax)
}

interface Range {
  first: number
  last: number
}

/** Fractional parts of its multiples are spread evenly, without a period. */
const GOLDEN = 0.618_033_988_749_895

/**
 * That many ids spread over a range, one in each of as many equal parts. The position within a part varies, because catalogs have
 * patterns: every third product of a file may be of one kind.
 */
function places({ first, last }: Range, count: number): number[] {
  const step = (last - first + 1) / count
  return Array.from({ length: count }, (_, i) => first + Math.floor((i + ((i * GOLDEN) % 1)) * step))
}

/** At most `max` of these ids, spread evenly. */
function thinned(ids: readonly number[], max: number): number[] {
  if (ids.length <= max) return [...ids]
  return places({ first: 0, last: ids.length - 1 }, max).map((at) => must(ids[at]))
}
