import { asProblem } from '../../api/problem.ts'
import { changeResource, createResource, readResource, readResources } from '../../api/resources.ts'

// Mapping suppliers' paths. A path belongs to one category: it is removed from its old category before it is added to the
// new one.

type Progress = (done: number, of: number) => void

const ATTEMPTS = 3
const isSame = (a: string, b: string) => levelsOf(a) === levelsOf(b)
/** Normalizes a path as the service does: letter case, and blanks around levels, are ignored. */
const levelsOf = (path: string) =>
  path
    .normalize('NFC')
    .split('/')
    .map((level) => level.trim().toLowerCase())
    .filter((level) => level !== '')
    .join('/')

/** Changes a category's paths after reading them again, because somebody else may be mapping too. */
async function changePaths(accountId: number, id: number, change: (paths: string[]) => string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { data, revision } = await readResource(accountId, 'categories', id)
    const next = change(data.supplier_paths)
    if (next.length === data.supplier_paths.length) return
    try {
      await changeResource(accountId, 'categories', id, { supplier_paths: next }, revision)
      return
    } catch (error) {
      if (asProblem(error).code !== 'precondition-failed' || attempt === ATTEMPTS) throw error
    }
  }
}

export async function mapPaths(
  accountId: number,
  id: number,
  paths: readonly string[],
  progress: Progress,
): Promise<void> {
  const others = (await readResources(accountId, 'categories')).filter(
    (category) => category.id !== id && category.supplier_paths.some((own) => paths.some((path) => isSame(own, path))),
  )
  for (const other of others)
    await changePaths(accountId, other.id, (own) => own.filter((path) => !paths.some((wanted) => isSame(wanted, path))))
  await changePaths(accountId, id, (own) => [
    ...own,
    ...paths.filter((path) => !own.some((known) => isSame(known, path))),
  ])
  progress(paths.length, paths.length)
}

/** Maps unmapped paths, each to its proposed category. */
export async function mapProposed(
  accountId: number,
  proposed: readonly (readonly [path: string, id: number])[],
  progress: Progress,
): Promise<void> {
  let done = 0
  for (const [id, pairs] of Map.groupBy(proposed, ([, category]) => category)) {
    const paths = pairs.map(([path]) => path)
    await changePaths(accountId, id, (own) => [
      ...own,
      ...paths.filter((path) => !own.some((known) => isSame(known, path))),
    ])
    done += paths.length
    progress(done, proposed.length)
  }
}

/**
 * Creates a category for each path and maps the path to it. An existing category with the same path is used instead.
 */
export async function createMapped(accountId: number, paths: readonly string[], progress: Progress): Promise<void> {
  const known = await readResources(accountId, 'categories')
  for (const [i, path] of paths.entries()) {
    progress(i, paths.length)
    const same = known.find((category) => isSame(category.path, path))
    if (same !== undefined) await mapPaths(accountId, same.id, [path], () => undefined)
    else {
      const levels = path.split('/').flatMap((level) => (level.trim() === '' ? [] : [level.trim()]))
      const body = { path: levels.join('/'), supplier_paths: [path] }
      known.push(await createResource(accountId, 'categories', body, { isOneOfMany: true }))
    }
  }
  progress(paths.length, paths.length)
}
