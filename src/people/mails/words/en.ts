import type { MailWords } from './words.ts'

export const en: MailWords = {
  operator: 'The operator',
  invitation: ({ account, accountName, invitedBy, days, link }) => ({
    subject: account === null ? 'Invitation to Shelfwire' : `Invitation to ${account} on Shelfwire`,
    text: `${invitedBy} invites you to the account "${accountName}" on Shelfwire.

Open this link to accept; it works once, within ${counted(days, 'day')}:

${link}

If you do not know what this is about, ignore this mail.
`,
  }),
  reset: (to, minutes, link) => ({
    subject: 'A new password for Shelfwire',
    text: `Somebody asked for a new password for ${to} on Shelfwire.

Open this link to set one; it works once, within ${counted(minutes, 'minute')}:

${link}

If it was not you, ignore this mail: your password stays as it is.
`,
  }),
  newEmail: (to, minutes, link) => ({
    subject: 'Your new e-mail address for Shelfwire',
    text: `Somebody wants to sign in to Shelfwire as ${to}.

Open this link to confirm that it is you; it works once, within ${counted(minutes, 'minute')}:

${link}

If it was not you, ignore this mail: nothing changes.
`,
  }),
  emailAsked: (to, email) => ({
    subject: 'Your e-mail address for Shelfwire is to change',
    text: `Somebody who is signed in as ${to} on Shelfwire asked to sign in as ${email} from now on.

If it was you, open the link that was sent there. If it was not you, set a new password now, which stops it, and sign out everywhere.
`,
  }),
  emailChanged: (to, email) => ({
    subject: 'Your e-mail address for Shelfwire has changed',
    text: `${to} no longer signs in to Shelfwire: the address is now ${email}.

If it was not you, tell an owner of your account or the operator of the service now.
`,
  }),
  alerts: {
    acts: {
      changePassword: (email) => `${email} has a new password`,
      resetPassword: (email) => `${email} has a new password, set by a link that was mailed`,
      addPasskey: (email) => `${email} has added a passkey`,
      removePasskey: (email) => `${email} has removed a passkey`,
      confirmTotp: (email) => `${email} has set up codes of an authenticator app`,
      removeTotp: (email) => `${email} no longer signs in with codes of an authenticator app`,
      linkProvider: (email) => `${email} signs in at the identity provider from now on`,
      unlinkProvider: (email) => `${email} no longer signs in at the identity provider`,
      takeOverByProvider: (email) =>
        `${email} signs in at the identity provider from now on, and every earlier way to sign in has been removed`,
    },
    tokenCreated: (by) => `${by} has created a token with full access in your account`,
    tokenRotated: (by) => `${by} has rotated a token with full access of your account`,
    ownerInvited: (by, email) => `${by} has invited ${email} as an owner of your account`,
    ownerJoined: (email) => `${email} has joined your account as an owner`,
    ownerRemoved: (by, email) => `${by} has removed ${email}, an owner of your account`,
    madeOwner: (by, email) => `${by} has made ${email} an owner of your account`,
    madeMember: (by, email) => `${by} has made ${email} a member of your account instead of an owner`,
    passkeyName: (name) => `Name of the passkey: ${name}`,
    sessionsEnded: 'All sessions have ended.',
    passkeysRemoved: (names) => `Removed passkeys: ${names.join(', ')}.`,
    providerUnlinked:
      'The identity provider that was linked in the profile has been unlinked; if it is yours, link it again there.',
    codesEnd: (hours) =>
      `Codes of the authenticator app stop working in ${hours} hours. If they are yours, sign in with one before then, and they stay valid.`,
    addressUnproven:
      'Nothing had shown so far that this address belongs to this person. So the earlier password, passkeys, codes and sessions no longer work: somebody else may have set them up.',
    made: { tokens: 'tokens', invitations: 'invitations', endpointLinks: 'links to endpoints' },
    goesOn: (list) =>
      `What was created in this person’s name keeps working: ${list}. The person’s profile lists it and can end it.`,
    passwordAgain: '"Forgot your password?" on the sign-in page sends a link to set a new one.',
    mail: ({ sentence, more, happenedAt, address }) => ({
      subject: 'Security of your Shelfwire account',
      text: `${sentence}.

When:   ${happenedAt.toISOString().replace('T', ' ').slice(0, 19)} UTC
From:   ${address}
${more === '' ? '' : `\n${more}\n`}
If you expected this, there is nothing to do. If not, somebody else may be signed in: set a new password, sign out everywhere, and look at the
people, tokens and the audit trail of your account.
`,
    }),
  },
}

function counted(count: number, unit: string): string {
  return count === 1 ? `one ${unit}` : `${count} ${unit}s`
}
