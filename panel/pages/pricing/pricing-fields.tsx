import { ActionIcon, Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodePicker } from '../../components/code-picker.tsx'
import { CloseIcon } from '../../design/icons.tsx'
import { useFormats } from '../../words/format.ts'
import { Conditions, DecimalField, type TextName } from './conditions.tsx'
import classes from './pricing.module.css'
import { endingsOf } from './endings.ts'
import type { RuleForm } from './rule-form.ts'
import type { NamedThings } from './rules.ts'
import { TiersField } from './tiers-field.tsx'
import type { RuleValues } from './values.ts'

interface FieldsProps {
  form: RuleForm
  named: NamedThings
  /** The account's currency. */
  currency: string
}

/** The fields of a pricing rule that make the price. */
export function PricingFields({ form, named, currency, isDefault }: FieldsProps & { isDefault: boolean }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const { action } = form.values
  const amounts = form.values.currency.trim() === '' ? currency : form.values.currency.trim().toUpperCase()
  const decimal = (name: TextName, label: string, unit: string) => (
    <DecimalField form={form} name={name} label={label} unit={unit} />
  )
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{t('fields.action')}</legend>
        <SegmentedControl
          aria-label={t('fields.action')}
          fullWidth
          value={action}
          onChange={(value) => form.set({ action: value })}
          data={(['markup', 'margin', 'fixed'] as const).map((value) => ({
            value,
            label: t(`fields.actions.${value}`),
          }))}
        />
        <div className={classes.pair}>
          {action === 'fixed'
            ? decimal('fixed_price', t('fields.fixed_price'), amounts)
            : decimal('percent', t(`fields.percents.${action === 'margin' ? 'margin' : 'markup'}`), '%')}
          {decimal('addition', t('fields.addition'), amounts)}
        </div>
      </fieldset>
      <RoundingField form={form} named={named} />
      <TiersField form={form} />
      <DecimalField
        form={form}
        name="list_price_percent"
        label={t('fields.list_price_percent')}
        unit="%"
        hint={t('fields.listPriceHint')}
      />
      <Checkbox
        label={t('fields.overPriceLists')}
        description={t('fields.overPriceListsHint')}
        checked={form.values.over_price_lists}
        onChange={(event) => form.set({ over_price_lists: event.currentTarget.checked })}
      />
      <details
        className={classes.fold}
        open={
          ['floor_margin_percent', 'floor_profit', 'floor_price', 'ceiling_price', 'currency'].some(
            (name) => form.values[name as TextName] !== '',
          ) || undefined
        }
      >
        <summary>{t('fields.bounds')}</summary>
        <div className={classes.pair}>
          {decimal('floor_profit', t('fields.floor_profit'), amounts)}
          {decimal('floor_margin_percent', t('fields.floor_margin_percent'), '%')}
          {decimal('floor_price', t('fields.floor_price'), amounts)}
          {decimal('ceiling_price', t('fields.ceiling_price'), amounts)}
          {isDefault ? null : (
            <CodePicker
              {...form.text('currency')}
              kind="currency"
              onChange={(code) => form.set({ currency: code })}
              label={t('fields.currency')}
              placeholder={currency}
            />
          )}
        </div>
      </details>
      {isDefault ? (
        <p className={classes.quiet}>{t('fields.defaultRule')}</p>
      ) : (
        <fieldset className={classes.group}>
          <legend>{t('fields.conditions')}</legend>
          <Conditions kind="pricing" form={form} named={named} currency={currency} />
        </fieldset>
      )}
    </>
  )
}

/** The most currencies that have a button of their own to add a rounding. */
const ROUNDINGS_OFFERED = 3

/** Example prices of a rounding, in its currency. */
function Endings({ currency, step, ending }: RuleValues['rounding'][number]) {
  const { t } = useTranslation('pricing')
  const format = useFormats()
  const code = currency.trim().toUpperCase()
  const prices = endingsOf(step, ending)
  if (prices.length === 0 || !/^[A-Z]{3}$/.test(code)) return null
  return (
    <p className={classes.endings}>
      {t('fields.endings', { prices: prices.map((price) => format.money(price, code)).join(' · ') })}
    </p>
  )
}

function RoundingField({ form, named }: Pick<FieldsProps, 'form' | 'named'>) {
  const { t } = useTranslation(['pricing', 'shared'])
  const { rounding } = form.values
  const change = (at: number, changes: Partial<RuleValues['rounding'][number]>) =>
    form.set({ rounding: rounding.map((row, i) => (i === at ? { ...row, ...changes } : row)) })
  const unused = [...new Set((named.stores ?? []).map(({ currency }) => currency))].filter(
    (currency) => !rounding.some((row) => row.currency === currency),
  )
  return (
    <fieldset className={classes.group}>
      <legend>{t('fields.rounding')}</legend>
      {rounding.length === 0 ? null : <p className={classes.quiet}>{t('fields.roundingHint')}</p>}
      {rounding.map((row, at) => (
        <div key={at} className={classes.roundingRow}>
          <CodePicker
            kind="currency"
            label={t('fields.roundingCurrency')}
            value={row.currency}
            onChange={(code) => change(at, { currency: code })}
          />
          <TextInput
            label={t('fields.step')}
            value={row.step}
            inputMode="decimal"
            dir="ltr"
            onChange={(event) => change(at, { step: event.currentTarget.value })}
          />
          <TextInput
            label={t('fields.ending')}
            value={row.ending}
            inputMode="decimal"
            dir="ltr"
            onChange={(event) => change(at, { ending: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('fields.direction')}
            value={row.direction}
            data={(['up', 'down', 'nearest'] as const).map((value) => ({
              value,
              label: t(`says.directions.${value}`),
            }))}
            onChange={(event) => change(at, { direction: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t('fields.removeRounding', { currency: row.currency })}
            onClick={() => form.set({ rounding: rounding.filter((_, i) => i !== at) })}
          >
            <CloseIcon size={14} />
          </ActionIcon>
          <Endings {...row} />
        </div>
      ))}
      {form.fault('rounding') === undefined ? null : <p className={classes.fault}>{form.fault('rounding')}</p>}
      <div className={classes.buttons}>
        {[...unused, ''].slice(0, ROUNDINGS_OFFERED).map((currency) => (
          <Button
            key={currency}
            variant="default"
            size="xs"
            onClick={() =>
              form.set({ rounding: [...rounding, { currency, step: '1', ending: '0.99', direction: 'up' }] })
            }
          >
            {currency === '' ? t('fields.addRounding') : t('fields.addRoundingIn', { currency })}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
