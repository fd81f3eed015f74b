import { describe, expect, test } from 'vitest'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { elsewhere, makeMember, makePerson, openBrowser, PASSWORD, type Browser } from './browser.ts'
import { peopleOfFile } from './people-bench.ts'

// Mails with links, and alerts, in the language of an account or of a person's accounts.

let account: TestAccount
let owner: Browser
let ownerId: number
let email: string
const { database, bench, mailing, sink, of, newcomer } = peopleOfFile(
  (ground) => ({ account, owner, ownerId, email } = ground),
)
const speak = (locale: string, { accountId } = account) =>
  database.db`update account set locale = ${locale} where account_id = ${accountId}`
const mailTo = async (address: string) => {
  await expect.poll(() => sink.mails.some(({ recipients }) => recipients.includes(address))).toBe(true)
  const { subject, text, html = '' } = sink.mails.find(({ recipients }) => recipients.includes(address))!.mail
  return { subject, text, language: /<html lang="(\w+)">/.exec(html)?.[1], button: />([^<]+)<\/a>/.exec(html)?.[1] }
}
/** The owner sends to the service that mails, which is reached over https. */
const send = (path: string, body: object) =>
  openBrowser(mailing.url).post(path, body, {
    headers: {
      ...elsewhere().headers,
      Cookie: `__Host-shelfwire_session=${owner.cookie}`,
      'X-CSRF-Token': owner.csrf ?? '',
    },
  })
const reset = () => openBrowser(mailing.url).post('/panel/api/password-resets', { email }, elsewhere())

describe('a mail with a link', () => {
  test('of an invitation is in the language of the account', async () => {
    await speak('de-AT')
    const address = newcomer()
    expect((await send(of('/invitations'), { email: address, role: 'member' })).status).toBe(201)
    expect(await mailTo(address)).toMatchObject({
      subject: 'Einladung zum Konto Acme bei Shelfwire',
      text: expect.stringMatching(
        /^Olga lädt Sie zum Konto „Acme“ bei Shelfwire ein\.\n[^]*7 Tage lang:\n\nhttps:\S+\n/,
      ),
      language: 'de',
      button: 'Öffnen',
    })
  })

  test.for([
    ['pl', 'pl-PL', 'Nowe hasło do Shelfwire', 'pl'],
    ['pl', 'de', 'A new password for Shelfwire', 'en'],
    ['fr', 'fr', 'A new password for Shelfwire', 'en'],
  ] as const)(
    'of a person whose accounts are in %s and %s is called %s',
    async ([first, second, subject, language]) => {
      const other = await createAccount(bench)
      await makeMember(database.db, other.accountId, ownerId, email, 'member')
      await speak(first)
      await speak(second, other)
      await reset()
      expect(await mailTo(email)).toMatchObject({ subject, language })
    },
  )

  test('to a new address, and notes to the old one, are in that of the person', async () => {
    await speak('pl')
    const address = newcomer()
    await send('/panel/api/email', { email: address, password: PASSWORD })
    const { subject, text } = await mailTo(address)
    expect(subject).toBe('Nowy adres e-mail do Shelfwire')
    expect((await mailTo(email)).subject).toBe('Zmiana adresu e-mail do Shelfwire')
    sink.mails.length = 0
    const token = /\/panel\/link#(swl_\S+)/.exec(text ?? '')?.[1]
    expect((await send('/panel/api/links/confirm-email', { token })).status).toBe(200)
    expect((await mailTo(email)).subject).toBe('Adres e-mail do Shelfwire został zmieniony')
  })
})

describe('an alert about security', () => {
  /** Everybody's mails: who got which subject. */
  const sent = () =>
    sink.mails.flatMap(({ recipients, mail }) => recipients.map((to) => `${to}: ${mail.subject}`)).toSorted()
  const SUBJECTS = {
    en: 'Security of your Shelfwire account',
    de: 'Sicherheit Ihres Kontos bei Shelfwire',
    pl: 'Bezpieczeństwo Twojego konta w Shelfwire',
  }
  const makeOwnerOf = async (...accounts: TestAccount[]) => {
    const address = newcomer()
    const personId = await makePerson(database.db, address)
    for (const { accountId } of accounts) await makeMember(database.db, accountId, personId, address, 'owner')
    return address
  }

  test.for([
    [
      'en-GB',
      'en',
      /^\S+ has created a token with full access in your account\.\n\nWhen: {3}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\nFrom: {3}\S+\n\nIf you expected this/,
    ],
    [
      'de-AT',
      'de',
      /^\S+ hat in Ihrem Konto ein Token mit vollem Zugriff erstellt\.\n\nZeit: {3}\d+\.\d+\.\d{4}, \d\d:\d\d:\d\d UTC\nVon: {4}\S+\n\nWenn Sie das erwartet haben/,
    ],
    [
      'pl',
      'pl',
      /^\S+: utworzono token z pełnym dostępem do Twojego konta\.\n\nCzas: {3}\d+ \p{L}+ \d{4}, \d\d:\d\d:\d\d UTC\nSkąd: {3}\S+\n\nJeśli to oczekiwana zmiana/u,
    ],
  ] as const)('of an account in %s is in its language', async ([locale, language, text]) => {
    await speak(locale)
    expect((await send(of('/tokens'), { name: 'shop', access: 'full' })).status).toBe(201)
    expect(await mailTo(email)).toEqual({
      subject: SUBJECTS[language],
      text: expect.stringMatching(text),
      language,
      button: undefined,
    })
  })

  test('goes to each owner in the language of the account, in English to who owns accounts in several, and to nobody twice', async () => {
    const second = await createAccount(bench)
    const third = await createAccount(bench)
    for (const { accountId } of [second, third])
      await makeMember(database.db, accountId, ownerId, email, accountId === second.accountId ? 'owner' : 'member')
    await speak('de')
    await speak('pl', second)
    await speak('de-CH', third)
    const german = await makeOwnerOf(account)
    const polish = await makeOwnerOf(second)
    const both = await makeOwnerOf(account, second)
    const neither = await makeOwnerOf(third)
    const changed = await send('/panel/api/password', { current: PASSWORD, password: 'a better one 12' })
    expect(changed.status).toBe(200)
    const expected = [
      `${email}: ${SUBJECTS.en}`,
      `${both}: ${SUBJECTS.en}`,
      `${german}: ${SUBJECTS.de}`,
      `${polish}: ${SUBJECTS.pl}`,
    ].toSorted()
    await expect.poll(sent).toEqual(expected)
    expect((await mailTo(german)).text).toMatch(new RegExp(`^${email} hat ein neues Passwort\\.\n`))
    expect((await mailTo(polish)).text).toMatch(new RegExp(`^${email}: ustawiono nowe hasło\\.\n`))
    expect(sent().some((line) => line.startsWith(neither))).toBe(false)
    // a mail's row is deleted after the server has taken the mail
    await expect.poll(() => database.db`select 1 as waits from security_mail`).toEqual([])
  })

  test('of the own sign-in is in the language of the person, also where they own no account', async () => {
    await speak('pl')
    await database.db`update member set role = 'member' where account_id = ${account.accountId}`
    expect((await send('/panel/api/password', { current: PASSWORD, password: 'a better one 12' })).status).toBe(200)
    await expect.poll(sent).toEqual([`${email}: ${SUBJECTS.pl}`])
  })

  test('that a release before has written is sent as it wrote it', async () => {
    await speak('de')
    const address = newcomer()
    await database.db`
      insert into security_mail (mail_id, recipients, sentence, more, address)
      values (gen_random_uuid(), ${[address]}::text[], 'ann@example.com has added a passkey', 'Its name: Laptop', '192.0.2.1')`
    expect((await send(of('/tokens'), { name: 'shop', access: 'full' })).status).toBe(201)
    const { subject, text, language } = await mailTo(address)
    expect([subject, language]).toEqual([SUBJECTS.en, 'en'])
    expect(text).toMatch(
      /^ann@example\.com has added a passkey\.\n\nWhen: .*\nFrom: {3}192\.0\.2\.1\n\nIts name: Laptop\n\nIf you expected this/,
    )
    expect((await mailTo(email)).subject).toBe(SUBJECTS.de)
  })
})
