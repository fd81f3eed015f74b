import { unreadable } from './rows.ts'

// The categories of a catalog that its articles name by their ids.

/** A category, and the id of the one that contains it. */
export interface Category {
  name: string
  parent: string
  /** The root is the catalog as a whole, and no level of a path. */
  isRoot: boolean
}

const DEPTH_MAX = 32

/** The names of a category and its parents, joined with `/`; '' for an unknown id. */
export function categoryPath(categories: ReadonlyMap<string, Category>, id: string): string {
  const names: string[] = []
  let category = categories.get(id)
  // bounded, because in a faulty file categories may contain each other
  for (let depth = 0; category !== undefined && !category.isRoot && depth < DEPTH_MAX; depth++) {
    if (category.name !== '') names.unshift(category.name.replaceAll('/', '-'))
    category = categories.get(category.parent)
  }
  return names.join('/')
}

/** Categories that are read one after the other. */
export class CategoryTree {
  readonly #categories = new Map<string, Category>()
  readonly #bytesMax: number
  #bytes = 0

  /** @param bytesMax how many bytes the categories may take, roughly */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get size(): number {
    return this.#categories.size
  }

  has(id: string): boolean {
    return this.#categories.has(id)
  }

  /** Of several categories with one id, the first counts. @throws ShelfwireError `source-unreadable` beyond bytesMax */
  take(id: string, category: Category): void {
    if (id === '' || this.#categories.has(id)) return
    this.#bytes += 200 + 2 * (id.length + category.name.length + category.parent.length)
    if (this.#bytes > this.#bytesMax)
      throw unreadable(`the categories of the file take more than ${this.#bytesMax} bytes: split the file`)
    this.#categories.set(id, category)
  }

  path(id: string): string {
    return categoryPath(this.#categories, id)
  }
}
