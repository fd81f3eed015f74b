import { useMemo } from 'react'
import { useResources } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import { codeOf } from '../../resources/code.ts'
import type { ResourceSpec } from '../../resources/field.ts'
import { choice, currency, day, flag, multipleChoice, text, wholeNumber, type Option } from '../../resources/inputs.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'

/**
 * The form to create and edit a price list.
 * @param own the currency of an existing list, whose stores must use it; null: a new list, for any currency
 */
export function usePriceListSpec(own: string | null): { spec: ResourceSpec<'price-lists'>; isReady: boolean } {
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const stores = useResources(account.id, 'stores').data
  const groups = useResources(account.id, 'groups').data
  const settings = useSettings(account.id).data
  const everyGroup = words.of('everyGroup')
  const accountCurrency = settings?.data.currency ?? ''
  // memoized, so that inputs keep their identity while one types
  const spec = useMemo(
    (): ResourceSpec<'price-lists'> => ({
      name: 'price-lists',
      key: 'key',
      required: ['key', 'name', 'currency'],
      fixed: ['key', 'currency'],
      fields: {
        name: text(),
        key: text({ isCode: true, placeholder: 'season' }),
        currency: currency(),
        store_ids: multipleChoice(
          (stores ?? [])
            .filter((store) => own === null || store.currency === own)
            .map(({ id, name, currency: code }): Option<number> => ({
              value: id,
              label: name,
              ...(own === null ? { description: code } : {}),
            })),
        ),
        group_id: choice([
          { value: null, label: everyGroup },
          ...(groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]),
        valid_from: day(),
        valid_to: day(),
        priority: wholeNumber(),
        is_active: flag(),
      },
      proposed: { key: ({ name }) => codeOf(String(name)) },
      initial: {
        key: '',
        name: '',
        currency: accountCurrency,
        store_ids: null,
        group_id: null,
        valid_from: null,
        valid_to: null,
        priority: 100,
        is_active: true,
      },
      titleOf: (list) => list.name,
    }),
    [stores, groups, own, everyGroup, accountCurrency],
  )
  return { spec, isReady: stores !== undefined && groups !== undefined && settings !== undefined }
}
