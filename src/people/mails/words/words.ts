// What mails about people's sign-in say, in each language. docs/decisions/261-notices-speak-the-accounts-language.md says which one a mail has.

export interface SaidMail {
  subject: string
  /** Lines ended by \n; a link is a paragraph of its own. */
  text: string
}

/** What a person does with their own sign-in. Also the action in the audit trail of the accounts that the person owns. */
export type PersonAct =
  | 'changePassword'
  | 'resetPassword'
  | 'addPasskey'
  | 'removePasskey'
  | 'confirmTotp'
  | 'removeTotp'
  | 'linkProvider'
  | 'unlinkProvider'
  | 'takeOverByProvider'

/** What a person has made that works without them. */
export type Made = 'tokens' | 'invitations' | 'endpointLinks'

/**
 * Alerts about the security of a sign-in or of an account. What happened is said without a full stop; `by` is the address of whoever did it. What is
 * said of it further is a sentence, or a line.
 */
export interface AlertWords {
  acts: Readonly<Record<PersonAct, (email: string) => string>>
  tokenCreated: (by: string) => string
  tokenRotated: (by: string) => string
  ownerInvited: (by: string, email: string) => string
  ownerJoined: (email: string) => string
  ownerRemoved: (by: string, email: string) => string
  madeOwner: (by: string, email: string) => string
  /** Who was an owner until now. */
  madeMember: (by: string, email: string) => string
  passkeyName: (name: string) => string
  sessionsEnded: string
  passkeysRemoved: (names: readonly string[]) => string
  providerUnlinked: string
  codesEnd: (hours: number) => string
  /** Why all that signed in before has ended. */
  addressUnproven: string
  made: Readonly<Record<Made, string>>
  /** @param list of what is in `made`, with how many of each */
  goesOn: (list: string) => string
  passwordAgain: string
  /** @param facts `more`: lines, or '' */
  mail: (facts: { sentence: string; more: string; happenedAt: Date; address: string }) => SaidMail
}

export interface MailWords {
  /** Who invites where no person does. */
  operator: string
  /** @param account for the subject; null where the name of the account could be taken for an address */
  invitation: (facts: {
    account: string | null
    accountName: string
    invitedBy: string
    days: number
    link: string
  }) => SaidMail
  reset: (to: string, minutes: number, link: string) => SaidMail
  /** To the new address. */
  newEmail: (to: string, minutes: number, link: string) => SaidMail
  /** To the old address, before the new one is confirmed. */
  emailAsked: (to: string, email: string) => SaidMail
  /** To the old address, once the new one counts. */
  emailChanged: (to: string, email: string) => SaidMail
  alerts: AlertWords
}
