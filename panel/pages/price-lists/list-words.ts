import { useResources, type Resource } from '../../api/resources.ts'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import type { Tone } from '../../components/state-mark.tsx'
import { useAccountTimeZone, useFormats } from '../../words/format.ts'
import { dayIn, stateOf, STATES, type ListState } from './list-state.ts'

export type PriceList = Resource<'price-lists'>

const TONES: Readonly<Record<ListState, Tone>> = { now: 'good', later: 'busy', ended: 'off', inactive: 'off' }

/** Descriptions of price lists: the stores, customer groups and days to which they apply. */
export function useListWords() {
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const format = useFormats()
  const { data: stores = [] } = useResources(account.id, 'stores')
  const { data: groups = [] } = useResources(account.id, 'groups')
  const today = dayIn(useAccountTimeZone(), new Date())
  const day = (text: string) => format.day(new Date(`${text}T12:00:00Z`))
  const groupName = (id: number) => groups.find((group) => group.id === id)?.name ?? `#${id}`
  return {
    groupName,
    /** Whether its prices apply today. */
    state(list: PriceList): { tone: Tone; text: string; order: number } {
      const state = stateOf(list, today)
      return { tone: TONES[state], text: words.of(`states.${state}`), order: STATES.indexOf(state) }
    },
    stores: ({ store_ids: ids, currency }: PriceList): string =>
      ids === null
        ? words.of('everyStore', { currency })
        : format.list(ids.map((id) => stores.find((store) => store.id === id)?.name ?? `#${id}`)),
    group: ({ group_id: id }: PriceList): string => (id === null ? words.of('everyGroup') : groupName(id)),
    days({ valid_from: from, valid_to: to }: PriceList): string {
      if (from === null) return to === null ? words.of('days.always') : words.of('days.to', { to: day(to) })
      return to === null
        ? words.of('days.from', { from: day(from) })
        : words.of('days.between', { from: day(from), to: day(to) })
    },
  }
}
