import { openDb } from '../../src/db/open-db.ts'

/** Runs a statement in the database that each of the URLs names. */
export async function onEvery(urls: readonly string[], statement: string): Promise<void> {
  await Promise.all(
    urls.map(async (url) => {
      const admin = openDb({ url, connectionsMax: 1 })
      try {
        await admin.unsafe(statement)
      } finally {
        await admin.end()
      }
    }),
  )
}

/** The URL of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
