import { describe, expect, test } from 'vitest'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { elsewhere, makeMember, openBrowser, PASSWORD, type Browser } from './browser.ts'
import { peopleOfFile } from './people-bench.ts'

// Mails with links, in the language of an account or of a person's accounts.

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
