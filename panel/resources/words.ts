import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ResourceName } from '../api/resources.ts'
import '../words/resources.ts'

// Words of the account resources: those of each resource are below its name, under the same keys. test/panel/resource-words.test.ts
// compares them with the members that the contract declares.

/** Names that have words of their own: resources with a page, and forms that are built the same way. */
export type WordsName = ResourceName | 'account' | 'bank-rates' | 'skus' | 'stock' | 'limits'

export interface ResourceWords {
  /** A text of the resource: `title`, `none`, `new` and so on. */
  of: (key: string, values?: Record<string, unknown>) => string
  label: (field: string) => string
  hint: (field: string) => string | undefined
  /** The message that one was created. */
  created: (title: string) => string
}

/** The words of a resource. */
export function useResourceWords(name: WordsName): ResourceWords {
  const { t } = useTranslation('resources')
  // keys are built from names that the contract declares
  const say = (key: string, values: Record<string, unknown> = {}) => t(`${name}.${key}` as 'stores.title', values)
  return {
    of: say,
    label: (field) => say(`fields.${field}`),
    created: (title) =>
      i18next.exists(`resources:${name}.created`) ? say('created', { name: title }) : t('created', { name: title }),
    hint: (field) => (i18next.exists(`resources:${name}.hints.${field}`) ? say(`hints.${field}`) : undefined),
  }
}
