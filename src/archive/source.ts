import { constants, createReadStream } from 'node:fs'
import { open, opendir, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { ShelfwireError } from '../platform/errors.ts'
import { kindOfFile, PICTURES_FILE, TABLE_FILES, type PictureLine } from './files.ts'
import { pagesOfLines } from './lines.ts'
import { inText, archiveRefusal } from './refused.ts'
import { tarFiles, type ReadFile } from './tar-read.ts'

// Where an archive is read from: a directory or a tar file. Both return the same files in the same order, and can be read several times.

export interface ArchiveSource {
  /** In the order in which an export writes them. A body must be read before the next file is requested. */
  files(): AsyncGenerator<ReadFile>
}

const CHUNK_BYTES = 262_144

/** @throws ShelfwireError invalid-input if the path is neither a directory nor a tar file */
export async function openSource(path: string): Promise<ArchiveSource> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new ShelfwireError('invalid-input', `there is no file or directory ${path}`)
  if (found.isDirectory()) return { files: () => filesOfDirectory(path) }
  if (!found.isFile() || !/\.(tar|tar\.gz|tgz)$/.test(path))
    throw new ShelfwireError(
      'invalid-input',
      `${path} is neither a directory nor a file that ends with .tar, .tar.gz or .tgz`,
    )
  return { files: () => tarFiles(path.endsWith('.tar') ? chunksOf(path) : unpacked(path)) }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  try {
    for await (const chunk of file) yield chunk as Buffer
  } finally {
    file.destroy()
  }
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  file.on('error', (error) => gunzip.destroy(error))
  file.pipe(gunzip)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('Z_'))
      throw archiveRefusal('the gzip file', code === 'Z_BUF_ERROR' ? 'is cut off' : 'is altered', error)
    throw error
  } finally {
    file.destroy()
    gunzip.destroy()
  }
}

async function* filesOfDirectory(root: string): AsyncGenerator<ReadFile> {
  const there = await namesIn(root)
  let pictures = 0
  for (const path of TABLE_FILES) if (there.names.has(path)) yield* fileAt(root, path)
  if (there.names.has(PICTURES_FILE)) {
    for await (const page of pagesOfLines(PICTURES_FILE, bodyOf(root, PICTURES_FILE)))
      for (const { row } of page) {
        const { path } = row as Partial<PictureLine>
        // what is wrong with the line is reported when the file itself is read
        if (typeof path !== 'string' || kindOfFile(path) !== 'picture') continue
        pictures += 1
        yield* fileAt(root, path)
      }
    yield* fileAt(root, PICTURES_FILE)
  }
  if (pictures !== there.pictures)
    throw archiveRefusal('pictures', `has ${there.pictures} files, and ${PICTURES_FILE} names ${pictures}`)
  if (there.names.has('manifest.json')) yield* fileAt(root, 'manifest.json')
}

/** The names in an archive's directory; pictures, of which there may be a million, are only counted. */
async function namesIn(root: string): Promise<{ names: Set<string>; pictures: number }> {
  const names = new Set<string>()
  let pictures = 0
  for await (const entry of await opendir(root)) {
    if (entry.isDirectory() && entry.name === 'pictures') {
      for await (const { name } of await opendir(join(root, 'pictures'))) {
        if (kindOfFile(`pictures/${name}`) !== 'picture')
          throw archiveRefusal(inText(`pictures/${name}`), 'is no file of an archive')
        pictures += 1
      }
      continue
    }
    if ((kindOfFile(entry.name) ?? 'picture') === 'picture')
      throw archiveRefusal(inText(entry.name), 'is no file of an archive')
    names.add(entry.name)
  }
  return { names, pictures }
}

/** @param path accepted by kindOfFile, so it cannot lead out of the root */
async function openBelow(root: string, path: string): Promise<{ file: FileHandle; bytes: number }> {
  let file: FileHandle
  try {
    // a link could lead out of the archive, and opening a named pipe would wait
    file = await open(join(root, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') throw archiveRefusal(path, 'is missing')
    if (code === 'ELOOP') throw archiveRefusal(path, 'is a link')
    throw error
  }
  const found = await file.stat()
  if (found.isFile()) return { file, bytes: found.size }
  await file.close()
  throw archiveRefusal(path, 'is no file')
}

async function* bodyOf(root: string, path: string): AsyncGenerator<Buffer> {
  const { file } = await openBelow(root, path)
  yield* streamOf(file)
}

async function* fileAt(root: string, path: string): AsyncGenerator<ReadFile> {
  const { file, bytes } = await openBelow(root, path)
  try {
    yield { path, bytes, body: streamOf(file) }
  } finally {
    await file.close().catch(() => {})
  }
}

async function* streamOf(file: FileHandle): AsyncGenerator<Buffer> {
  const stream = file.createReadStream({ highWaterMark: CHUNK_BYTES })
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } finally {
    stream.destroy()
  }
}
