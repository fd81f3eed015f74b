import type { ReactNode } from 'react'
import { needNameOf, needOf, type ExclusionKind, type NeedName } from '../../../contract/exclusion-kinds.ts'
import words from '../../words/en/pricing.json'
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { categoryPaths, Conditions, IdsField, NamesField } from './conditions.tsx'
import classes from './pricing.module.css'
import type { RuleForm } from './rule-form.ts'
import type { NamedThings } from './rules.ts'

interface FieldsProps {
  form: RuleForm
  named: NamedThings
  /** The account's currency. */
  currency: string
}

/** The kinds in the order in which they are offered. A kind without words does not compile. */
const KINDS = Object.keys(words.fields.kinds satisfies Record<ExclusionKind, string>) as ExclusionKind[]

/** The fields for each need of a kind. */
const NEEDED: Readonly<Record<NeedName, ((props: FieldsProps) => ReactNode) | null>> = {
  nothing: null,
  manufacturers: (props) => <NamesNeeded {...props} field="manufacturers" />,
  categories: (props) => <NamesNeeded {...props} field="categories" />,
  suppliers: (props) => <ThingsNeeded {...props} field="supplier_ids" things={props.named.suppliers} />,
  price: (props) => <AmountNeeded {...props} />,
  margin: (props) => <AmountNeeded {...props} />,
}

function NamesNeeded({ form, named, field }: FieldsProps & { field: 'manufacturers' | 'categories' }) {
  const { t } = useTranslation(['conditions'])
  const known = field === 'categories' ? { hint: t('hint.categories'), known: categoryPaths(named) } : {}
  return <NamesField form={form} name="names" label={t(`field.${field}`)} {...known} />
}

function ThingsNeeded({
  form,
  field,
  things,
}: FieldsProps & { field: 'supplier_ids' | 'store_ids'; things: NamedThings['suppliers'] | NamedThings['stores'] }) {
  const { t } = useTranslation(['conditions'])
  return <IdsField form={form} name={field} label={t(`field.${field}`)} things={things} />
}

function AmountNeeded({ form, currency }: FieldsProps) {
  const { t } = useTranslation('pricing')
  const isMoney = needOf(form.values.kind).amount?.hasCurrency === true
  return (
    <>
      <p className={classes.quiet}>{t('fields.amountHint')}</p>
      <div className={classes.pair}>
        <TextInput
          {...form.text('amount')}
          label={t(isMoney ? 'fields.amount' : 'fields.marginAmount')}
          description={form.hint('amount')}
          inputMode="decimal"
          dir="ltr"
          autoComplete="off"
        />
        {isMoney ? (
          <TextInput
            {...form.text('currency')}
            label={t('fields.currency')}
            placeholder={currency}
            dir="ltr"
            autoComplete="off"
          />
        ) : null}
      </div>
    </>
  )
}

export function ExclusionFields(props: FieldsProps) {
  const { t } = useTranslation('pricing')
  const { form, named } = props
  const { kind } = form.values
  const Needed = NEEDED[needNameOf(kind)]
  return (
    <>
      <NativeSelect
        {...form.text('kind')}
        label={t('fields.kind')}
        data={KINDS.map((value) => ({ value, label: t(`fields.kinds.${value}`) }))}
      />
      {Needed === null ? null : <Needed {...props} />}
      <ThingsNeeded {...props} field="store_ids" things={named.stores} />
      <TextInput
        {...form.text('reason')}
        label={t('fields.reason')}
        description={t('fields.reasonHint')}
        placeholder={kind}
        autoComplete="off"
      />
    </>
  )
}

export function AssortmentFields({ form, named, currency, isNew }: FieldsProps & { isNew: boolean }) {
  const { t } = useTranslation(['pricing', 'shared'])
  return (
    <>
      <NativeSelect
        {...form.text('store_id')}
        label={t('fields.store')}
        description={isNew ? form.hint('store_id') : t('fields.storeFixed')}
        disabled={!isNew}
        data={[
          { value: '', label: t('fields.choose') },
          ...(named.stores ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <SegmentedControl
        aria-label={t('fields.listing')}
        fullWidth
        value={form.values.is_listed}
        onChange={(value) => form.set({ is_listed: value })}
        data={[
          { value: 'no', label: t('fields.unlists') },
          { value: 'yes', label: t('fields.lists') },
        ]}
      />
      <fieldset className={classes.group}>
        <legend>{t('fields.conditions')}</legend>
        <Conditions kind="assortment" form={form} named={named} currency={currency} />
      </fieldset>
    </>
  )
}
