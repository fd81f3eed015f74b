import type { Product } from '../answers.ts'
import { ShelfwireError } from '../error.ts'
import type { OfStore } from '../queries.ts'
import type { Came } from './unread.ts'

/** What pages are read of. */
export interface Pages {
  walk(query: OfStore & { afterId?: number }): AsyncIterable<Product>
}

/**
 * An export, and pages after its last product. The service ends one of which nothing is read for a minute, as when a target writes slowly; and
 * something in between may pass on the end of one that was cut off as if it were whole, which only an empty page tells from its end.
 * docs/decisions/218-a-fill-goes-on-where-its-export-stopped.md and docs/decisions/244-the-end-of-an-export-is-asked-for.md say why.
 * @param cameOf what is read of a line, `cameAs` or `readAs`
 * @param onCut told of what cut it off, where that is known
 */
export async function* wholeExport(
  lines: AsyncIterable<readonly string[]>,
  pages: Pages,
  { store, signal }: { store: string; signal: AbortSignal },
  cameOf: (line: string) => Came,
  onCut: (error: ShelfwireError) => void,
): AsyncGenerator<Came[]> {
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

/** Products by pages, of which there is no line. */
export async function* inPages(pages: Pages, query: OfStore & { afterId: number }): AsyncGenerator<Came[]> {
  for await (const product of pages.walk(query)) yield [{ id: product.id, line: null, product }]
}
