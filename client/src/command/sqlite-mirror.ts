import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SqliteTarget } from '../targets/sqlite.ts'
import { noMirror, type OpenedMirror, type Purpose, type Source } from './mirror-source.ts'

// Apart from the others, because `node:sqlite` is loaded with it, which Node 20 lacks.

const TABLE =
  'create table if not exists shelfwire_source (store text not null primary key, url text not null, store_id integer not null)'

/** @throws Error of SQLite where the file is none of its own or cannot be written */
export function openSqliteMirror(file: string, purpose: Purpose): OpenedMirror {
  // SQLite would make an empty one
  if (purpose !== 'write' && !existsSync(file)) throw noMirror(file)
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
