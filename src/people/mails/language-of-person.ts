import { accountsOfPerson } from '../../accounts/members.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { writtenLanguage, type WrittenLanguage } from '../../platform/text/written-language.ts'

/**
 * In which language a person is written to: that of all their accounts; English where these have several, or there are none.
 * Asked outside of transactions: on Citus it asks all nodes.
 */
export async function languageOfPerson(reader: Reader, personId: number): Promise<WrittenLanguage> {
  // who is told of a change is told of it in English while a node with one of their accounts is away
  const accounts = await accountsOfPerson(reader, personId).catch(() => [])
  return languageOfAccounts(accounts)
}

/** The language of all accounts of a person; English where these have several, or there are none. */
export function languageOfAccounts(accounts: readonly { locale: string }[]): WrittenLanguage {
  const languages = new Set(accounts.map(({ locale }) => writtenLanguage(locale)))
  const [only = 'en'] = languages
  return languages.size === 1 ? only : 'en'
}
