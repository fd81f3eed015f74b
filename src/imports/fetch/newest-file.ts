import { LIMITS } from '../../platform/limits.ts'
import { matchesName } from '../sources/address.ts'
import { FetchError } from './fetched.ts'

/** A file in a directory's listing. */
export interface ListedFile {
  name: string
  /** -1 if the server does not say. */
  bytes: number
  /** Milliseconds since 1970; 0 if the server does not say. */
  modifiedMs: number
}

/** Finds the newest file whose name matches a pattern, among the files of a listing. */
export class NewestFile {
  readonly #pattern: string
  #listed = 0
  #newest: ListedFile | null = null

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  /** @throws FetchError when the directory has too many entries */
  add(file: ListedFile): void {
    this.#listed++
    if (this.#listed > LIMITS.sourceListedMax)
      throw new FetchError(
        'too_many_files',
        `the directory has more than ${LIMITS.sourceListedMax} entries: name the file without *, or use another directory`,
      )
    if (!matchesName(this.#pattern, file.name)) return
    const before = this.#newest
    const isNewer =
      before === null ||
      file.modifiedMs > before.modifiedMs ||
      // of two files of the same age, the name that sorts last wins: names often contain a date
      (file.modifiedMs === before.modifiedMs && file.name > before.name)
    if (isNewer) this.#newest = file
  }

  /** @throws FetchError when no file matches */
  get(): ListedFile {
    if (this.#newest !== null) return this.#newest
    throw missing(this.#pattern)
  }
}

export function missing(file: string): FetchError {
  const isPattern = file.includes('*')
  return new FetchError(
    'not_found',
    isPattern
      ? `there is no file whose name fits ${JSON.stringify(file.slice(0, 100))}: check the directory and the name with the supplier`
      : `there is no file ${JSON.stringify(file.slice(0, 100))}: check its path with the supplier`,
    { isForGood: !isPattern },
  )
}

/** Identifies a version of a file, in place of an ETag; null if size or time are unknown. */
export const versionOf = ({ name, bytes, modifiedMs }: ListedFile) =>
  modifiedMs === 0 || bytes < 0 ? null : `${modifiedMs}-${bytes}-${name}`.slice(0, 300)
