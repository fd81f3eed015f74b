import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRefreshAccount } from '../../api/read.ts'
import { changeResource } from '../../api/resources.ts'
import { showMessage } from '../../components/messages.tsx'
import { Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { AccountEditor } from '../../resources/editor.tsx'
import type { Field } from '../../resources/field.ts'
import { decimal, flag } from '../../resources/inputs.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './rates.module.css'

type From = 'hand' | 'ecb'

/** A switch: the bank's, or by hand. */
const fromBank = (): Field<From, boolean> => ({
  ...flag(),
  read: (member) => member === 'ecb',
  write: (value) => (value ? 'ecb' : 'hand'),
})

const SPEC = {
  name: 'bank-rates' as const,
  required: [],
  fixed: [],
  fields: {
    rates_from: fromBank(),
    rates_least_change_percent: decimal(),
    rates_greatest_change_percent: decimal(),
  },
}

/** Whether rates follow the European Central Bank's, and within which bounds. */
export function BankRates() {
  const words = useResourceWords('bank-rates')
  return (
    <div className={classes.bank}>
      <Section title={words.of('title')} note={words.of('lead')}>
        <AccountEditor spec={SPEC} />
      </Section>
    </div>
  )
}

/** A rate of the bank that differs too much to be taken over by itself. */
interface HeldRate {
  currency: string
  rate: string | null
  held_rate: string
  held_day: string | null
}

/** Rates of the bank that wait for somebody to take them over. */
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

/** A day of the bank's, `YYYY-MM-DD`, as it is read. */
export const dayOf = (format: ReturnType<typeof useFormats>, day: string | null) =>
  day === null ? '–' : format.day(new Date(`${day}T12:00:00Z`))
