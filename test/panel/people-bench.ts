import { beforeEach, expect } from 'vitest'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { ofFile, worldOfFile } from '../harness/world.ts'
import { elsewhere, makeOwner, openBrowser, PASSWORD, type Browser } from './browser.ts'

const ENV = { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8' }

/** The account and people of one test. */
export interface Ground {
  account: TestAccount
  /** Olga, in a browser of `service`. */
  owner: Browser
  ownerId: number
  email: string
}

/**
 * For tests of people: a service without a mail server, one with it that is reached over https, and for each test an account
 * of its own with one owner, which is passed to `use`.
 */
export function peopleOfFile(use: (ground: Ground) => void) {
  const sink = ofFile(startSmtpSink)
  const { database, bench, service } = worldOfFile({ service: { env: ENV } })
  const mailing: TestService = ofFile(() =>
    startTestService(database, { env: { ...ENV, SMTP_URL: sink.url, PUBLIC_URL: 'https://panel.example.com' } }),
  )
  let people = 0
  let now: Ground
  beforeEach(async () => {
    const account = await createAccount(bench, 'Acme')
    const email = `owner${people++}@example.com`
    now = { account, email, ...(await makeOwner(database.db, service.url, account.accountId, email, 'Olga')) }
    use(now)
    sink.mails.length = 0
    sink.manner = 'take'
  })
  const of = (path: string, accountId = now.account.accountId) => `/panel/api/accounts/${accountId}${path}`
  return {
    database,
    bench,
    service,
    mailing,
    sink,
    /** A path of the test's account in the panel's API. */
    of,
    /** An address that nobody has. */
    newcomer: () => `new${people++}@example.com`,
    /** Invites a person. @returns the invitation with its link */
    async invite(address: string, role = 'member', by = now.owner) {
      const answer = await by.post(of('/invitations'), { email: address, role })
      expect([answer.status, answer.text]).toEqual([201, answer.text])
      return answer.body.data
    },
    accept: (
      browser: Browser,
      token: string,
      body: object = { name: 'Nina', password: PASSWORD },
      sent = elsewhere(),
    ) => browser.post('/panel/api/links/accept-invitation', { token, ...body }, sent),
    /** Reads what a link would do. */
    read: (token: string) => openBrowser(service.url).post('/panel/api/links/read', { token }, elsewhere()),
  }
}
