import { pick } from '../../src/demo/catalog/prng.ts'
import type { Writer } from './shop-account.ts'

// What changes in an account that a shop follows: a change of each kind, and changes drawn by chance.

type PictureOf = (name: string) => string

/**
 * A change of each kind, for the account of `fillAccount`: in rounds, of which no one has two changes of one article of the shop, so that each
 * must be followed for what it is. @param idOf a product by its SKU, when the change is made
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
      // no list price any more
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
    // one variant of several is not sold any more: it has no stock
    [() => patch('TEE-red-L', { exclusions: { pl: 'not_here' } })],
  ]
}

/** An article of the account as the changes have left it. */
interface Article {
  sku: string
  /** The key of its group. */
  group: string | null
  isDeleted: boolean
}

/** A change drawn by chance, to be made when its turn comes. It may be made twice. */
export interface DrawnChange {
  what: string
  make(): Promise<void>
}

const CATEGORIES = ['Kitchen', 'Apparel/Tees', null]
/** Of those that a change gives a product; not many, because a shop copies each. */
const PICTURES = 12

/** An account of many articles, most of them in groups of two to five variants, and what happens to it. */
export class ArticlesByChance {
  readonly #random: () => number
  readonly #writer: Writer
  readonly #idOf: (sku: string) => Promise<number>
  readonly #picture: PictureOf
  readonly #articles: Article[] = []
  /** Numbers what is made, so that no two variants have the same values. */
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

  /** Offers of so many articles, to be put in this order. */
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

  /** The key of a group that there is, or null where there is none. */
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

  /** A place of a group, with a value that no other variant has. */
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
        // it was, and only the answer was lost
        if (id !== null) await this.#writer.write('DELETE', `/products/${id}`)
      },
    }
  }

  /** One that was deleted is put again, which is another product of the same SKU, or a new one. */
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
