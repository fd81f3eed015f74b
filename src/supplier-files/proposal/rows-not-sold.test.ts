import { describe, expect, it } from 'vitest'
import { chunked, readAll } from '../fixtures.ts'
import { detectMapping } from './detect.ts'
import { isPlainlyEnglish, languageByOwnLetters } from './text-language.ts'

// Rows that say that they are not sold, HTML in titles, and what else lists of round 6 showed. docs/decisions/271-zero-is-no-price.md says why.

async function proposed(file: string) {
  const questions: string[] = []
  const { mapping } = await detectMapping(chunked(file), (question) => questions.push(question))
  const offers = JSON.parse(JSON.stringify(await readAll(file, mapping))) as { offer?: Record<string, unknown> }[]
  return { mapping, questions, offers: offers.flatMap(({ offer }) => (offer === undefined ? [] : [offer])) }
}

const table = (columns: string, row: (n: number) => string, rows = 8) =>
  `${columns}\n${Array.from({ length: rows }, (_, n) => row(n)).join('\n')}\n`

const NOT_SOLD = 'and come in like the others: are these articles for sale?'
const ONE_NOT_SOLD = 'and comes in like the others: is this article for sale?'

describe('rows that are not sold', () => {
  it.each([
    ['Status', 'Active', 'Discontinued'],
    ['status', 'active', 'inactive'],
    ['Lifecycle', 'A', 'End of life'],
    ['is_active', '1', '0'],
    ['isActive', 'true', 'false'],
    ['published', 'yes', 'no'],
    ['status', '1', '0'],
    ['Product Active Flag', 'Y', 'N'],
    ['discontinued', '0', '1'],
    ['is_deleted', 'FALSE', 'TRUE'],
    ['Auslauf', '', 'x'],
    ['Auslaufartikel', 'Nein', 'Ja'],
    ['Bemerkung', '', 'Auslaufartikel'],
    ['Aktywny', 'tak', 'nie'],
    ['Uwagi', '', 'Wycofany z oferty'],
    ['Activo', 'SI', 'NO'],
    ['Estado', 'Activo', 'Descatalogado'],
    ['Статус', 'В продаже', 'Снят с производства'],
  ])('are asked about, with what leaves them out: %s, %s and %s (I191)', async (column, sold, ended) => {
    const file = table(
      `sku;name;Price;Stock;${column}`,
      (n) => `A${n};Chair ${n};${10 + n}.50;${n};${n % 4 === 1 ? ended : sold}`,
    )
    const { mapping, questions, offers } = await proposed(file)
    expect(questions.join()).toContain(
      `2 of 8 rows have ${JSON.stringify(ended)} in ${JSON.stringify(column)}, ${NOT_SOLD}`,
    )
    expect(offers).toHaveLength(8)
    const skip = /"skip": (\[\{.*\}\])/u.exec(questions.join())?.[1] ?? ''
    const left = await readAll(file, { ...mapping, skip: JSON.parse(skip) as [] })
    expect(left.filter((row) => 'offer' in row)).toHaveLength(6)
  })

  it.each([
    ['Status', () => 'Active'],
    ['Lifecycle', () => 'Discontinued'],
    ['Name 2', (n: number) => (n === 1 ? 'Draft beer tap' : 'Chair')],
    ['Featured', (n: number) => String(n % 2)],
    ['Active ingredient', (n: number) => (n % 2 === 0 ? 'yes' : 'no')],
    ['Colour', (n: number) => ['red', 'blue'][n % 2] ?? ''],
  ])('are not asked about where a column says nothing of a part of them: %s', async (column, value) => {
    const { questions } = await proposed(
      table(`sku;name;Price;Stock;${column}`, (n) => `A${n};Chair ${n};${10 + n}.50;${n};${value(n)}`),
    )
    expect(questions.join()).not.toMatch(/for sale\?/)
  })

  it('have no pieces where the stock says so, and are not asked about', async () => {
    const { questions, offers } = await proposed(
      table(
        'sku;name;Price;Availability',
        (n) => `A${n};Chair ${n};${10 + n}.50;${n === 1 ? 'discontinued' : 'in stock'}`,
      ),
    )
    expect(offers[1]).toMatchObject({ quantity: 0 })
    expect(questions.join()).not.toMatch(/for sale\?/)
  })
})

describe('HTML in titles', () => {
  const titleOf = (offer: Record<string, unknown> | undefined) =>
    Object.values((offer?.['texts'] ?? {}) as Record<string, { title?: string }>)[0]?.title

  it.each([
    ['<b>Chair</b> of oak', 'Chair of oak'],
    ['Table &amp; chair', 'Table & chair'],
    ['Chair 19&quot; wide', 'Chair 19" wide'],
    ['Joe&#039;s chair &#8211; oak', 'Joe\u2019s chair \u2013 oak'.replace('\u2019', "'")],
    ['Chair<br />of oak', 'Chair of oak'],
    ['Chair H<sub>2</sub>O', 'Chair H2O'],
    ['&lt;b&gt;Chair&lt;/b&gt;', 'Chair'],
    ['<span style="color:red">Chair</span> new', 'Chair new'],
  ])('is removed, which is asked: %s (I191)', async (title, plain) => {
    const { questions, offers } = await proposed(
      table(
        'sku,name,Price,Stock',
        (n) => `A${n},"${(n === 1 ? title : `Chair ${n}`).replaceAll('"', '""')}",${10 + n}.50,${n}`,
      ),
    )
    expect(titleOf(offers[1])).toBe(plain)
    expect(titleOf(offers[2])).toBe('Chair 2')
    expect(questions.join()).toContain('titles in "name" have tags or entities of HTML')
  })

  it.each(['AT&T cable; black', 'Cable <5 m>', 'Size < 5 & > 3', 'R&D;', 'Set <new>'])(
    'is none in a title with its signs: %s',
    async (title) => {
      const { questions, offers } = await proposed(
        table('sku,name,Price,Stock', (n) => `A${n},${n === 1 ? title : `Chair ${n}`},${10 + n}.50,${n}`),
      )
      expect(titleOf(offers[1])).toBe(title)
      expect(questions.join()).not.toContain('HTML')
    },
  )

  it('stays in descriptions', async () => {
    const { mapping } = await proposed(
      table(
        'sku,name,description,Price,Stock',
        (n) => `A${n},Chair ${n},<p>A chair of oak &amp; pine</p>,${10 + n}.50,${n}`,
      ),
    )
    expect(mapping.fields.description).toBe('description')
  })

  it('is removed where a ready mapping reads the title, or asked about where that has several sources', async () => {
    const feed = (tag: string) =>
      `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Chairs</title>${Array.from(
        { length: 4 },
        (_, n) =>
          `<item><g:id>A${n}</g:id><g:title>Chair ${n} &amp;amp; table</g:title><g:description>A chair</g:description><g:link>https://shop.example/${n}</g:link><g:image_link>https://shop.example/${n}.jpg</g:image_link><g:price>${10 + n}.00 EUR</g:price><g:availability>${tag}</g:availability></item>`,
      ).join('')}</channel></rss>`
    const { questions, offers } = await proposed(feed('in stock'))
    expect(questions.join()).toMatch(/titles (?:in "title" )?have tags or entities of HTML/)
    if (questions.join().includes('in "title"')) expect(titleOf(offers[0])).toBe('Chair 0 & table')
  })
})

describe('names and languages', () => {
  it.each(['Invetario', 'Quanity', 'Inventry'])('of a stock may be misspelled: %s', async (column) => {
    const { mapping } = await proposed(table(`sku;name;Price;${column}`, (n) => `A${n};Chair ${n};${10 + n}.50;${n}`))
    expect(mapping.fields.quantity).toBe(column)
  })

  it.each([
    ['cs', ['Židle dubová', 'Stůl kulatý', 'Skříň bílá', 'Police úzká', 'Křeslo šedé', 'Lampa']],
    ['pt', ['Cartão presente', 'Toalha de algodão', 'Sabão líquido', 'Vela', 'Caneca']],
  ])('of short titles are shown by their letters: %s', (language, texts) => {
    expect(languageByOwnLetters(texts)).toBe(language)
  })

  it('of a feed in Czech form are English without letters with marks', () => {
    const english = ['Wheelchair with footrest', 'Walking frame for adults', 'Shower chair with back and arms']
    expect(isPlainlyEnglish([...english, ...english.map((title) => `Folding ${title}`)])).toBe(true)
    expect(isPlainlyEnglish(english.slice(0, 1))).toBe(false)
    expect(isPlainlyEnglish([...english, ...english, 'Sprchová židle'])).toBe(false)
    expect(isPlainlyEnglish(Array.from({ length: 20 }, () => 'Lampa stolni Retro'))).toBe(false)
  })
})

describe('a choice of the account', () => {
  it('about rows that are not sold is not asked again', async () => {
    const file = table(
      'sku;name;Price;Stock;Status',
      (n) => `A${n};Chair ${n};${10 + n}.50;${n};${n === 1 ? 'inactive' : 'active'}`,
    )
    const { mapping, questions } = await proposed(file)
    expect(questions.join()).toContain(ONE_NOT_SOLD)
    const again: string[] = []
    const chosen = { ...mapping, skip: [{ column: 'Status', in: ['inactive'] }] }
    await detectMapping(chunked(file), (question) => again.push(question), [
      { supplier: 'acme', isOwn: true, mapping: chosen },
    ])
    expect(again.join()).not.toContain(ONE_NOT_SOLD)
  })
})
