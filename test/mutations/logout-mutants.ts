import type { Mutant } from './mutant.ts'

const LOGOUT = 'test/panel/provider-logout.full.pg.test.ts'
const PROFILE = 'test/panel/provider-profile.full.pg.test.ts'

/** Faults in signing out at the identity provider. */
export const LOGOUT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-sign-in-that-waits-for-a-code-outlives-a-logout',
    edits: [
      { file: 'src/people/provider/provider-sign-out.ts', from: '    await providerStepsDelete(tx, meant)\n', to: '' },
    ],
    file: LOGOUT,
    test: 'a sign-in that is under way when its person or its session is signed out there is not finished',
  },
  {
    name: 'a-sign-in-that-is-under-way-outlives-a-logout',
    edits: [
      {
        file: 'src/people/provider/provider-sign-in.ts',
        from: 'if (await isLoggedOutSince(tx, identity)) {',
        to: 'if (personId < 0 && (await isLoggedOutSince(tx, identity))) {',
      },
    ],
    file: LOGOUT,
    test: 'nor one of which the provider has said before that it goes on',
  },
  {
    name: 'a-code-forgets-the-session-of-the-provider',
    edits: [
      {
        file: 'src/people/sign-in/sign-in.ts',
        from: "sid: sid === '' ? null : decodeURIComponent(sid),",
        to: 'sid: null,',
      },
    ],
    file: LOGOUT,
    test: 'and also where a code was asked for',
  },
  {
    name: 'an-identity-linked-in-a-session-keeps-the-owner-of-the-address-out',
    edits: [
      {
        file: 'src/people/provider/provider-sign-in.ts',
        from: 'present !== undefined && (present.isEmailVerified || person.isEmailProven)',
        to: 'present !== undefined',
      },
    ],
    file: PROFILE,
    test: 'keeps its owner out of nothing: the first verified sign-in ends it with all else',
  },
  {
    name: 'an-answer-of-the-provider-links-whoever-brings-it',
    edits: [
      {
        file: 'src/people/provider/provider-link.ts',
        from: 'step === undefined || step.personId !== personId',
        to: 'step === undefined',
      },
    ],
    file: PROFILE,
    test: 'takes an answer once, of the person who has asked, in a session that goes on',
  },
  {
    name: 'who-finds-a-session-links-an-identity',
    edits: [
      {
        file: 'src/people/sign-in/confirmed.ts',
        from: 'else if (context.isLocalSignIn) throw',
        to: 'else if (false) throw',
      },
    ],
    file: PROFILE,
    test: 'by a session alone is refused, also of somebody who has just signed in: it takes the password',
  },
  {
    name: 'an-identity-is-linked-that-was-not-asked',
    edits: [
      { file: 'src/people/provider/provider-link.ts', from: '  requireAsked(context, personId, identity)\n', to: '' },
    ],
    file: PROFILE,
    test: 'is refused where the provider does not say when it has asked who signs in',
  },
]
