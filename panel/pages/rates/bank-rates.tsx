import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRead, useRefreshAccount } from '../../api/read.ts'
import { changeResource } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import { showMessage } from '../../components/messages.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { AccountEditor } from '../../resources/editor.tsx'
import type { Field, FormSpec } from '../../resources/field.ts'
import { decimal, flag } from '../../resources/inputs.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './rates.module.css'

type From = 'hand' | 'ecb'

/** A switch between the bank's rates and rates by hand. */
const fromBank = (): Field<From, boolean> => ({
  ...flag(),
  read: (member) => member === 'ecb',
  write: (value) => (value ? 'ecb' : 'hand'),
})

const SPEC: FormSpec = {
  name: 'bank-rates',
  required: [],
  fixed: [],
  // the bounds are hidden while the bank's rates are off
  isShown: (name, values) => name === 'rates_from' || values['rates_from'] === true,
  fields: {
    rates_from: fromBank(),
    rates_least_change_percent: decimal(),
    rates_greatest_change_percent: decimal(),
  },
}

const TONES = { failed: 'bad', came: 'good', asking: 'busy' } as const
const ASKED_EVERY_MS = 30_000

/** Whether rates follow the European Central Bank's, and within which bounds. */
export function BankRates() {
  const words = useResourceWords('bank-rates')
  return (
    <div className={classes.bank}>
      <Section title={words.of('title')} note={words.of('lead')}>
        <BankAnswer />
        <AccountEditor spec={SPEC} />
      </Section>
    </div>
  )
}

/** If the account follows the bank: when it was last asked, the result, and what to do if it gave no rates. */
function BankAnswer() {
  const words = useResourceWords('bank-rates')
  const format = useFormats()
  const account = useAccount()
  const follows = useSettings(account.id).data?.data.rates_from === 'ecb'
  const read = useRead(
    'GET /panel/api/accounts/{account_id}/bank-answer',
    { params: useAccountParams() },
    { everyMs: ASKED_EVERY_MS, isEnabled: follows },
  )
  const answer = read.data?.data
  if (!follows || answer === undefined) return null
  if (answer.asked_at === null) return <p className={classes.answer}>{words.of('answer.never')}</p>
  const isFailing = answer.failing_since !== null
  const state = isFailing ? 'failed' : answer.is_answered ? 'came' : 'asking'
  return (
    <div className={classes.answer}>
      <p>
        <StateMark tone={TONES[state]}>{words.of(`answer.${state}`)}</StateMark>
        <span className={classes.asked}>
          {words.of('answer.asked')} <RelativeTime at={answer.asked_at} />
        </span>
      </p>
      <p>
        {answer.day === null ? words.of('answer.none') : words.of('answer.day', { day: dayOf(format, answer.day) })}
      </p>
      {isFailing ? (
        <p>
          {words.of(`answer.${answer.failure ?? 'unknown'}`)} {words.of('answer.meanwhile')}
        </p>
      ) : null}
    </div>
  )
}

/** A rate of the bank that differs too much to be applied automatically. */
interface HeldRate {
  currency: string
  rate: string | null
  held_rate: string
  held_day: string | null
}

/** Rates of the bank that must be confirmed. */
export function HeldRates({ own, held }: { own: string; held: readonly HeldRate[] }) {
  const words = useResourceWords('bank-rates')
  const account = useAccount()
  const format = useFormats()
  const refresh = useRefreshAccount()
  const take = useMutation({
    mutationFn: async ({ currency, held_rate: rate }: HeldRate) => {
      await changeResource(account.id, 'rates', currency, { rate })
      await refresh()
      showMessage(words.of('taken', { currency }))
    },
  })
  if (held.length === 0) return null
  return (
    <Section title={words.of('held')} note={words.of('heldNote')}>
      <ProblemNote error={take.error} />
      <ul className={classes.held}>
        {held.map((row) => (
          <li key={row.currency}>
            <span>
              {words.of('heldRate', {
                own,
                currency: row.currency,
                rate: format.decimal(row.rate ?? '0'),
                held: format.decimal(row.held_rate),
                day: dayOf(format, row.held_day),
              })}
            </span>
            <Button
              size="xs"
              loading={take.isPending && take.variables.currency === row.currency}
              aria-label={words.of('takeOne', { currency: row.currency })}
              onClick={() => take.mutate(row)}
            >
              {words.of('take')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Formats a day of the bank, `YYYY-MM-DD`. */
export const dayOf = (format: ReturnType<typeof useFormats>, day: string | null) =>
  day === null ? '–' : format.day(new Date(`${day}T12:00:00Z`))
