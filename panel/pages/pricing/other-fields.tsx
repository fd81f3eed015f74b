import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { categoryPaths, IdsField, NamesField, ProductConditions } from './conditions.tsx'
import classes from './pricing.module.css'
import type { RuleForm } from './rule-form.ts'
import type { NamedThings } from './rules.ts'
import { needOf } from './values.ts'

interface FieldsProps {
  form: RuleForm
  named: NamedThings
}

const KINDS = [
  'no_stock',
  'no_price',
  'no_title',
  'no_image',
  'no_ean',
  'manufacturer',
  'category',
  'supplier',
  'price_below',
  'price_above',
  'margin_below',
] as const

/** What keeps products from being exported. */
export function ExclusionFields({ form, named, currency }: FieldsProps & { currency: string }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const { kind } = form.values
  const need = needOf(kind)
  return (
    <>
      <NativeSelect
        {...form.text('kind')}
        label={t('fields.kind')}
        data={KINDS.map((value) => ({ value, label: t(`fields.kinds.${value}`) }))}
      />
      {need === 'names' ? (
        <NamesField
          form={form}
          name="names"
          label={kind === 'category' ? t('fields.categories') : t('fields.manufacturers')}
          {...(kind === 'category' ? { hint: t('fields.categoriesHint'), known: categoryPaths(named) } : {})}
        />
      ) : null}
      {need === 'supplier_ids' ? (
        <IdsField form={form} name="supplier_ids" label={t('fields.suppliers')} things={named.suppliers} />
      ) : null}
      {need === 'amount' ? (
        <>
          <p className={classes.quiet}>{t('fields.amountHint')}</p>
          <div className={classes.pair}>
            <TextInput
              {...form.text('amount')}
              label={kind === 'margin_below' ? t('fields.marginAmount') : t('fields.amount')}
              description={form.hint('amount')}
              inputMode="decimal"
              dir="ltr"
              autoComplete="off"
            />
            {kind === 'margin_below' ? null : (
              <TextInput
                {...form.text('currency')}
                label={t('fields.currency')}
                placeholder={currency}
                dir="ltr"
                autoComplete="off"
              />
            )}
          </div>
        </>
      ) : null}
      <IdsField form={form} name="store_ids" label={t('fields.stores')} things={named.stores} />
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

/** What a store lists. */
export function AssortmentFields({ form, named, isNew }: FieldsProps & { isNew: boolean }) {
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
        <ProductConditions form={form} named={named} />
      </fieldset>
    </>
  )
}
