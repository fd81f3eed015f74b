import { StateMark } from '../../components/state-mark.tsx'
import { useListWords, type PriceList } from './list-words.ts'

/** Whether the prices of a list apply today. */
export function ListMark({ list }: { list: PriceList }) {
  const { tone, text } = useListWords().state(list)
  return <StateMark tone={tone}>{text}</StateMark>
}
