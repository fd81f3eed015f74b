import type { Product } from '../answers.ts'
import { ShelfwireError } from '../error.ts'
import type { OfStore } from '../queries.ts'
import type { ReceivedProduct } from './unread.ts'

/** The function of the client that reads products by pages. */
export interface Pages {
  walk(query: OfStore & { afterId?: number }): AsyncIterable<Product>
}

/**
 * An export, followed by the pages after its last product. The service ends an export that is not read for a minute, as when a target writes slowly;
 * and a proxy may end one that was cut off as if it were complete. Only an empty page after the last product proves that it was.
 * docs/decisions/218-a-fill-goes-on-where-its-export-stopped.md and docs/decisions/244-the-end-of-an-export-is-asked-for.md say why.
 * @param cameOf reads a line: `receivedProductOf` or `parsedProductOf`
 * @param onCut called with the error that cut the export off, where there was one
 */
export async function* wholeExport(
  lines: AsyncIterable<readonly string[]>,
  pages: Pages,
  { store, signal }: { store: string; signal: AbortSignal },
  cameOf: (line: string) => ReceivedProduct,
  onCut: (error: ShelfwireError) => void,
): AsyncGenerator<ReceivedProduct[]> {
  let after = 0
  try {
    for await (const some of lines) {
      const came = some.map(cameOf)
      after = came.at(-1)?.id ?? after
      yield came
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof ShelfwireError) || !error.isPassing) throw error
    onCut(error)
  }
  yield* inPages(pages, { store, afterId: after, signal })
}

/** Products read by pages, which have no lines. */
export async function* inPages(pages: Pages, query: OfStore & { afterId: number }): AsyncGenerator<ReceivedProduct[]> {
  for await (const product of pages.walk(query)) yield [{ id: product.id, line: null, product }]
}
