import { accountsOfPerson } from '../../accounts/members.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { writtenLanguage, type WrittenLanguage } from '../../platform/text/written-language.ts'

/**
 * The language of mails to a person: that of all their accounts; English if these have several, or there are none.
 * Call it outside of transactions: on Citus it asks all nodes.
 */
export async function languageOfPerson(reader: Reader, personId: number): Promise<WrittenLanguage> {
  // while a node with one of their accounts is away, the mail is sent in English
  const accounts = await accountsOfPerson(reader, personId).catch(() => [])
  return languageOfAccounts(accounts)
}

/** The language of all accounts of a person; English where these have several, or there are none. */
export function languageOfAccounts(accounts: readonly { locale: string }[]): WrittenLanguage {
  const languages = new Set(accounts.map(({ locale }) => writtenLanguage(locale)))
  const [only = 'en'] = languages
  return languages.size === 1 ? only : 'en'
}
