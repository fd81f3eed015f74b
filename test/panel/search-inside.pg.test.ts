import { beforeAll, expect, test } from 'vitest'
import { deleteProducts } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { exactLexeme, searchQuery, wordLexeme } from '../../src/model/search-words.ts'
import { productsOfEach } from '../../src/overview/search-words.ts'
import { addTerms, fillStep, openKnownTerms } from '../../src/shelf/search/search-terms.ts'
import { createAccount, giveOffers, offer, productIdsOf, type TestAccount } from '../harness/account.ts'

import { makeMember, makePerson, signedIn, type Browser } from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// Search inside words, and suggestions if nothing is found; over HTTP, as the panel does.

const { database, bench, service } = worldOfFile({ service: {} })
let browser: Browser
let personId = 0

beforeAll(async () => {
  personId = await makePerson(database.db, 'anna@example.com')
})

async function ownAccount(name: string): Promise<TestAccount> {
  const account = await createAccount(bench, name)
  await makeMember(database.db, account.accountId, personId, 'anna@example.com', 'member')
  browser = await signedIn(database.db, service.url, personId)
  return account
}

const list = async ({ accountId }: TestAccount, query: Record<string, string | number> = {}) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return (await browser.get(`/panel/api/accounts/${accountId}/products?${text}`)).body
}
const ids = async (account: TestAccount, query: Record<string, string | number> = {}): Promise<number[]> =>
  (await list(account, query)).data.map(({ id }: { id: number }) => id)
const count = async ({ accountId }: TestAccount, query: Record<string, string>) =>
  (await browser.get(`/panel/api/accounts/${accountId}/products/count?${new URLSearchParams(query).toString()}`)).body
    .data.count

test('words are found inside words, after those that begin with them, in German, Polish, French, Greek and Russian', async () => {
  const account = await ownAccount('inside')
  const titled = (sku: string, locale: string, title: string, more = {}) =>
    offer(sku, { texts: { [locale]: { title } }, ...more })
  const made = await giveOffers(bench, account, [
    titled('I-1', 'de', 'Gießkanne verzinkt 10 l', { eans: ['4006381333931'], category: 'Garten/Bewässerung & Töpfe' }),
    titled('I-2', 'de', 'Kannenständer aus Eichenholz'),
    titled('I-3', 'de', 'Kaffeemuehle mit Glasbehälter', { category: 'Küche' }),
    titled('I-4', 'pl', 'Żyrandol szklany, łańcuszek wiszący'),
    titled('I-5', 'en', 'Théière émaillée, façon crème brûlée'),
    titled('I-6', 'en', 'Ηλεκτρικός βραστήρας'),
    titled('I-7', 'en', 'Электросамовар тульский'),
  ])
  const [can, rack, mill, lamp, pot, kettle, samovar] = made
  const found = (search: string, query = {}) => ids(account, { search, ...query })
  // titles that begin with the word are first
  expect(await found('kanne')).toEqual([rack, can])
  expect(await list(account, { search: 'kanne' })).toMatchObject({
    meta: { total: 2, next_after: null, did_you_mean: null },
  })
  expect(await count(account, { search: 'kanne' })).toBe(2)
  expect(await found('kanne', { sort: '-id' })).toEqual([rack, can])
  expect(await found('kanne 10')).toEqual([can])
  expect(await found('10 kanne')).toEqual([can])
  expect(await found('holz')).toEqual([rack])
  // page by page, each once
  const first = await list(account, { search: 'kanne', per_page: 1 })
  expect([first.data[0].id, first.meta.total]).toEqual([rack, 2])
  const second = await list(account, { search: 'kanne', per_page: 1, after: first.meta.next_after })
  expect([second.data.map(({ id }: { id: number }) => id), second.meta.next_after]).toEqual([[can], null])
  // umlauts both ways, and inside words
  for (const search of [
    'giesskanne',
    'Gießkanne',
    'GIESSKANNE',
    'bewaesserung',
    'Bewässerung',
    'bewasserung',
    'toepfe',
  ])
    expect([search, await found(search)]).toEqual([search, [can]])
  for (const search of ['Kaffeemühle', 'mühle', 'muehle', 'behaelter', 'küche', 'kueche'])
    expect([search, await found(search)]).toEqual([search, [mill]])
  for (const search of ['zyrandol', 'lancuszek', 'ŁAŃCUSZEK', 'uszek'])
    expect([search, await found(search)]).toEqual([search, [lamp]])
  for (const search of ['theiere', 'brulee', 'maillee']) expect([search, await found(search)]).toEqual([search, [pot]])
  for (const search of ['βραστήρας', 'στηρ', 'ηλεκτρ'])
    expect([search, await found(search)]).toEqual([search, [kettle]])
  for (const search of ['самовар', 'электро']) expect([search, await found(search)]).toEqual([search, [samovar]])
  // the last digits of an EAN
  for (const search of ['3931', '1333931', '33931 kanne'])
    expect([search, await found(search)]).toEqual([search, [can]])
  expect([await found('931'), await found('3932')]).toEqual([[], []])
  // a selection has the same products as the list
  expect(await count(account, { search: 'kanne', category: 'garten' })).toBe(1)
  const other = await ownAccount('not inside')
  await giveOffers(bench, other, [titled('O-1', 'de', 'Eimer')])
  expect(await ids(other, { search: 'kanne' })).toEqual([])
})

test('where nothing is found, a search with a typing error or two less is offered that finds something', async () => {
  const account = await ownAccount('meant')
  const titles = [
    'Gießkanne grün',
    'Gießkanne rot',
    'Akku-Bohrschrauber',
    'Bohrer',
    'Szlifierka kątowa',
    'Тульский самовар',
  ]
  const made = await giveOffers(
    bench,
    account,
    titles.map((title, i) => offer(`M-${i}`, { texts: { en: { title } }, quantity: i === 0 ? 0 : 5 })),
  )
  const meant = async (search: string, query = {}) => (await list(account, { search, ...query })).meta.did_you_mean
  for (const [search, text] of [
    ['gieskanne', 'Gießkanne'],
    ['giesskane', 'Gießkanne'],
    ['geiskanne rot', 'Gießkanne rot'],
    ['Gieskane', 'Gießkanne'],
    ['borhschrauber', 'Bohrschrauber'],
    ['boher', 'Bohrer'],
    ['szlifirka katowa', 'Szlifierka kątowa'],
    ['самвоар', 'самовар'],
  ] as const)
    expect([search, await meant(search)]).toEqual([search, text])
  // the suggestion finds something with the current filters
  expect(await meant('gieskane grün')).toBe('Gießkanne grün')
  expect(await meant('gieskane grün', { stock: 'in' })).toBeNull()
  // no suggestion if something is found, if nothing is similar, or for numbers
  for (const search of ['bohr', 'xylophon', 'qqqqqqqq', '4711 4712', 'kanne bohrer', '', '!!!'])
    expect([search, await meant(search)]).toEqual([search, null])
  // counted up to a limit, so that a word in most products is not counted to the end
  const counted = (limit: number) =>
    productsOfEach(database.db, account.accountId, ['giesskanne', 'm', 'zange'].map(query), limit)
  const query = (word: string) => searchQuery(account.accountId, [[exactLexeme(wordLexeme(word))]]) ?? ''
  expect([await counted(1), await counted(200)]).toEqual([
    [1, 7, 0],
    [2, 206, 0],
  ])
  // no suggestion of words that no product has any more
  const { accountId } = account
  await bench.shelf.write(accountId, async (tx) => ({
    productIds: productIdsOf(await deleteProducts(tx, accountId, made.slice(2))),
  }))
  await bench.shelf.drain(accountId)
  expect(await meant('boher')).toBeNull()
  // a text inside very many words is no typing error
  const endings = Array.from(
    { length: 300 },
    (_, i) => `.xgieskanne${String.fromCharCode(97 + (i % 26), 97 + Math.trunc(i / 26))}`,
  )
  await inTransaction(database.db, (tx) => addTerms(tx, accountId, endings, openKnownTerms()))
  expect([await meant('gieskanne'), await meant('gieskanne rot')]).toEqual([null, null])
  // nothing of another account
  const other = await ownAccount('meant elsewhere')
  await giveOffers(bench, other, [offer('X-1', { texts: { en: { title: 'Eimer' } } })])
  expect((await list(other, { search: 'gieskanne' })).meta.did_you_mean).toBeNull()
})

test('nothing that is typed is a query, a pattern or too much', async () => {
  const account = await ownAccount('hostile')
  await giveOffers(bench, account, [offer('H-1', { texts: { en: { title: 'Hammer' } } })])
  const typed = [
    "ham'm\\er' | '",
    'amm:*',
    '%amm%',
    '_amme_',
    '"',
    '\\',
    '🔨🔨',
    'a'.repeat(200),
    'ue'.repeat(100),
    "o'&|!():*<->",
    '\ud83d',
    '\u202emam',
    'amm '.repeat(50),
  ]
  for (const search of typed) {
    const answer = await browser.get(
      `/panel/api/accounts/${account.accountId}/products?${new URLSearchParams({ search }).toString()}`,
    )
    expect([search, answer.status]).toEqual([search, 200])
  }
  for (const search of ['a'.repeat(10_000), 'a\0b']) {
    const answer = await browser.get(
      `/panel/api/accounts/${account.accountId}/products?${new URLSearchParams({ search }).toString()}`,
    )
    expect(answer.status).toBe(400)
  }
})

test('words of a batch that is rolled back are added by the next one', async () => {
  const account = await ownAccount('rolled back')
  const { accountId } = account
  const known = openKnownTerms()
  const lexemes = ['.teekessel', '/haushalt', '.4711']
  const adding = inTransaction(database.db, async (tx) => {
    await addTerms(tx, accountId, lexemes, known)
    throw new Error('rolled back')
  })
  await expect(adding).rejects.toThrow('rolled back')
  const stored = async () =>
    (
      await database.db<{ term: string }[]>`select term from search_term where account_id = ${accountId} order by term`
    ).map(({ term }) => term)
  expect(await stored()).toEqual([])
  // known terms are remembered
  for (const _ of [1, 2]) await inTransaction(database.db, (tx) => addTerms(tx, accountId, lexemes, known))
  expect(await stored()).toEqual(['.teekessel', '/haushalt'])
  expect(lexemes.map((lexeme) => known.has(accountId, lexeme))).toEqual([true, true, false])
})

test('products that were there before are found inside words once the fill is done, step by step, without a change', async () => {
  const account = await ownAccount('filled')
  const { accountId } = account
  const { db } = database
  const made = await giveOffers(
    bench,
    account,
    ['Wasserkocher', 'Brotkasten', 'Nudelholz'].map((title, i) => offer(`W-${i}`, { texts: { en: { title } } })),
  )
  // as a migration leaves it
  await db`delete from search_term where account_id = ${accountId}`
  await db`insert into search_fill (account_id, due_at) values (${accountId}, now()), (${accountId}, now() + interval '1 day')`
  expect(await ids(account, { search: 'kocher' })).toEqual([])
  const changes = async () =>
    (await db`select max(change_id) as last, count(*) as count from change where account_id = ${accountId}`)[0]
  const before = await changes()
  const known = openKnownTerms()
  await fillStep(db, known, 2)
  expect([await ids(account, { search: 'kasten' }), await ids(account, { search: 'holz' })]).toEqual([[made[1]], []])
  for (let i = 0; i < 5 && (await fillStep(db, known, 2)); i++);
  expect(await ids(account, { search: 'holz' })).toEqual([made[2]])
  expect(await changes()).toEqual(before)
  // the second time is not due yet
  expect(await db`select after_id from search_fill where account_id = ${accountId}`).toEqual([{ after_id: 0 }])
  await db`delete from search_fill where account_id = ${accountId}`
})
