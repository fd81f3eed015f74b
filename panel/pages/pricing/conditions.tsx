import { MultiSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  conditionsByFact,
  type Condition,
  type ConditionWith,
  type Form,
  type RULE_CONDITIONS,
} from '../../../contract/rule-conditions.ts'
import words from '../../words/en/conditions.json'
import classes from './pricing.module.css'
import type { RuleForm } from './rule-form.ts'
import { THINGS, type NamedThings } from './rules.ts'
import { idsIn, type RuleValues } from './values.ts'

type IdField = Exclude<ConditionWith<'pricing', 'ids'>, 'product_ids'>
type NameField = ConditionWith<'pricing', 'names' | 'paths'> | 'names'

interface Things {
  id: number
  name: string
}

/** A condition on IDs; none chosen matches all. */
export function IdsField({
  form,
  name,
  label,
  hint,
  things,
}: {
  form: RuleForm
  name: IdField
  label: string
  hint?: string
  things: readonly Things[] | undefined
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const chosen = form.values[name]
  // a deleted one is shown by its ID
  const gone = chosen.filter((id) => things !== undefined && !things.some((thing) => String(thing.id) === id))
  return (
    <MultiSelect
      name={name}
      label={label}
      description={form.hint(name) ?? hint}
      placeholder={chosen.length === 0 ? t('fields.any') : ''}
      data={[
        ...(things ?? []).map(({ id, name: title }) => ({ value: String(id), label: title })),
        ...gone.map((id) => ({ value: id, label: `#${id}` })),
      ]}
      value={chosen}
      onChange={(value) => form.set({ [name]: value })}
      error={form.fault(name)}
      aria-invalid={form.fault(name) === undefined ? undefined : true}
      searchable
      clearable={false}
      hidePickedOptions
      nothingFoundMessage={t('fields.nothing')}
    />
  )
}

/** A condition on names, which are typed or chosen; none matches any. */
export function NamesField({
  form,
  name,
  label,
  hint,
  known,
}: {
  form: RuleForm
  name: NameField
  label: string
  hint?: string
  known?: readonly string[]
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  return (
    <TagsInput
      name={name}
      label={label}
      description={form.hint(name) ?? hint}
      placeholder={form.values[name].length === 0 ? t('fields.anyName') : ''}
      data={[...(known ?? [])]}
      value={form.values[name]}
      onChange={(value) => form.set({ [name]: value })}
      error={form.fault(name)}
      aria-invalid={form.fault(name) === undefined ? undefined : true}
      acceptValueOnBlur
      splitChars={[',', ';']}
    />
  )
}

/** The conditions of a rule: a field for each condition of its kind, with the bounds of a range side by side. */
export function Conditions({ kind, ...given }: Omit<FieldProps, 'condition'> & { kind: keyof typeof RULE_CONDITIONS }) {
  return conditionsByFact(kind).map((ofFact) => {
    const [{ fact, form } = {}] = ofFact
    const fields = ofFact.map((condition) => <ConditionField key={condition.name} condition={condition} {...given} />)
    return form === 'number' || form === 'day' ? (
      <div key={fact} className={classes.pair}>
        {fields}
      </div>
    ) : (
      fields
    )
  })
}

interface FieldProps {
  form: RuleForm
  named: NamedThings
  /** The account's currency. */
  currency: string
  condition: Condition
}

function ConditionField({ condition, ...given }: FieldProps) {
  const { t } = useTranslation(['conditions'])
  const { name } = condition
  const Field = FIELDS[condition.form]
  return <Field {...given} condition={condition} label={t(`field.${name}`)} hint={hintOf(name, t)} />
}

type Field = (props: FieldProps & { label: string; hint: string | undefined }) => ReactNode

/** The field for each form of condition. */
const FIELDS: Readonly<Record<Form, Field>> = {
  ids: ({ form, named, condition: { name, fact }, label, hint }) =>
    fact === 'product' ? (
      <ProductsField form={form} named={named} label={label} hint={hint} />
    ) : (
      <IdsField
        form={form}
        name={name as IdField}
        label={label}
        hint={hint}
        things={THINGS[fact as keyof typeof THINGS](named)}
      />
    ),
  names: ({ form, condition: { name }, label, hint }) => (
    <NamesField form={form} name={name as NameField} label={label} hint={hint} />
  ),
  paths: ({ form, named, condition: { name }, label, hint }) => (
    <NamesField form={form} name={name as NameField} label={label} hint={hint} known={categoryPaths(named)} />
  ),
  number: ({ form, condition: { name, isMoney }, currency, label }) => (
    <DecimalField
      form={form}
      name={name as ConditionWith<'pricing', 'number'>}
      label={label}
      unit={isMoney === undefined ? '' : currency}
    />
  ),
  day: ({ form, condition: { name }, label }) => (
    <TextInput {...form.text(name as ConditionWith<'pricing', 'day'>)} type="date" label={label} />
  ),
}

const hintOf = (name: string, t: TFunction<['conditions']>) => (isHinted(name) ? t(`hint.${name}`) : undefined)
const isHinted = (name: string): name is keyof typeof words.hint => Object.hasOwn(words.hint, name)

/** Typed IDs of products, with their names. */
function ProductsField({
  form,
  named,
  label,
  hint,
}: Pick<FieldProps, 'form' | 'named'> & { label: string; hint: string | undefined }) {
  return (
    <>
      <Textarea
        {...form.text('product_ids')}
        label={label}
        description={hint}
        autosize
        minRows={1}
        maxRows={5}
        dir="ltr"
      />
      <ProductNames ids={idsIn(form.values.product_ids)} named={named} />
    </>
  )
}

/** The names of the products whose IDs are typed above. */
function ProductNames({ ids, named }: { ids: readonly string[]; named: NamedThings }) {
  const names = ids.flatMap((id) => named.products?.(Number(id)) ?? [])
  return names.length === 0 ? null : (
    <ul className={classes.products}>
      {names.map((name, i) => (
        <li key={i} dir="auto">
          {name}
        </li>
      ))}
    </ul>
  )
}

export type TextName = { [K in keyof RuleValues]: RuleValues[K] extends string ? K : never }[keyof RuleValues]

/** A number with its unit. */
export function DecimalField({
  form,
  name,
  label,
  unit,
  hint,
}: {
  form: RuleForm
  name: TextName
  label: string
  unit: string
  /** Shown unless the form itself has a hint for the field. */
  hint?: string
}) {
  return (
    <TextInput
      {...form.text(name)}
      label={label}
      description={form.hint(name) ?? hint}
      inputMode="decimal"
      dir="ltr"
      autoComplete="off"
      rightSection={<span className={classes.quiet}>{unit}</span>}
      rightSectionWidth={48}
    />
  )
}

export const categoryPaths = (named: NamedThings) => (named.categories ?? []).map(({ path }) => path)
