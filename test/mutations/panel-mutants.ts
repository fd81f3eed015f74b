import type { Mutant } from './mutant.ts'

const SESSIONS = 'test/panel/sign-in.pg.test.ts'
const FACTORS = 'test/panel/second-factor.pg.test.ts'
const PEOPLE = 'test/panel/people.pg.test.ts'
const ENDPOINTS = 'test/panel/endpoints.pg.test.ts'
const V1_REFUSALS = 'is refused without the account, for another one, without the CSRF token, and from another site'

/** Of signing in to the panel, and of who may do what there. */
export const PANEL_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-session-needs-no-csrf-token',
    edits: [
      {
        file: 'src/serve/panel/session.ts',
        from: 'if (isWrite(request)) requireCsrfToken(request, session)',
        to: '',
      },
    ],
    file: ENDPOINTS,
    test: V1_REFUSALS,
  },
  {
    name: 'another-site-may-write',
    edits: [
      {
        file: 'src/serve/panel/session.ts',
        from: 'if (isWrite(request)) requireSameOrigin(request, rooms)',
        to: '',
      },
    ],
    file: ENDPOINTS,
    test: V1_REFUSALS,
  },
  {
    name: 'a-session-is-for-every-account',
    edits: [{ file: 'src/serve/panel/session.ts', from: 'if (member === undefined)', to: 'if (Math.random() > 1)' }],
    file: ENDPOINTS,
    test: V1_REFUSALS,
  },
  {
    name: 'a-planted-session-goes-on',
    edits: [{ file: 'src/serve/panel/sign-in.ts', from: 'if (earlier !== undefined)', to: 'if (Math.random() > 1)' }],
    file: SESSIONS,
    test: 'a session that was planted before is worth nothing afterwards',
  },
  {
    name: 'an-unknown-address-costs-no-work',
    edits: [
      {
        file: 'src/people/passwords.ts',
        from: 'nobody ??= hash(',
        to: 'if (stored === undefined) return false\n  nobody ??= hash(',
      },
    ],
    file: SESSIONS,
    test: 'a wrong password and an unknown address get the same answer after the same work',
  },
  {
    name: 'an-idle-session-goes-on',
    edits: [
      {
        file: 'src/people/sessions.sql.ts',
        from: `where s.expires_at > now()
      and s.seen_at > now() - make_interval(hours => \${LIMITS.sessionIdleHours})`,
        to: 'where s.expires_at > now()',
      },
    ],
    file: SESSIONS,
    test: 'comes to its end after the idle time',
  },
  {
    name: 'an-old-password-signs-in-while-it-is-changed',
    edits: [
      {
        file: 'src/people/sign-in.ts',
        from: 'if (now?.passwordHash !== person.passwordHash) throw refused()',
        to: 'if (now === undefined) throw refused()',
      },
    ],
    file: SESSIONS,
    test: 'that is being set ends a sign-in by the old one at the same moment',
  },
  {
    name: 'a-code-works-twice',
    edits: [
      {
        file: 'src/people/persons.sql.ts',
        from: 'where person_id = ${personId} and totp_step < ${step} returning',
        to: 'where person_id = ${personId} returning',
      },
    ],
    file: FACTORS,
    test: 'no code works twice, nor one of an earlier step after a later one',
  },
  {
    name: 'wrong-codes-do-not-end-a-ticket',
    edits: [{ file: 'src/people/sign-in-steps.sql.ts', from: ' and tries < ${LIMITS.signInCodesMax}', to: '' }],
    file: FACTORS,
    test: 'a ticket is used once, ends with too many wrong codes, and is no session',
  },
  {
    name: 'a-passkey-without-its-user',
    edits: [
      {
        file: 'src/people/passkeys.ts',
        from: `requireUserVerification: true,
      credential: {`,
        to: `requireUserVerification: false,
      credential: {`,
      },
    ],
    file: FACTORS,
    test: 'refuses an answer without finger or PIN',
  },
  {
    name: 'a-reset-link-works-twice',
    edits: [
      {
        file: 'src/people/links.ts',
        from: "if (person === undefined || (await linkTake(tx, 'password-reset', tokenHash)) === undefined) throw ended()",
        to: "if (person === undefined) throw ended()\n    await linkTake(tx, 'password-reset', tokenHash)",
      },
    ],
    file: PEOPLE,
    test: 'used twice at the same time works once',
  },
  {
    name: 'a-link-changes-a-password',
    edits: [
      { file: 'src/people/links.ts', from: 'if (session?.personId !== known.personId)', to: 'if (Math.random() > 1)' },
    ],
    file: PEOPLE,
    test: 'of somebody who has a password is accepted by signing in: the link alone changes nothing',
  },
  {
    name: 'two-owners-remove-each-other',
    edits: [
      {
        file: 'src/people/members.ts',
        from: '  await settingsLock(tx, accountId)\n  return membersList',
        to: '  return membersList',
      },
    ],
    file: PEOPLE,
    test: 'of two owners who remove each other at the same moment one stays',
  },
  {
    name: 'a-member-manages-tokens',
    edits: [
      {
        file: 'src/serve/panel/handle-panel.ts',
        from: "if (panelAccess === 'owner' && role !== 'owner') throw ownersOnly()",
        to: '',
      },
    ],
    file: PEOPLE,
    test: 'a role counts at the next request',
  },
]
