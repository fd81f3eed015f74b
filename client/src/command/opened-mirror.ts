import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { codeOf } from '../targets/directory-lock.ts'
import { makeDirectory, NdjsonTarget } from '../targets/ndjson.ts'
import { EXIT, Failure, usage } from './failure.ts'
import { noMirror, type OpenedMirror, type Purpose, type Source } from './mirror-source.ts'

// Opens a mirror on this machine.

export interface Wanted {
  sqlite?: string | undefined
  dir?: string | undefined
}

export async function openMirror({ sqlite, dir }: Wanted, purpose: Purpose): Promise<OpenedMirror> {
  if (sqlite !== undefined && dir !== undefined) throw usage('give --sqlite or --dir, not both')
  if (sqlite !== undefined && sqlite !== '') return openSqlite(sqlite, purpose)
  if (dir !== undefined && dir !== '') return openDirectory(dir, purpose)
  throw usage('say where the mirror is: --sqlite FILE, or --dir DIRECTORY')
}

async function openSqlite(file: string, purpose: Purpose): Promise<OpenedMirror> {
  const opened = await import('./sqlite-mirror.ts').catch((error: unknown) => {
    if (codeOf(error) === 'ERR_UNKNOWN_BUILTIN_MODULE')
      throw usage(
        `--sqlite needs Node 22.13 or newer, and this is ${process.versions.node}: use --dir DIRECTORY, or a newer Node`,
      )
    throw error
  })
  return opened.openSqliteMirror(file, purpose)
}

const SOURCES = 'shelfwire.json'

async function openDirectory(directory: string, purpose: Purpose): Promise<OpenedMirror> {
  const target = new NdjsonTarget(directory, { dropDamaged: purpose === 'repair' })
  const file = join(directory, SOURCES)
  const sources = () => sourcesIn(file)
  if (purpose === 'write') {
    await makeDirectory(directory)
    const names = await readdir(directory)
    // a home directory that was given by mistake must not be filled with files
    if (
      names.length > 0 &&
      !names.includes(SOURCES) &&
      !names.includes('shelfwire.lock') &&
      (await target.stores()).length === 0
    )
      throw new Failure(
        EXIT.mirror,
        'not-a-mirror',
        `${directory} has other files and is no mirror: give a directory that is empty or not there`,
      )
  } else if ((await target.stores()).length === 0) throw noMirror(directory)
  if (purpose !== 'read') await target.lock()
  return {
    place: directory,
    target,
    stores: () => target.stores(),
    sources,
    async note(added) {
      const all = new Map([...(await sources()), ...added].map((source) => [source.store, source]))
      await writeFile(`${file}.tmp`, `${JSON.stringify({ sources: [...all.values()] }, null, 2)}\n`)
      await rename(`${file}.tmp`, file)
    },
    close: () => target.close(),
  }
}

async function sourcesIn(file: string): Promise<Source[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return []
  try {
    const { sources } = JSON.parse(text) as { sources: Source[] }
    if (Array.isArray(sources)) return sources
  } catch {
    // reported below
  }
  throw new Failure(
    EXIT.mirror,
    'directory-damaged',
    `${file} cannot be read: remove it if the directory is of this account, and it is written anew`,
  )
}
