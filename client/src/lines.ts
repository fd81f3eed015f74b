import { noAnswer, notShelfwire } from './sender.ts'
import { parsedProductOf } from './sync/unread.ts'

// The lines of an export.

/** In characters. The longest product that the service takes is far below it. */
const LINE_MAX = 2 ** 25

export async function* productsIn<P>(lines: AsyncIterable<readonly string[]>): AsyncGenerator<P> {
  for await (const some of lines) for (const line of some) yield parsedProductOf(line).product as P
}

/**
 * The complete lines of each chunk.
 * @throws ShelfwireError `no-answer` where the last line is incomplete; `not-shelfwire` where a line is longer than any product
 */
export async function* linesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  // kept in pieces: joining them at each chunk would copy a long line again and again
  let pieces: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    const rest = lines.pop() ?? ''
    if (lines.length > 0) {
      lines[0] = pieces.join('') + lines[0]
      ;[pieces, length] = [[], 0]
      yield lines.filter((line) => line !== '')
    }
    pieces.push(rest)
    length += rest.length
    if (length > LINE_MAX)
      throw notShelfwire(new Response(), `a line of an export has more than ${LINE_MAX} characters`)
  }
  if (length > 0) throw noAnswer('the transfer was cut off: the export ended within a product')
}
