import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TIER_BYS } from '../../../contract/tiers.ts'
import { CloseIcon } from '../../design/icons.tsx'
import classes from './pricing.module.css'
import type { RuleForm } from './rule-form.ts'
import type { RuleValues } from './values.ts'

export function TiersField({ form }: { form: RuleForm }) {
  const { t } = useTranslation('pricing')
  const { action, tiers_from_supplier: isOfSupplier } = form.values
  const mayBeOfSupplier = action !== 'fixed'
  const isSupplied = mayBeOfSupplier && isOfSupplier
  const tiers = isSupplied ? [] : form.values.tiers
  const change = (at: number, changes: Partial<RuleValues['tiers'][number]>) =>
    form.set({ tiers: tiers.map((row, i) => (i === at ? { ...row, ...changes } : row)) })
  return (
    <fieldset className={classes.group}>
      <legend>{t('fields.tiers')}</legend>
      {mayBeOfSupplier ? (
        <Checkbox
          label={t('fields.tiersFromSupplier')}
          description={isSupplied ? t('fields.tiersFromSupplierHint') : undefined}
          checked={isSupplied}
          onChange={(event) => form.set({ tiers_from_supplier: event.currentTarget.checked })}
        />
      ) : null}
      {tiers.length === 0 ? null : <p className={classes.quiet}>{t('fields.tiersHint')}</p>}
      {tiers.map((row, at) => (
        <div key={at} className={classes.tierRow}>
          <TextInput
            label={t('fields.tierQuantity')}
            value={row.quantity}
            inputMode="numeric"
            dir="ltr"
            onChange={(event) => change(at, { quantity: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('fields.tierBy')}
            value={row.by}
            data={TIER_BYS.map((value) => ({ value, label: t(`fields.tierBys.${value}`) }))}
            onChange={(event) => change(at, { by: event.currentTarget.value })}
          />
          <TextInput
            label={t('fields.tierAmount')}
            value={row.amount}
            inputMode="decimal"
            dir="ltr"
            onChange={(event) => change(at, { amount: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t('fields.removeTier', { quantity: row.quantity })}
            onClick={() => form.set({ tiers: tiers.filter((_, i) => i !== at) })}
          >
            <CloseIcon size={14} />
          </ActionIcon>
        </div>
      ))}
      {form.fault('tiers') === undefined ? null : <p className={classes.fault}>{form.fault('tiers')}</p>}
      {tiers.length === 0 && !isSupplied ? null : (
        <Checkbox
          label={t('fields.tiersAbovePrice')}
          checked={form.values.tiers_above_price}
          onChange={(event) => form.set({ tiers_above_price: event.currentTarget.checked })}
        />
      )}
      {isSupplied ? null : (
        <div className={classes.buttons}>
          <Button
            variant="default"
            size="xs"
            onClick={() =>
              form.set({ tiers: [...tiers, { quantity: '', by: tiers.at(-1)?.by ?? 'percent_off', amount: '' }] })
            }
          >
            {t('fields.addTier')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
