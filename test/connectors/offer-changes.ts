import { pick } from '../../src/demo/catalog/prng.ts'
import type { Writer } from './shop-account.ts'

// Changes in an account that a shop follows: one of each kind, and random ones.

type PictureOf = (name: string) => string

/**
 * A change of each kind for the account of `fillAccount`, in rounds. No round changes an article of the shop twice, so that
 * each change must be followed by itself. @param idOf the id of a product by its SKU, called when the change is made
 */
export function changesOfEachKind(
  writer: Writer,
  { idOf, picture }: { idOf: (sku: string) => number; picture: PictureOf },
): (() => Promise<void>)[][] {
  const patch = (sku: string, body: object) => writer.write('PATCH', `/products/${idOf(sku)}`, body)
  return [
    [
      () => writer.patchOffer('TEE-red-S', { cost: '11', quantity: 99 }),
      // leaves its group
      () => writer.patchOffer('CUP-1', { group: null }),
      // without its list price
      () => writer.patchOffer('Spade', { list_price: null }),
      () => writer.write('DELETE', `/products/${idOf('Rake')}`),
      () => patch('Bucket', { exclusions: { '*': 'sold_out' } }),
    ],
    [
      // another category, other pictures, another size
      () =>
        writer.patchOffer('TEE-navy-M', {
          category: 'Kitchen',
          images: [picture('tee-navy-2')],
          group: {
            key: 'TEE',
            title: { en: 'Tee' },
            position: 5,
            options: [
              { key: 'size', label: 'Size', value: 'XL' },
              { key: 'colour', label: 'Colour', value: 'navy' },
            ],
          },
        }),
      () => patch('Spade', { title: { en: 'Spade with a handle' } }),
    ],
    // one of several variants is no longer sold: its stock must be 0 in the shop
    [() => patch('TEE-red-L', { exclusions: { pl: 'not_here' } })],
  ]
}

/** The current state of an article of the account. */
interface Article {
  sku: string
  /** The key of its group. */
  group: string | null
  isDeleted: boolean
}

/** A random change, which is made later and may be made twice. */
export interface DrawnChange {
  what: string
  make(): Promise<void>
}

const CATEGORIES = ['Kitchen', 'Apparel/Tees', null]
/** The number of different pictures in changes; not many, because a shop copies each. */
const PICTURES = 12

/** An account with many articles, most of them in groups of two to five variants, and random changes to it. */
export class ArticlesByChance {
  readonly #random: () => number
  readonly #writer: Writer
  readonly #idOf: (sku: string) => Promise<number>
  readonly #picture: PictureOf
  readonly #articles: Article[] = []
  /** A counter, so that no two variants have the same values. */
  #made = 0

  constructor(
    random: () => number,
    of: { writer: Writer; idOf: (sku: string) => Promise<number>; picture: PictureOf },
  ) {
    this.#random = random
    this.#writer = of.writer
    this.#idOf = of.idOf
    this.#picture = of.picture
  }

  /** Offers of this many articles, to be put in this order. */
  *offers(count: number): Generator<{ sku: string; offer: object }> {
    while (this.#articles.length < count) {
      const variants = this.#random() < 0.6 ? 2 + this.#number(4) : 1
      const group = variants === 1 ? null : `G${this.#articles.length}`
      for (let i = 0; i < variants && this.#articles.length < count; i++) yield this.#another(group)
    }
  }

  draw(): DrawnChange {
    const there = this.#articles.filter(({ isDeleted }) => !isDeleted)
    const article = pick(there, this.#random)
    const { sku, group } = article
    const patch = (what: string, more: object) => ({
      what: `${sku} ${what}`,
      make: () => this.#writer.patchOffer(sku, more),
    })
    const product = (what: string, body: object) => ({
      what: `${sku} ${what}`,
      make: async () => this.#writer.write('PATCH', `/products/${await this.#idOf(sku)}`, body),
    })
    const at = (this.#made += 1)
    const kinds: (() => DrawnChange)[] = [
      () => patch('costs otherwise', { cost: this.#cost() }),
      () => patch('is counted', { quantity: this.#number(50) }),
      () => patch('has a list price', { list_price: this.#random() < 0.5 ? null : '999.95' }),
      () => patch('is in another category', { category: pick(CATEGORIES, this.#random) }),
      () => patch('has other pictures', { images: this.#pictures() }),
      () => patch('has another text', { texts: { en: { title: `Thing ${at}`, description: `<p>No. ${at}</p>` } } }),
      () => patch('weighs', { weight: `0.${1 + this.#number(9)}`, country_of_origin: 'PT', hs_code: '610910' }),
      () => product('is called otherwise', { title: { en: `Named ${at}` } }),
      () => product('is not sold in Poland', { exclusions: { pl: 'not_here' } }),
      () => product('is not sold', { exclusions: { '*': 'sold_out' } }),
      () => product('is sold again', { exclusions: { '*': null, pl: null } }),
      () => this.#regroup(article, group === null ? this.#group() : this.#random() < 0.5 ? null : group),
      () => this.#regroup(article, this.#group()),
      () => this.#remove(article),
      () => this.#add(),
    ]
    return pick(kinds, this.#random)()
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below)
  }

  #cost(): string {
    return (1 + this.#random() * 200).toFixed(2)
  }

  #pictures(): string[] {
    return Array.from({ length: this.#number(3) }, () => this.#picture(`thing-${this.#number(PICTURES)}`))
  }

  /** The key of an existing group, or null if there is none. */
  #group(): string | null {
    const groups = this.#articles.flatMap(({ group, isDeleted }) => (group === null || isDeleted ? [] : [group]))
    return groups.length === 0 ? null : pick(groups, this.#random)
  }

  #another(group: string | null): { sku: string; offer: object } {
    const at = this.#articles.length
    const sku = `THING-${at}`
    this.#articles.push({ sku, group, isDeleted: false })
    const offer = {
      cost: this.#cost(),
      quantity: this.#number(50),
      category: pick(CATEGORIES, this.#random),
      texts: { en: { title: `Thing ${at}`, description: `<p>No. ${at}</p>` }, pl: { title: `Rzecz ${at}` } },
      images: this.#pictures(),
      ...(this.#random() < 0.2 ? { list_price: '999.95' } : {}),
      ...(group === null ? {} : { group: this.#member(group) }),
    }
    return { sku, offer }
  }

  /** The membership of a group, with an option value that no other variant has. */
  #member(group: string): object {
    const at = (this.#made += 1)
    const options = [{ key: 'size', label: 'Size', value: `S${at}` }]
    return { key: group, title: { en: group }, position: at, options }
  }

  #regroup(article: Article, group: string | null): DrawnChange {
    article.group = group
    const member = group === null ? null : this.#member(group)
    return {
      what: `${article.sku} is in ${group ?? 'no group'}`,
      make: () => this.#writer.patchOffer(article.sku, { group: member }),
    }
  }

  #remove(article: Article): DrawnChange {
    article.isDeleted = true
    return {
      what: `${article.sku} is deleted`,
      make: async () => {
        const id = await this.#idOf(article.sku).catch(() => null)
        // already done, and only the answer was lost
        if (id !== null) await this.#writer.write('DELETE', `/products/${id}`)
      },
    }
  }

  /** Puts a deleted article again, which is a new product with the same SKU, or a new article. */
  #add(): DrawnChange {
    const gone = this.#articles.find(({ isDeleted }) => isDeleted)
    const group = this.#random() < 0.5 ? this.#group() : null
    const { sku, offer } = this.#another(group)
    if (gone === undefined || this.#random() < 0.5)
      return { what: `${sku} is new`, make: () => this.#writer.putOffer(sku, offer) }
    this.#articles.pop()
    gone.isDeleted = false
    gone.group = group
    return { what: `${gone.sku} is there again`, make: () => this.#writer.putOffer(gone.sku, offer) }
  }
}
