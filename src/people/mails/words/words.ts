// What mails about people's sign-in say, in each language. docs/decisions/261-notices-speak-the-accounts-language.md says which one a mail has.

export interface SaidMail {
  subject: string
  /** Lines ended by \n; a link is a paragraph of its own. */
  text: string
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
}
