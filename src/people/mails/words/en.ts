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
}

function counted(count: number, unit: string): string {
  return count === 1 ? `one ${unit}` : `${count} ${unit}s`
}
