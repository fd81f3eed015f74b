import { LOGOUT_MUTANTS } from './logout-mutants.ts'
import type { Mutant } from './mutant.ts'

const SESSIONS = 'test/panel/sign-in.full.pg.test.ts'
const FACTORS = 'test/panel/second-factor.full.pg.test.ts'
const PEOPLE = 'test/panel/people.full.pg.test.ts'
const RESETS = 'test/panel/password-reset.full.pg.test.ts'
const ENDPOINTS = 'test/panel/endpoints.full.pg.test.ts'
const V1_REFUSALS = 'is refused without the account, for another one, without the CSRF token, and from another site'

const SECURITY_MAILS = 'test/panel/security-mails.full.pg.test.ts'
const ATTACKS = 'test/panel/attacks.pg.test.ts'
const SIGN_UP = 'test/panel/sign-up.full.pg.test.ts'
const PROVIDER = 'test/panel/provider.full.pg.test.ts'
const LINKING = 'test/panel/provider-linking.full.pg.test.ts'
const EMAILS = 'test/panel/new-email.full.pg.test.ts'

/** Faults in signing in to the panel, and in its permissions. */
export const PANEL_MUTANTS: readonly Mutant[] = [
  ...LOGOUT_MUTANTS,
  {
    name: 'anybody-ends-what-another-has-made',
    edits: [
      {
        file: 'src/people/made.sql.ts',
        from: 'update token set revoked_at = now() where created_by = ${personId} and',
        to: 'update token set revoked_at = now() where ${personId} > 0 and',
      },
    ],
    file: ATTACKS,
    test: 'loses what was made with it: a new password offers to end all of it, and nobody ends what is another’s',
  },
  {
    name: 'an-account-is-open-without-its-second-factor',
    edits: [
      {
        file: 'src/people/account-rules.ts',
        from: 'if (member.requiresSecondFactor && !session.hasFactor)',
        to: 'if (Math.random() > 1)',
      },
    ],
    file: FACTORS,
    test: 'that asks for a second factor shows nothing to sessions without one, and all once it is set up',
  },
  {
    name: 'a-mail-about-security-that-failed-is-forgotten',
    edits: [
      {
        file: 'src/people/mails/alerts.ts',
        from: "if (state === 'waiting' && !isLast) continue",
        to: "if (state === 'off') continue",
      },
    ],
    file: SECURITY_MAILS,
    test: 'it is tried for almost a day, and then given up',
  },
  {
    name: 'two-processes-send-a-mail-about-security',
    edits: [
      {
        file: 'src/people/mails/security-mails.sql.ts',
        from: ' and tries = ${tries} and due_at <= now()',
        to: '',
      },
    ],
    file: SECURITY_MAILS,
    test: 'of two processes one takes a try',
  },
  {
    name: 'a-reset-leaves-passkeys',
    edits: [
      {
        file: 'src/people/links.ts',
        from: '    for (const { passkeyId } of passkeys) await passkeyDelete(tx, personId, passkeyId)\n',
        to: '',
      },
    ],
    file: RESETS,
    test: 'removes the passkeys that are not kept, forgets known browsers, and says so to the person and to other owners',
  },
  {
    name: 'codes-end-although-they-are-used',
    edits: [{ file: 'src/people/sign-in/sign-in.ts', from: '    await totpEndCancel(tx, personId)\n', to: '' }],
    file: RESETS,
    test: 'without the codes ends them after a day, unless somebody signs in with one before',
  },
  {
    name: 'a-stolen-cookie-makes-what-outlives-it',
    edits: [
      { file: 'src/people/sign-in/confirmed.ts', from: 'if (isConfirmed) return', to: 'if (Math.random() < 2) return' },
    ],
    file: ATTACKS,
    test: 'makes nothing that outlives the session, and removes nobody and no passkey',
  },
  {
    name: 'a-stolen-cookie-gets-the-address-of-a-channel-file',
    edits: [
      {
        file: 'src/serve/panel/session.ts',
        from: 'needsConfirmation === true) requireConfirmed(session)',
        to: 'needsConfirmation === null) requireConfirmed(session)',
      },
    ],
    file: ATTACKS,
    test: 'gets no address of a channel file, which would give the catalog away without it; a token is asked nothing',
  },
  {
    name: 'a-confirmation-lasts-for-ever',
    edits: [
      {
        file: 'src/people/sign-in/sessions.sql.ts',
        from: 'coalesce(s.reauthenticated_at between now() - make_interval(mins => ${LIMITS.reauthenticatedMinutes}) and now(), false)',
        to: 's.reauthenticated_at is not null',
      },
    ],
    file: ATTACKS,
    test: 'is told apart by the password, which counts for ten minutes and for this session alone',
  },
  {
    name: 'the-passkey-of-another-person-confirms',
    edits: [
      {
        file: 'src/people/sign-in/confirm.ts',
        from: 'if (step.personId !== personId || passkey.personId !== personId) throw refused()',
        to: '',
      },
    ],
    file: FACTORS,
    test: 'confirms that it is still the same person, and that of another person does not',
  },
  {
    name: 'strangers-keep-a-known-browser-out',
    edits: [{ file: 'src/people/sign-in/sign-in.ts', from: '    attempts.ofDevice(device)\n    return owner', to: '' }],
    file: ATTACKS,
    test: 'keep nobody out whose browser is known, also at the same address; others wait',
  },
  {
    name: 'the-browser-of-anybody-is-known',
    edits: [
      {
        file: 'src/people/sign-in/sign-in.ts',
        from: 'if (device !== null && owner !== undefined && owner.email.toLowerCase() === email.toLowerCase()) {\n    attempts.ofDevice(device)\n    return owner',
        to: 'if (device !== null && owner !== undefined) {\n    attempts.ofDevice(device)\n    return personByEmail(db, email)',
      },
    ],
    file: ATTACKS,
    test: 'are not helped by the browser of somebody else, nor by one that is made up',
  },
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
    edits: [
      {
        file: 'src/people/account-rules.ts',
        from: "if (member === undefined)\n    throw new ShelfwireError('unknown-account', 'there is no such account, or you are not a member of it')",
        to: "if (member === undefined) return { memberId: 0, email: session.email, role: 'owner', createdAt: session.createdAt, personId: session.personId }",
      },
    ],
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
        file: 'src/people/sign-in/passwords.ts',
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
        file: 'src/people/sign-in/sessions.sql.ts',
        from: `where s.expires_at > now()
      and s.seen_at > now() - make_interval(mins => least(\${LIMITS.sessionIdleHours * 60}, s.idle_minutes))`,
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
        file: 'src/people/sign-in/sign-in.ts',
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
    edits: [{ file: 'src/people/sign-in/sign-in-steps.sql.ts', from: ' and tries < ${LIMITS.signInCodesMax}', to: '' }],
    file: FACTORS,
    test: 'a ticket is used once, ends with too many wrong codes, and is no session',
  },
  {
    name: 'a-passkey-without-its-user',
    edits: [
      {
        file: 'src/people/sign-in/passkeys.ts',
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
        from: 'if (person === undefined || taken === undefined) throw linkEnded()',
        to: 'if (person === undefined) throw linkEnded()',
      },
      { file: 'src/people/links.ts', from: 'taken.isMailed', to: 'taken?.isMailed === true' },
    ],
    file: RESETS,
    test: 'used twice at the same time works once',
  },
  {
    name: 'a-link-changes-a-password',
    edits: [
      {
        file: 'src/people/links.ts',
        from: 'if (session.email.toLowerCase() !== link.email.toLowerCase())',
        to: 'if (Math.random() > 1)',
      },
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
    test: 'when two owners remove each other at the same moment, one stays',
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
  {
    name: 'a-page-of-another-port-signs-in',
    edits: [{ file: 'src/serve/panel/session.ts', from: 'if (rooms.isPublicUrlSet)', to: 'if (Math.random() > 1)' }],
    file: ATTACKS,
    test: 'neither signs in nor uses a passkey where PUBLIC_URL is set: not of another port, nor by another name of the service',
  },
  {
    name: 'a-stolen-session-outlives-the-setup-of-codes',
    edits: [
      {
        file: 'src/people/own-account.ts',
        from: "const codes = newRecoveryCodes()\n  const secret = newSecret('session')",
        to: 'const codes = newRecoveryCodes()\n  const { secret } = arguments[1] as SignedIn',
      },
    ],
    file: ATTACKS,
    test: 'is worth nothing once its person has set up codes or changed the password',
  },
  {
    name: 'a-session-joins-without-its-csrf-token',
    edits: [
      {
        file: 'src/serve/panel/sign-in.ts',
        from: 'call.body.password === undefined ? await sessionOf(context, call.request) : undefined',
        to: 'await sessionOf(context, call.request)',
      },
      {
        file: 'src/serve/panel/sign-in.ts',
        from: 'if (session !== undefined) requireCsrfToken(call.request, session)',
        to: 'if (session !== undefined && call.body.password === undefined) requireCsrfToken(call.request, session)',
      },
    ],
    file: ATTACKS,
    test: 'joins no account without its CSRF token, also when a password is sent',
  },
  {
    name: 'strangers-use-up-the-tries-of-a-session',
    edits: [
      {
        file: 'src/people/sign-in/sign-in.ts',
        from: 'context.attempts.ofSession(sessionId)',
        to: 'context.attempts.ofEmail(person.email)',
      },
    ],
    file: ATTACKS,
    test: 'strangers who try an address do not keep its owner, who is signed in, from changing the password',
  },
  {
    name: 'an-invitation-outlives-its-maker',
    edits: [
      {
        file: 'src/people/members.ts',
        from: `if (personId === null) return
  await invitationsOfPersonDelete(tx, accountId, personId)`,
        to: 'if (personId === null) return',
      },
    ],
    file: ATTACKS,
    test: 'does not come back by an invitation or a link to an endpoint that was made before',
  },
  {
    name: 'an-invitation-outlives-the-role-of-its-maker',
    edits: [
      {
        file: 'src/people/members.ts',
        from: "if (role !== 'owner' && personId !== null)",
        to: 'if (Math.random() > 1 && personId !== null)',
      },
    ],
    file: ATTACKS,
    test: 'and who is an owner no more, has no invitation left that makes owners',
  },
  {
    name: 'a-new-address-counts-twice',
    edits: [
      {
        file: 'src/people/new-email.ts',
        from: "await linkTake(tx, 'email-change', tokenHash)",
        to: 'known',
      },
    ],
    file: EMAILS,
    test: 'confirmed twice at the same time counts once',
  },
  {
    name: 'a-known-address-is-mailed-to',
    edits: [
      {
        file: 'src/people/new-email.ts',
        from: 'if ((await personByEmail(tx, email)) !== undefined) return null',
        to: '',
      },
    ],
    file: EMAILS,
    test: 'that somebody has is answered alike, and not mailed to',
  },
  {
    name: 'two-processes-take-one-try-of-a-mail',
    edits: [
      {
        file: 'src/people/mails/link-mails.sql.ts',
        from: 'and mail_tries = ${tries} and mail_due_at <= now()',
        to: '',
      },
    ],
    file: EMAILS,
    test: 'of two processes one takes a try',
  },
  {
    name: 'a-mail-that-failed-is-not-sent-again',
    edits: [
      {
        file: 'src/people/links.ts',
        from: 'mailer === null ? null : (LIMITS.linkMailRetrySeconds[0] ?? null)',
        to: 'mailer === null ? null : null',
      },
    ],
    file: EMAILS,
    test: 'that failed is sent again, once, with a link that works; what failed is shown until then',
  },
  {
    name: 'an-unverified-address-links-a-person',
    edits: [
      {
        file: 'src/people/provider/provider-sign-in.ts',
        from: 'email !== null && isEmailVerified && ',
        to: 'email !== null && ',
      },
    ],
    file: PROVIDER,
    test: 'an address that is not verified (false), which links nobody',
  },
  {
    name: 'a-first-link-leaves-what-others-have-set-up',
    edits: [
      {
        file: 'src/people/provider/provider-sign-in.ts',
        from: '  await passwordUpdate(tx, personId, unknownPassword)\n',
        to: '',
      },
    ],
    file: LINKING,
    test: 'to a person who has signed up by a link that was shown, also where mails are sent by now',
  },
  {
    name: 'a-link-that-was-shown-proves-an-address',
    edits: [{ file: 'src/people/links.ts', from: 'isEmailProven: link.isMailed', to: 'isEmailProven: true' }],
    file: LINKING,
    test: 'to a person who has signed up by a link that was shown, also where mails are sent by now',
  },
  {
    name: 'a-signature-of-the-provider-is-not-looked-at',
    edits: [
      {
        file: 'src/people/provider/provider.ts',
        from: '    await oauth.validateApplicationLevelSignature(server, response, options)\n',
        to: '',
      },
    ],
    file: PROVIDER,
    test: 'an id_token whose claims were changed after signing',
  },
  {
    name: 'two-first-owners-sign-up-at-once',
    edits: [{ file: 'src/sign-up/first-owner.ts', from: '    await firstOwnerLock(tx)\n', to: '' }],
    file: SIGN_UP,
    test: 'is refused where a link of another start is used while the first sign-up is not committed yet',
  },
  {
    name: 'a-link-makes-an-owner-beside-an-account',
    edits: [
      { file: 'src/sign-up/first-owner.ts', from: '|| !isOne || (await accountExists(reader))', to: '|| !isOne' },
    ],
    file: SIGN_UP,
    test: 'is nobody with another secret, a link that is over or of another kind, or where there is an account',
  },
  {
    name: 'a-person-opens-an-account-too-many',
    edits: [{ file: 'src/sign-up/own-account.ts', from: '    await personLock(tx, person.personId)\n', to: '' }],
    file: SIGN_UP,
    test: 'is refused to the second of two requests for the last one',
  },
]
