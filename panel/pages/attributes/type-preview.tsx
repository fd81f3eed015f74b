import { useDebouncedValue } from '@mantine/hooks'
import { useRead } from '../../api/read.ts'
import { BelowForm } from '../../resources/below-form.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './type-preview.module.css'

const TYPING_MS = 300

const typed = (value: unknown) => (typeof value === 'string' ? value : '')

/** Shows what the type that is chosen in the form makes of suppliers' values. */
export function TypePreview({ attribute, values }: { attribute: string; values: Readonly<Record<string, unknown>> }) {
  const words = useResourceWords('attributes')
  const format = useFormats()
  const account = useAccount()
  const [rule] = useDebouncedValue(
    JSON.stringify([values['type'], values['separator'], values['decimal'], values['unit']].map(typed)),
    TYPING_MS,
  )
  const [type = '', separator = '', decimal = '', unit = ''] = JSON.parse(rule) as string[]
  const found = useRead('GET /v1/account/attributes/{key}/values', {
    accountId: account.id,
    params: { key: attribute },
    query: { type, separator, decimal, unit },
  }).data?.data
  if (found === undefined) return null
  const { proposal } = found
  return (
    <BelowForm>
      <section className={classes.preview} aria-label={words.of('preview.title')} aria-live="polite">
        <h2>{words.of('preview.title')}</h2>
        {found.offers === 0 ? <p>{words.of('preview.none')}</p> : null}
        {type === '' || found.offers === 0 ? null : (
          <p>
            {words.of('preview.understood', {
              understood: format.number(found.understood),
              offers: format.number(found.offers),
            })}
          </p>
        )}
        {proposal === null || proposal.type === type ? null : (
          <p>
            {words.of('preview.proposal', {
              type: words.of(`types.${proposal.type}`),
              more: [
                proposal.decimal === null ? null : `${words.label('decimal')}: ${proposal.decimal}`,
                proposal.unit === null ? null : `${words.label('unit')}: ${proposal.unit}`,
                proposal.separator === null ? null : `${words.label('separator')}: ${proposal.separator}`,
              ]
                .filter((part) => part !== null)
                .map((part) => ` · ${part}`)
                .join(''),
            })}
          </p>
        )}
        <ul>
          {found.examples.slice(0, 5).map(({ stated, read }) => (
            <li key={stated}>
              <bdi>{stated}</bdi> → <code dir="ltr">{JSON.stringify(shownOf(read))}</code>
            </li>
          ))}
          {found.unread.slice(0, 5).map(({ stated }) => (
            <li key={stated}>
              <bdi>{stated}</bdi> → {words.of('preview.unread')}
            </li>
          ))}
        </ul>
      </section>
    </BelowForm>
  )
}

/** The members as payloads have them, except the type, which is the same for all. */
const shownOf = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([name]) => name !== 'type'))
