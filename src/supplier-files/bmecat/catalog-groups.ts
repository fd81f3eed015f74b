import { categoryPath, type Category } from '../category-tree.ts'
import { unreadable } from '../rows.ts'
import { elementText, memberOf } from '../xml/names.ts'
import { textsOf } from './texts.ts'

/**
 * The groups of a catalog: the supplier's own (CATALOG_GROUP_SYSTEM, with a map of articles to groups after all articles), and those
 * of classification systems that the catalog contains, to which its articles refer.
 */
export class CatalogGroups {
  readonly #own = new Map<string, Category>()
  readonly #ofArticles = new Map<string, string>()
  readonly #systems = new Map<string, Map<string, Category>>()
  #system = new Map<string, Category>()
  readonly #bytesMax: number
  #bytes = 0

  /** @param bytesMax how many bytes the groups and the map of articles may take, roughly */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Whether the catalog has groups of its own, to which a map at its end assigns the articles. */
  get areMapped(): boolean {
    return this.#own.size > 0
  }

  /** Keeps an element of the catalog that is about groups. @throws ShelfwireError `source-unreadable` beyond bytesMax */
  take(name: string, value: unknown, locale: string): void {
    const text = (member: string) => elementText(memberOf(value, member))
    const named = (member: string) => {
      const texts = textsOf(memberOf(value, member), locale)
      return texts[locale] ?? Object.values(texts)[0] ?? ''
    }
    const isRoot = elementText(memberOf(value, '@type')) === 'root'
    this.#keep(value)
    if (name === 'CATALOG_STRUCTURE')
      this.#own.set(text('GROUP_ID'), { name: named('GROUP_NAME'), parent: text('PARENT_ID'), isRoot })
    else if (name === 'CLASSIFICATION_SYSTEM_NAME') {
      this.#system = new Map()
      this.#systems.set(elementText(value), this.#system)
    } else if (name === 'CLASSIFICATION_GROUP') {
      const parent = text('CLASSIFICATION_GROUP_PARENT_ID')
      this.#system.set(text('CLASSIFICATION_GROUP_ID'), {
        name: named('CLASSIFICATION_GROUP_NAME'),
        parent,
        isRoot: false,
      })
    } else {
      const article = text('ART_ID') || text('PROD_ID') || text('SUPPLIER_PID')
      // of several groups of an article, the first counts
      if (!this.#ofArticles.has(article)) this.#ofArticles.set(article, text('CATALOG_GROUP_ID'))
    }
  }

  #keep(value: unknown): void {
    this.#bytes += 200 + JSON.stringify(value).length
    if (this.#bytes > this.#bytesMax)
      throw unreadable(
        `the groups of the catalog, and the articles that are mapped to them, take more than ${this.#bytesMax} bytes: split the file`,
      )
  }

  /** The path of an article's group, such as `Tools/Spades`; '' if it has none. */
  ofArticle(sku: string): string {
    return categoryPath(this.#own, this.#ofArticles.get(sku) ?? '')
  }

  /** The path of a group of a classification system; '' if the catalog does not contain it. */
  ofClass(system: string, id: string): string {
    return categoryPath(this.#systems.get(system) ?? new Map(), id)
  }
}
