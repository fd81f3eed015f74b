// The texts of mails about people's sign-in, per language.
// docs/decisions/261-notices-speak-the-accounts-language.md says which language a mail has.

export interface MailTexts {
  subject: string
  /** Lines ended by \n; a link is a paragraph of its own. */
  text: string
}

/** Changes of a person's own sign-in. The names are also the actions in the audit trails. */
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

/** Things that a person makes and that stay valid without the person. */
export type Made = 'tokens' | 'invitations' | 'endpointLinks'

/**
 * The texts of alerts about the security of a sign-in or an account. Sentences about an act have no full stop; `by` is the address of whoever did it.
 * Further lines are whole.
 */
export interface AlertWords {
  acts: Readonly<Record<PersonAct, (email: string) => string>>
  tokenCreated: (by: string) => string
  tokenRotated: (by: string) => string
  ownerInvited: (by: string, email: string) => string
  ownerJoined: (email: string) => string
  ownerRemoved: (by: string, email: string) => string
  madeOwner: (by: string, email: string) => string
  /** About a former owner. */
  madeMember: (by: string, email: string) => string
  passkeyName: (name: string) => string
  sessionsEnded: string
  passkeysRemoved: (names: readonly string[]) => string
  providerUnlinked: string
  codesEnd: (hours: number) => string
  /** Why all earlier ways to sign in have ended. */
  addressUnproven: string
  made: Readonly<Record<Made, string>>
  /** @param list names of `made`, each with a count */
  goesOn: (list: string) => string
  passwordAgain: string
  /** @param facts `more`: lines, or '' */
  mail: (facts: { sentence: string; more: string; happenedAt: Date; address: string }) => MailTexts
}

export interface MailWords {
  /** Who invites, if no person does. */
  operator: string
  /** @param facts.account name for the subject; null if it could be taken for a link */
  invitation: (facts: {
    account: string | null
    accountName: string
    invitedBy: string
    days: number
    link: string
  }) => MailTexts
  reset: (to: string, minutes: number, link: string) => MailTexts
  /** To the new address. */
  newEmail: (to: string, minutes: number, link: string) => MailTexts
  /** To the old address, before the new one is confirmed. */
  emailAsked: (to: string, email: string) => MailTexts
  /** To the old address, after the new one was confirmed. */
  emailChanged: (to: string, email: string) => MailTexts
  alerts: AlertWords
}
