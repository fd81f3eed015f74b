import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ShelfwireError } from '../../platform/errors.ts'
import { unreadable, type ReadLimits } from '../rows.ts'
import { Expansion } from '../expansion.ts'

/**
 * Expands a gzip file, with any number of members.
 * @throws ShelfwireError `source-unreadable` for a file that is cut off or damaged, or expands beyond the limits
 */
export async function* gunzip(bytes: AsyncIterable<Uint8Array>, limits: ReadLimits): AsyncGenerator<Uint8Array> {
  const expansion = new Expansion(limits)
  const source = Readable.from(expansion.count(bytes), { objectMode: false })
  const expanded = createGunzip({ chunkSize: 65_536 })
  source.on('error', (error) => expanded.destroy(error))
  source.pipe(expanded)
  try {
    for await (const chunk of expanded as AsyncIterable<Uint8Array>) {
      expansion.add(chunk.byteLength)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ShelfwireError || !(error instanceof Error) || !('code' in error)) throw error
    if (error.code === 'Z_BUF_ERROR') throw unreadable('the gzip file is cut off; fetch it again', error)
    if (String(error.code).startsWith('Z_')) throw unreadable('the gzip file is damaged; fetch it again', error)
    throw error
  } finally {
    source.destroy()
    expanded.destroy()
  }
}
