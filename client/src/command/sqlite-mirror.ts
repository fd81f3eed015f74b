import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SqliteTarget } from '../targets/sqlite.ts'
import { EXIT, Failure } from './failure.ts'
import { noMirror, type OpenedMirror, type Purpose, type Source } from './mirror-source.ts'

// A module of its own, because it imports `node:sqlite`, which Node 20 lacks.

const TABLE =
  'create table if not exists shelfwire_source (store text not null primary key, url text not null, store_id integer not null)'

/** What a file is before anything is written to it. */
function foundIn(file: string): 'nothing' | 'mirror' | 'other' {
  if (!existsSync(file) || statSync(file).size === 0) return 'nothing'
  // not opened read-only, which would leave the files of the write-ahead log beside it; a select changes nothing
  const db = new DatabaseSync(file, { timeout: 10_000 })
  try {
    const names = new Set(
      db
        .prepare("select name from sqlite_master where type = 'table'")
        .all()
        .map((row) => row['name']),
    )
    if (names.has('shelfwire_position')) return 'mirror'
    // a mirror that another process is just making has no tables yet, or only the first
    return names.size === 0 || names.has('shelfwire_product') ? 'nothing' : 'other'
  } finally {
    db.close()
  }
}

/** @throws Error of SQLite where the file is no database or cannot be written; Failure where the database is no mirror, or there is none to read */
export function openSqliteMirror(file: string, purpose: Purpose): OpenedMirror {
  // checked first: SQLite would make a missing file, and our tables in any database
  const found = foundIn(file)
  if (purpose !== 'write' && found !== 'mirror') throw noMirror(file)
  if (found === 'other')
    throw new Failure(
      EXIT.mirror,
      'not-a-mirror',
      `${file} is a database of something else: give another file, which is made where it is not there`,
    )
  const target = new SqliteTarget(file)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.exec(TABLE)
  const close = () => {
    db.close()
    target.close()
    return Promise.resolve()
  }
  if (purpose !== 'write' && target.stores().length === 0) {
    void close()
    throw noMirror(file)
  }
  return {
    place: file,
    target,
    stores: () => Promise.resolve(target.stores()),
    sources: () =>
      Promise.resolve(
        db
          .prepare('select store, url, store_id from shelfwire_source order by store')
          .all()
          .map((row): Source => ({
            store: String(row['store']),
            url: String(row['url']),
            storeId: Number(row['store_id']),
          })),
      ),
    note(sources) {
      const save = db.prepare(
        'insert into shelfwire_source (store, url, store_id) values (?, ?, ?) on conflict (store) do update set url = excluded.url, store_id = excluded.store_id',
      )
      for (const { store, url, storeId } of sources) save.run(store, url, storeId)
      return Promise.resolve()
    },
    close,
  }
}
