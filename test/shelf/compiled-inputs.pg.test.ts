import { defaultLimits, setDefaultLimits } from '../../src/platform/limits/account-limits.ts'
import { expect, test } from 'vitest'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { inTransaction, type Reader } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { compiledAccounts, openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { createAccount } from '../harness/account.ts'
import { worldOfFile } from '../harness/world.ts'

// The inputs that all products of an account share are compiled after a write, only the written part, and once for all concurrent readers.

const { database, bench } = worldOfFile()

const LISTS = /from pricing_rule where account_id = \$\d+ and rule_id = any/
const TEXTS = /from attribute_definition where account_id = \$\d+ and key = any/
const ROWS = /name, priority, is_default.* from pricing_rule where account_id = \$\d+$/s

/** The statements that `work` sends. */
async function sent(work: () => Promise<unknown>): Promise<string[]> {
  const { db } = database
  const statements: string[] = []
  db.onStatement = (text) => void statements.push(text.trim())
  try {
    await work()
  } finally {
    db.onStatement = null
  }
  return statements
}
const counted = (statements: readonly string[], wanted: RegExp) => statements.filter((text) => wanted.test(text)).length

async function withRule(name: string, manufacturers: string[]) {
  const { accountId } = await createAccount(bench, name)
  const { value: ruleId } = await inTransaction(database.db, (tx) =>
    createRule(tx, accountId, { name: 'R', percent: '5', manufacturers }),
  )
  const edit = (changes: Parameters<typeof editRule>[3]) =>
    inTransaction(database.db, (tx) => editRule(tx, accountId, ruleId, changes))
  return { accountId, ruleId, edit }
}

test('what answers requests and what shelves keep one copy of what they compile', () => {
  expect(compiledAccounts(database.db.forRequests())).toBe(compiledAccounts(database.db))
})

test('a write reads and folds the lists that it changed, and no other', async () => {
  const accounts = openCompiledAccounts()
  const { accountId, ruleId, edit } = await withRule('lists', ['Acme'])
  const listOf = async () =>
    (await accounts.get(database.db, accountId)).account.rules.find((rule) => rule.ruleId === ruleId)
  const first = await listOf()
  expect(first?.manufacturers).toEqual(['acme'])
  await edit({ percent: '6' })
  let edited: typeof first
  expect(counted(await sent(async () => (edited = await listOf())), LISTS)).toBe(0)
  expect(edited?.percent).toBe('6.0000')
  expect(edited?.manufacturers).toBe(first?.manufacturers)
  await edit({ manufacturers: ['Bolt', 'BOLT'] })
  expect(counted(await sent(async () => (edited = await listOf())), LISTS)).toBe(1)
  expect(edited?.manufacturers).toEqual(['bolt'])
})

test('a write reads the texts of the attributes that it changed, and no other', async () => {
  const accounts = openCompiledAccounts()
  const { accountId, edit } = await withRule('attribute texts', ['Acme'])
  const set = (key: string, text: string) =>
    inTransaction(database.db, (tx) =>
      setAttributeDefinitions(tx, accountId, [
        { key, unit: null, position: 0, labels: { en: key }, options: { red: { en: text } } },
      ]),
    )
  const read = async () => {
    const { account } = await accounts.get(database.db, accountId)
    const of = new Map(account.attributes.map(({ key, options }) => [key, options]))
    return { color: of.get('color'), size: of.get('size') }
  }
  await set('color', 'Red')
  await set('size', 'Red size')
  const first = await read()
  expect(first).toEqual({ color: { red: { en: 'Red' } }, size: { red: { en: 'Red size' } } })
  await edit({ percent: '6' })
  let after = first
  expect(counted(await sent(async () => (after = await read())), TEXTS)).toBe(0)
  // the same objects, with their compiled options
  expect([after.color === first.color, after.size === first.size]).toEqual([true, true])
  await set('color', 'Scarlet')
  expect(counted(await sent(async () => (after = await read())), TEXTS)).toBe(1)
  expect([after.color, after.size === first.size]).toEqual([{ red: { en: 'Scarlet' } }, true])
})

test('a request for an account that is being compiled waits for it', async () => {
  const accounts = openCompiledAccounts()
  const { accountId } = await withRule('together', ['Acme'])
  const all: unknown[] = []
  const statements = await sent(async () => {
    all.push(...(await Promise.all(Array.from({ length: 8 }, () => accounts.get(database.db, accountId)))))
  })
  expect(counted(statements, ROWS)).toBe(1)
  expect(new Set(all).size).toBe(1)
})

test('what was written while it was read is no version, for nobody in an older snapshot either', async () => {
  const accounts = openCompiledAccounts()
  const { accountId, ruleId, edit } = await withRule('mixture', ['Acme'])
  // a write commits between a reader's statements for the version and the rules
  let versions = 0
  const { db } = database
  const late = Object.assign(
    (strings: TemplateStringsArray, ...values: never[]) =>
      strings[0]?.includes('select version') && ++versions === 1
        ? db(strings, ...values).then(async (rows) => {
            await edit({ percent: '7' })
            return rows
          })
        : db(strings, ...values),
    db,
  ) as unknown as Reader
  const percentIn = async (reader: Reader) =>
    (await accounts.read(reader, accountId)).account.rules.find((rule) => rule.ruleId === ruleId)?.percent
  await inTransaction(db, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    await tx`select 1 from account`
    expect(await percentIn(late)).toBe('7.0000')
    expect(await percentIn(tx)).toBe('5.0000')
  })
  // the current version is then cached
  await accounts.get(db, accountId)
  expect(counted(await sent(() => accounts.get(db, accountId)), ROWS)).toBe(0)
  expect(await percentIn(db)).toBe('7.0000')
})

test('a snapshot of before a write reads what was, and keeps the newer for the others', async () => {
  const accounts = openCompiledAccounts()
  const { accountId, ruleId, edit } = await withRule('snapshot', ['Acme'])
  const percentIn = async (reader: Reader) =>
    (await accounts.read(reader, accountId)).account.rules.find((rule) => rule.ruleId === ruleId)?.percent
  await inTransaction(database.db, async (tx) => {
    await tx`set transaction isolation level repeatable read read only`
    await tx`select 1 from account`
    await edit({ percent: '8' })
    expect(await percentIn(database.db)).toBe('8.0000')
    expect(await percentIn(tx)).toBe('5.0000')
    expect(counted(await sent(() => percentIn(database.db)), ROWS)).toBe(0)
  })
})

test('compiled accounts are kept by what their values take', async () => {
  const most = LIMITS.compiledBytesMax
  Object.assign(LIMITS, { compiledBytesMax: 200_000 })
  try {
    const accounts = openCompiledAccounts()
    const names = (count: number) => Array.from({ length: count }, (_, i) => `Manufacturer ${i}`)
    const large = await withRule('large', names(1_200))
    const other = await withRule('other', names(1_200))
    const small = await withRule('small', ['Acme'])
    const isKept = async ({ accountId }: typeof large) =>
      counted(await sent(() => accounts.get(database.db, accountId)), ROWS) === 0
    await isKept(large)
    await isKept(small)
    expect([await isKept(large), await isKept(small)]).toEqual([true, true])
    // the two large ones exceed the cache: the one that was not used is dropped
    await isKept(other)
    expect([await isKept(other), await isKept(small), await isKept(large)]).toEqual([true, true, false])
  } finally {
    Object.assign(LIMITS, { compiledBytesMax: most })
  }
})

test('what attributes have of options counts as well', async () => {
  const most = LIMITS.compiledBytesMax
  Object.assign(LIMITS, { compiledBytesMax: 700_000 })
  try {
    const accounts = openCompiledAccounts()
    const withOptions = async (name: string) => {
      const made = await withRule(name, ['Acme'])
      const options = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`Value ${i}`, { en: `Text ${i}` }]))
      await inTransaction(database.db, (tx) =>
        setAttributeDefinitions(tx, made.accountId, [{ key: 'color', unit: null, position: 0, labels: {}, options }]),
      )
      return made
    }
    const isKept = async ({ accountId }: { accountId: number }) =>
      counted(await sent(() => accounts.get(database.db, accountId)), ROWS) === 0
    const [one, other] = [await withOptions('options'), await withOptions('other options')]
    await isKept(one)
    expect(await isKept(one)).toBe(true)
    await isKept(other)
    expect([await isKept(other), await isKept(one)]).toEqual([true, false])
  } finally {
    Object.assign(LIMITS, { compiledBytesMax: most })
  }
})

test('values beyond what the rules of an account may take are refused; what takes no more is not', async () => {
  setDefaultLimits(defaultLimits(0, { rule_bytes: 1_000 }))
  try {
    const ten = (letter: string) => Array.from({ length: 10 }, (_, i) => `${letter}${i}`)
    const { accountId, edit } = await withRule('room', [...ten('a'), ...ten('b')])
    const more = () =>
      inTransaction(database.db, (tx) => createRule(tx, accountId, { name: 'S', percent: '5', categories: ten('c') }))
    expect(await more().catch((error: unknown) => error)).toMatchObject({
      code: 'quota-exceeded',
      message: expect.stringContaining('680 of 1000 bytes'),
    })
    await edit({ percent: '9', manufacturers: [...ten('d'), ...ten('e')] })
    await edit({ manufacturers: ten('a') })
    await more()
    await expect(edit({ manufacturers: [...ten('a'), ...ten('b')] })).rejects.toMatchObject({ code: 'quota-exceeded' })
    // other accounts are not affected
    await withRule('room beside', ten('a'))
  } finally {
    setDefaultLimits(defaultLimits(0, {}))
  }
})
