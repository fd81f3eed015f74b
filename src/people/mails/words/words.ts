// The texts of mails about people's sign-in, per language.
// docs/decisions/261-notices-speak-the-accounts-language.md says which language a mail has.

export interface SaidMail {
  subject: string
  /** Lines ended by \n; a link is a paragraph of its own. */
  text: string
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
  }) => SaidMail
  reset: (to: string, minutes: number, link: string) => SaidMail
  /** To the new address. */
  newEmail: (to: string, minutes: number, link: string) => SaidMail
  /** To the old address, before the new one is confirmed. */
  emailAsked: (to: string, email: string) => SaidMail
  /** To the old address, after the new one was confirmed. */
  emailChanged: (to: string, email: string) => SaidMail
}
