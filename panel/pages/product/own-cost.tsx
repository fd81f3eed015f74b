import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './editing.module.css'

/** Leads to where a cost of one's own is set: beside own stock. */
export function OwnCost({ note, open }: { note: string; open: (value: string) => void }) {
  const { t } = useTranslation('product-edit')
  return (
    <section className={classes.form}>
      <p>{note}</p>
      <Button mt="sm" variant="default" onClick={() => open('stock')}>
        {t('fixed.ownCost')}
      </Button>
    </section>
  )
}
