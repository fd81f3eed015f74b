import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A copy of a part of the project with one change, to be imported beside the project itself. It shows how the next release would read data that
// this one has stored.

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** A field of a product's own column that no release has: a line of FIELDS in contract/product-fields.ts. */
export const LATER_FIELD = {
  file: 'contract/product-fields.ts',
  from: "  images: { form: 'images',",
  to: "  later: { form: 'name', lengthMax: 200, values: 'text', isOptional: true, shownIn: ['grid'], isSearched: true, description: 'A later field' },\n  images: { form: 'images',",
}

interface CopiedTree extends AsyncDisposable {
  directory: string
  /** Imports a file of the copy. */
  import<T>(file: string): Promise<T>
}

/** @param entries files and folders, by their paths in the project */
export async function copyTree(
  entries: readonly string[],
  { file, from, to }: { file: string; from: string; to: string },
): Promise<CopiedTree> {
  await mkdir(join(PROJECT, 'tmp'), { recursive: true })
  const copy = await mkdtemp(join(PROJECT, 'tmp', 'copied-'))
  for (const entry of entries) {
    await mkdir(dirname(join(copy, entry)), { recursive: true })
    // without the built panel, which another test may build meanwhile
    const filter = (path: string) => basename(path) !== 'dist'
    await cp(join(PROJECT, entry), join(copy, entry), { recursive: true, filter })
  }
  const text = await readFile(join(copy, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`the text to replace is not once in ${file}: ${from}`)
  await writeFile(join(copy, file), text.replace(from, to))
  return {
    directory: copy,
    import: async <T>(name: string) => (await import(/* @vite-ignore */ join(copy, name))) as T,
    [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }),
  }
}
