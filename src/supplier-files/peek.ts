/**
 * Reads the start of a stream. @returns at least `enough` bytes, unless the stream is shorter, and a stream of
 * everything
 */
export async function peekBytes(
  bytes: AsyncIterable<Uint8Array>,
  enough: number,
): Promise<{ head: Buffer; whole: AsyncGenerator<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  for (let length = 0; length < enough;) {
    const next = await iterator.next()
    if (next.done === true) break
    chunks.push(next.value)
    length += next.value.byteLength
  }
  return { head: Buffer.concat(chunks), whole: continued(chunks, iterator) }
}

/** peekBytes for text: `enough` in characters. */
export async function peekText(
  text: AsyncIterable<string>,
  enough: number,
): Promise<{ head: string; whole: AsyncGenerator<string> }> {
  const iterator = text[Symbol.asyncIterator]()
  let head = ''
  while (head.length < enough) {
    const next = await iterator.next()
    if (next.done === true) break
    head += next.value
  }
  return { head, whole: continued(head === '' ? [] : [head], iterator) }
}

async function* continued<T>(first: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
