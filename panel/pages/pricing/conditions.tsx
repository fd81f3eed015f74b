import { MultiSelect, TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RuleForm } from './rule-form.ts'
import type { NamedThings } from './rules.ts'

type IdField = 'store_ids' | 'group_ids' | 'supplier_ids'
type NameField = 'manufacturers' | 'categories' | 'names'

interface Things {
  id: number
  name: string
}

/** Which of some things a rule is for; none chosen: all of them. */
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
  // one that is gone is shown by its id
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

/** Names that a rule is for, typed or chosen; none: any. */
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

/** Which products a rule is for, by what they are and where they come from. */
export function ProductConditions({ form, named }: { form: RuleForm; named: NamedThings }) {
  const { t } = useTranslation(['pricing', 'shared'])
  return (
    <>
      <NamesField
        form={form}
        name="categories"
        label={t('fields.categories')}
        hint={t('fields.categoriesHint')}
        known={categoryPaths(named)}
      />
      <NamesField form={form} name="manufacturers" label={t('fields.manufacturers')} />
      <IdsField form={form} name="supplier_ids" label={t('fields.suppliers')} things={named.suppliers} />
    </>
  )
}

export const categoryPaths = (named: NamedThings) => (named.categories ?? []).map(({ path }) => path)
