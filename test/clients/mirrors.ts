import { NdjsonTarget } from '../../client/src/targets/ndjson.ts'
import { SqliteTarget } from '../../client/src/targets/sqlite.ts'
import type { VerifiableTarget } from '../../client/src/verify/held.ts'
import type { Language } from './languages.ts'

// Mirrors of all languages have the two forms of @shelfwire/client, so its targets can read and change them in tests.

/** Opens a mirror, which no other process may be writing. */
export async function inMirror<T>(
  { option }: Pick<Language, 'option'>,
  place: string,
  work: (target: VerifiableTarget) => Promise<T>,
): Promise<T> {
  const target = option === '--dir' ? new NdjsonTarget(place) : new SqliteTarget(place)
  try {
    return await work(target)
  } finally {
    await target.close()
  }
}

/** The stored text of each product, by ascending id. */
export const textsIn = (language: Pick<Language, 'option'>, place: string, store: string) =>
  inMirror(language, place, async (target) => {
    const texts = new Map<number, string>()
    const refuse = ({ file, line }: { file: string; line: number }) => {
      throw new Error(`${file}, line ${line} is damaged`)
    }
    for await (const page of target.held(store, refuse)) for (const { id, text } of page) texts.set(id, text)
    return texts
  })
