import { useTranslation } from 'react-i18next'
import { useProductNames } from '../../api/product-names.ts'
import { useRead } from '../../api/read.ts'
import { useResources } from '../../api/resources.ts'
import { useProductWords } from '../../resources/product-name.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { aboutOf, rowsOf, shortName, verbAndNoun, type EntrySubject, type Group, type WordedEntry } from './sentence.ts'

type Entry = WordedEntry & { actor: { name: string } }

/** Sentences for entries, with the names of their subjects if those still exist. */
export function useSentences(entries: readonly Entry[]): (group: Group<Entry>) => string {
  const { t, i18n } = useTranslation(['audit', 'resources'])
  const nameOf = useNames(entries.flatMap((entry) => aboutOf(entry) ?? []))
  return (group) => {
    const [entry] = group.entries
    const { action, actor } = entry
    const about = aboutOf(entry)
    const name = about === null ? '' : t('quoted', { name: nameOf(about) })
    const who = shortName(actor.name)
    if (action.startsWith('bulk')) {
      const count = rowsOf(group)
      return count === null ? t('sentences.many', { who }) : t('sentences.values', { who, count })
    }
    if (i18n.exists(`audit:sentences.${action}`))
      return tidy(t(`sentences.${action}` as 'sentences.invite', { who, name }))
    const known = verbAndNoun(action)
    if (known === null || !i18n.exists(`audit:nouns.${known.noun}`)) return t('sentences.other', { who, action })
    const what = t(`nouns.${known.noun}` as 'nouns.Product')
    return tidy(t(`verbs.${known.verb}`, { who, what, name }))
  }
}

/** Removes the double blanks that an unknown name leaves. */
const tidy = (text: string) => text.replaceAll(/ {2,}/g, ' ').trim()

function useNames(abouts: readonly EntrySubject[]): (about: EntrySubject) => string {
  const { t } = useTranslation('resources')
  const account = useAccount()
  const params = useAccountParams()
  const has = (kind: string) => abouts.some((about) => about.kind === kind)
  const { id } = account
  const products = useProductNames(
    id,
    abouts.flatMap(({ kind, key }) => (kind === 'products' && /^\d{1,15}$/.test(key) ? [Number(key)] : [])),
  )
  const wordsOf = useProductWords()
  const named: Readonly<
    Record<string, readonly { id?: number; slug?: string; code?: string; name?: string; path?: string }[]>
  > = {
    stores: useResources(id, 'stores', { isEnabled: has('stores') }).data ?? [],
    groups: useResources(id, 'groups', { isEnabled: has('groups') }).data ?? [],
    suppliers: useResources(id, 'suppliers', { isEnabled: has('suppliers') }).data ?? [],
    categories: useResources(id, 'categories', { isEnabled: has('categories') }).data ?? [],
    channels: useResources(id, 'channels', { isEnabled: has('channels') }).data ?? [],
    'notice-channels': useResources(id, 'notice-channels', { isEnabled: has('notice-channels') }).data ?? [],
    'pricing-rules': useResources(id, 'pricing-rules', { isEnabled: has('pricing-rules') }).data ?? [],
    'exclusion-rules': useResources(id, 'exclusion-rules', { isEnabled: has('exclusion-rules') }).data ?? [],
    'assortment-rules': useResources(id, 'assortment-rules', { isEnabled: has('assortment-rules') }).data ?? [],
  }
  const members =
    useRead('GET /panel/api/accounts/{account_id}/members', { params }, { isEnabled: has('members') }).data?.data ?? []
  const endpoints =
    useRead('GET /panel/api/accounts/{account_id}/endpoints', { params }, { isEnabled: has('endpoints') }).data?.data ??
    []
  const tokens =
    useRead('GET /panel/api/accounts/{account_id}/tokens', { params }, { isEnabled: has('tokens') }).data?.data ?? []
  return ({ kind, key }) => {
    if (kind === 'products') {
      const found = products(Number(key))
      return found === undefined ? t('product', { id: key }) : wordsOf(found, Number(key))
    }
    if (kind === 'endpoints') return endpoints.find((row) => String(row.id) === key)?.url ?? `#${key}`
    if (kind === 'tokens') return tokens.find((row) => String(row.id) === key)?.name ?? `#${key}`
    if (kind === 'members') {
      const member = members.find((row) => String(row.id) === key)
      return member?.name ?? member?.email ?? `#${key}`
    }
    const row = named[kind]?.find((entry) => [String(entry.id), entry.slug, entry.code].includes(key))
    return row?.name ?? row?.path ?? key
  }
}
