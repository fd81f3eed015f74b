import { Button, Textarea } from '@mantine/core'
import { proposedTaxRates } from '../../../contract/eu-tax-rates.ts'
import type { Resource } from '../../api/resources.ts'
import type { Field } from '../../resources/field.ts'
import { useResourceWords } from '../../resources/words.ts'
import classes from './rates-field.module.css'

type Rates = Resource<'tax-classes'>['rates']

/** Rates, one per line: country, first day, percent. Other texts are sent as they are, and the service refuses them. */
export const ratesField = (): Field<Rates, string> => ({
  read: linesOf,
  write: (value) =>
    value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const [country = '', valid_from = '', ...percent] = line.split(/\s+/)
        return { country, valid_from, percent: percent.join(' ').replace(/ ?%$/, '').replace(',', '.') }
      }),
  show: (value) => value.split('\n').join(' · '),
  Input(props) {
    const words = useResourceWords('tax-classes')
    const propose = (kind: 'standard' | 'reduced') => (
      <Button
        variant="default"
        size="xs"
        disabled={props.isDisabled}
        onClick={() => props.set(linesOf(proposedTaxRates(kind)))}
      >
        {words.of(`propose.${kind}`)}
      </Button>
    )
    return (
      <div>
        <Textarea
          name={props.name}
          label={props.label}
          description={props.hint}
          error={props.error}
          aria-invalid={props.error === undefined ? undefined : true}
          disabled={props.isDisabled}
          value={props.value}
          autosize
          minRows={4}
          maxRows={16}
          dir="ltr"
          spellCheck={false}
          placeholder="DE 2021-01-01 19"
          onChange={(event) => props.set(event.currentTarget.value)}
        />
        <p className={classes.proposals}>
          {propose('standard')} {propose('reduced')}
        </p>
        <p className={classes.quiet}>{words.of('propose.note')}</p>
      </div>
    )
  },
})

const linesOf = (rates: Rates): string =>
  rates.map(({ country, valid_from: from, percent }) => `${country} ${from} ${percent}`).join('\n')
